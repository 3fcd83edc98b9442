import LineProtocol

/// A line that has arrived, kept with its original bytes until the verdict.
struct ReceivedLine: Sendable {
    /// The line without its terminator.
    var bytes: [UInt8]
    var terminator: [UInt8]
    var payload: [UInt8]?
    var payloadIsBlock: Bool
    var issue: FrameIssue?
    /// When its last byte was read, on the session's clock.
    var time: Int64
    /// Whether the dialect says that such lines arrive unasked: only a step that names it sees it.
    var isUnasked = false
    /// Its entry in the transcript.
    var entry = 0

    init(_ frame: Frame, in buffer: Span<UInt8>, at time: Int64) {
        bytes = buffer.array(frame.line)
        terminator = frame.terminator?.bytes ?? []
        payload = frame.payload.map { buffer.array($0) }
        payloadIsBlock = frame.payloadIsBlock
        issue = frame.issue
        self.time = time
    }

    /// Whether the connection ended before the line did.
    var isUnterminated: Bool { issue == .unterminated }

    /// What it takes of a maximum.
    var byteCount: Int { bytes.count + (payload?.count ?? 0) }

    /// A buffer that holds line and payload, with the frame that points into it.
    var standalone: (buffer: [UInt8], frame: Frame) {
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
