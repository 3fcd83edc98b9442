extension LineFramer {
    /// The rule of the command at the line's start.
    func rule(for line: Range<Int>) -> Rule? {
        let bytes = buffer.span
        var end = line.lowerBound
        while end < line.upperBound, !syntax.separators.contains(bytes[end]) { end += 1 }
        let ignoringCase = syntax.verbCase == .insensitive
        return rules.first {
            bytes.matches(line.lowerBound..<end, $0.verb, ignoringCase: ignoringCase)
        }
    }

    /// Begins to read what `rule` says follows the line. Returns true if the frame is complete as it is,
    /// with an issue, because no payload can be read.
    mutating func begin(_ rule: Rule, after frame: inout Frame) -> Bool {
        var length: Int?
        if let field = rule.length {
            guard let value = payloadLength(field, of: frame.line) else {
                frame.issue = .payloadLengthInvalid
                return true
            }
            guard value <= side.limits.payloadBytesMax else {
                frame.issue = .payloadOverLimit(length: value)
                return true
            }
            length = value
        }
        pending = PendingPayload(
            line: (frame.line.lowerBound - start)..<(frame.line.upperBound - start),
            terminator: frame.terminator, issue: frame.issue,
            payload: frame.whole.upperBound - start, length: length, terminated: rule.terminated,
            searched: 0)
        return false
    }

    /// The number in the field that counts the payload, or nil if there is none.
    private func payloadLength(_ field: Framing.LengthField, of line: Range<Int>) -> Int? {
        var fields = line
        switch field {
        case .last:
            fields = lastField(of: line)
        case .at(let index):
            guard let range = self.field(index + 1, of: line) else { return nil }
            fields = range
        }
        guard !fields.isEmpty, fields.lowerBound > line.lowerBound else { return nil }
        return decimalNumber(buffer.span, fields)
    }

    private func lastField(of line: Range<Int>) -> Range<Int> {
        var upper = line.upperBound
        while upper > line.lowerBound, syntax.separators.contains(buffer[upper - 1]) { upper -= 1 }
        var lower = upper
        while lower > line.lowerBound, !syntax.separators.contains(buffer[lower - 1]) { lower -= 1 }
        return lower..<upper
    }

    /// The field at `index`, where 0 is the command.
    private func field(_ index: Int, of line: Range<Int>) -> Range<Int>? {
        var place = line.lowerBound
        var seen = 0
        while place < line.upperBound {
            let lower = place
            while place < line.upperBound, !syntax.separators.contains(buffer[place]) { place += 1 }
            if seen == index { return lower..<place }
            seen += 1
            place += 1
            if syntax.separatorRuns {
                while place < line.upperBound, syntax.separators.contains(buffer[place]) {
                    place += 1
                }
            }
        }
        return nil
    }

    mutating func nextPayload() -> Frame? {
        guard let pending else { return nil }
        return pending.length == nil ? nextBlock(pending) : nextCounted(pending)
    }

    private mutating func nextCounted(_ pending: PendingPayload) -> Frame? {
        let payload = start + pending.payload
        guard let length = pending.length, buffer.count - payload >= length else { return nil }
        let end = payload + length
        var issue = pending.issue
        var whole = end
        if pending.terminated {
            guard let terminated = terminatorCount(at: end) else { return nil }
            if terminated == 0 { issue = issue ?? .payloadNotTerminated }
            whole += terminated
        }
        passOver = nil
        return takePayload(pending, payload..<end, whole: whole, issue: issue)
    }

    /// The bytes of the accepted terminator at `place`: 0 if there is none, nil if it cannot be told yet.
    private func terminatorCount(at place: Int) -> Int? {
        guard place < buffer.count else { return nil }
        let byte = buffer[place]
        if side.accepted.contains(where: { $0.first == nil && $0.last == byte }) { return 1 }
        let longer = side.accepted.filter { $0.first == byte }
        guard !longer.isEmpty else { return 0 }
        guard place + 1 < buffer.count else { return nil }
        return longer.contains { $0.last == buffer[place + 1] } ? 2 : 0
    }

    /// Looks for the line of a single dot.
    private mutating func nextBlock(_ pending: PendingPayload) -> Frame? {
        let payload = start + pending.payload
        var lineStart = payload + pending.searched
        while let place = firstPlace(
            of: side.terminator.last, in: buffer.span, lineStart..<buffer.count)
        {
            var upper = place
            if let first = side.terminator.first, upper > lineStart, buffer[upper - 1] == first {
                upper -= 1
            }
            if upper - lineStart == 1, buffer[lineStart] == ASCII.dot {
                return takePayload(
                    pending, payload..<lineStart, whole: place + 1, issue: pending.issue)
            }
            lineStart = place + 1
        }
        self.pending?.searched = lineStart - payload
        if buffer.count - payload > side.limits.payloadBytesMax {
            let issue = FrameIssue.payloadOverLimit(length: buffer.count - payload)
            return takePayload(pending, payload..<buffer.count, whole: buffer.count, issue: issue)
        }
        return nil
    }

    private mutating func takePayload(
        _ pending: PendingPayload, _ payload: Range<Int>, whole: Int, issue: FrameIssue?
    ) -> Frame {
        let line = (start + pending.line.lowerBound)..<(start + pending.line.upperBound)
        let frame = Frame(
            line: line, payload: payload, whole: start..<whole, terminator: pending.terminator,
            issue: issue, payloadIsBlock: pending.length == nil)
        take(frame)
        return frame
    }
}

/// The value of the decimal digits in `range`; nil if there is another byte, none, or too many.
func decimalNumber(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    guard !range.isEmpty, range.count <= 18 else { return nil }
    var value = 0
    for place in range {
        let digit = bytes[place] &- ASCII.zero
        guard digit < 10 else { return nil }
        value = value * 10 + Int(digit)
    }
    return value
}
