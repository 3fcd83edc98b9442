package import LineProtocol

/// A received line, with its original bytes.
package struct ReceivedLine: Sendable {
    /// The bytes without the terminator.
    package var bytes: [UInt8]
    package var terminator: [UInt8]
    package var payload: [UInt8]?
    package var payloadIsBlock: Bool
    package var issue: FrameIssue?
    /// Time when the last byte of the line was read, in nanoseconds on the session's clock.
    package var time: Int64
    /// True if the dialect classifies the line as unsolicited. Only steps that explicitly expect
    /// the line see it.
    package var isUnsolicited = false
    /// Number of the line's transcript entry.
    package var entry = 0

    package init(_ frame: Frame, in buffer: Span<UInt8>, at time: Int64) {
        bytes = buffer.array(frame.line)
        terminator = frame.terminator?.bytes ?? []
        payload = frame.payload.map { buffer.array($0) }
        payloadIsBlock = frame.payloadIsBlock
        issue = frame.issue
        self.time = time
    }

    /// Creates a line from bytes, for example from a recording.
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

    /// True if the connection ended before the line was complete.
    package var isUnterminated: Bool { issue == .unterminated }

    /// Number of bytes that count towards the session's limits.
    package var byteCount: Int { bytes.count + (payload?.count ?? 0) }

    /// A buffer that contains the line and its payload, and a frame whose ranges refer to it.
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
