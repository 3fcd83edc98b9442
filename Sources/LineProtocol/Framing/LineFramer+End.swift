extension LineFramer {
    /// Returns the unfinished frame at the end of the stream: an unterminated line, or a line with
    /// an incomplete payload. Returns nil if nothing remains. Call this method after `next()` has
    /// returned nil.
    public mutating func finish() -> Frame? {
        guard heldBytes > lead, skipping == 0 else { return nil }
        let frame = pending.map(unfinishedPayload) ?? unfinishedLine()
        take(frame)
        halfEnd = nil
        return frame
    }

    private func unfinishedLine() -> Frame {
        var line = (start + lead)..<buffer.count
        switch unit {
        case .line:
            _ = limitIssue(of: &line, terminatorCount: 0)
        case .lengthPrefix(let prefix):
            line = min(start + prefix.boundedWidth, buffer.count)..<buffer.count
            if enforcesLimits {
                line = line.lowerBound..<(line.lowerBound + min(line.count, limits.lineMax))
            }
        case .headerFrame, .resp:
            let kept = min(line.count, enforcesLimits ? limits.lineMax : limits.keptMax)
            line = line.lowerBound..<(line.lowerBound + kept)
        }
        return Frame(line: line, whole: start..<buffer.count, issue: .unterminated)
    }

    private func unfinishedPayload(_ pending: PendingPayload) -> Frame {
        let lower = start + pending.payload
        var upper = buffer.count
        switch pending.end {
        case .counted(let length, _), .countedNUL(let length): upper = min(upper, lower + length)
        case .dotLine, .line, .nul, .answer: upper = min(upper, lower + limits.payloadMax)
        }
        return Frame(
            line: (start + pending.line.lowerBound)..<(start + pending.line.upperBound),
            payload: lower..<upper, whole: start..<buffer.count, terminator: pending.terminator,
            issue: .unterminated, payloadIsBlock: pending.end == .dotLine)
    }
}
