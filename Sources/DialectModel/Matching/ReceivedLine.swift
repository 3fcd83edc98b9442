package import LineProtocol

/// A line that has arrived, kept with its original bytes until the verdict.
package struct ReceivedLine: Sendable {
    /// The line without its terminator.
    package var bytes: [UInt8]
    package var terminator: [UInt8]
    package var payload: [UInt8]?
    package var payloadIsBlock: Bool
    package var issue: FrameIssue?
    /// When its last byte was read, on the session's clock.
    package var time: Int64
    /// Whether the dialect says that such lines arrive unasked: only a step that names it sees it.
    package var isUnasked = false
    /// Its entry in the transcript.
    package var entry = 0

    package init(_ frame: Frame, in buffer: Span<UInt8>, at time: Int64) {
        bytes = buffer.array(frame.line)
        terminator = frame.terminator?.bytes ?? []
        payload = frame.payload.map { buffer.array($0) }
        payloadIsBlock = frame.payloadIsBlock
        issue = frame.issue
        self.time = time
    }

    /// A line that is known by its bytes, as from a recording.
    package init(
        _ bytes: [UInt8], terminator: [UInt8] = [], payload: [UInt8]? = nil, at time: Int64 = 0
    ) {
        self.bytes = bytes
        self.terminator = terminator
        self.payload = payload
        payloadIsBlock = false
        issue = nil
        self.time = time
    }

    /// Whether the connection ended before the line did.
    package var isUnterminated: Bool { issue == .unterminated }

    /// What it takes of a maximum.
    package var byteCount: Int { bytes.count + (payload?.count ?? 0) }

    /// A buffer that holds line and payload, with the frame that points into it.
    package var standalone: (buffer: [UInt8], frame: Frame) {
        let line = 0..<bytes.count
        guard let payload else { return (bytes, Frame(line: line, whole: line)) }
        let buffer = bytes + payload
        return (
            buffer,
            Frame(
                line: line, payload: bytes.count..<buffer.count, whole: 0..<buffer.count,
                payloadIsBlock: payloadIsBlock)
        )
    }
}
