import LineProtocol

/// A line and its payload, copied from the stream so that faults can change them.
struct EditableLine {
    var line: [UInt8]
    var payload: [UInt8]?
    var terminator: Terminator?
    var issue: FrameIssue?
    var payloadIsBlock = false
    /// The bytes beyond the line limit.
    var tail: [UInt8] = []

    init(line: [UInt8]) { self.line = line }

    /// Copies a frame from the buffer of a framer that does not enforce limits, and truncates the
    /// line as an enforcing framer would.
    init(_ frame: Frame, _ buffer: [UInt8]) {
        line = Array(buffer[frame.line])
        payload = frame.payload.map { Array(buffer[$0]) }
        terminator = frame.terminator
        issue = frame.issue
        payloadIsBlock = frame.payloadIsBlock
        if case .lineOverLimit(let excess) = frame.issue {
            let kept = max(0, line.count - excess)
            tail = Array(line[kept...])
            line.removeSubrange(kept...)
        }
    }

    /// The line as a frame, with a separate buffer.
    var framed: (buffer: [UInt8], frame: Frame) {
        let buffer = line + (payload ?? [])
        let frame = Frame(
            line: 0..<line.count, payload: payload == nil ? nil : line.count..<buffer.count,
            whole: 0..<buffer.count, terminator: terminator, issue: issue,
            payloadIsBlock: payloadIsBlock)
        return (buffer, frame)
    }
}
