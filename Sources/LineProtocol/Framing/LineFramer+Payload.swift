extension LineFramer {
    /// Returns the rule for the payload of a line; nil if it has none. `answered` is the set of
    /// conditional rules that the request allows.
    func rule(for line: Range<Int>, answered: UInt64) -> Rule? {
        let bytes = buffer.span
        let verb = verbs.verb(of: line, in: bytes)
        let ignoringCase = verbs.syntax.ignoresVerbCase
        return rules.first {
            ($0.condition.map { $0 & answered != 0 } ?? true)
                && bytes.matches(verb, $0.verb, ignoringCase: ignoringCase)
        }
    }

    /// Starts reading the payload that `rule` requires. Returns the frame with an issue if the
    /// payload cannot be read, otherwise nil.
    mutating func begin(_ rule: Rule, after line: Frame) -> Frame? {
        var frame = line
        var end = PendingPayload.End.dotLine
        if case .counted(let field, let terminated) = rule.follower {
            guard let length = payloadLength(field, of: frame.line) else {
                frame.issue = frame.issue ?? .payloadLengthInvalid
                take(frame)
                return frame
            }
            guard length <= limits.payloadMax else {
                frame.issue = .payloadOverLimit(length: length)
                take(frame)
                skipping = length
                return frame
            }
            end = .counted(length, terminated: terminated)
        }
        begin(end, after: frame)
        return nil
    }

    /// Starts reading a payload after the line of `frame`.
    mutating func begin(_ end: PendingPayload.End, after frame: Frame) {
        dropped = 0
        pending = PendingPayload(
            line: (frame.line.lowerBound - start)..<(frame.line.upperBound - start),
            terminator: frame.terminator, issue: frame.issue,
            payload: frame.whole.upperBound - start, end: end)
    }

    /// Returns the payload's size as given in the line, or nil if it is invalid.
    private func payloadLength(_ field: Framing.LengthField, of line: Range<Int>) -> Int? {
        let rest = verbs.verb(of: line, in: buffer.span).upperBound..<line.upperBound
        switch field {
        case .last:
            var upper = rest.upperBound
            while upper > rest.lowerBound, verbs.separators.contains(buffer[upper - 1]) {
                upper -= 1
            }
            var lower = upper
            while lower > rest.lowerBound, !verbs.separators.contains(buffer[lower - 1]) {
                lower -= 1
            }
            return decimalNumber(buffer.span, lower..<upper)
        case .at(let index):
            return verbs.field(index, of: rest, in: buffer.span)
                .flatMap { decimalNumber(buffer.span, $0) }
        }
    }

    mutating func nextPayload() -> Frame? {
        guard let pending else { return nil }
        return switch pending.end {
        case .counted(let length, let terminated):
            nextCounted(pending, length, terminated: terminated)
        case .countedNUL(let length): nextCountedBody(pending, length)
        case .dotLine, .line, .answer: nextBlock(pending)
        case .nul: nextBody(pending)
        }
    }

    private mutating func nextCounted(
        _ pending: PendingPayload, _ length: Int, terminated: Bool
    ) -> Frame? {
        var payload = start + pending.payload
        // If nothing follows the line, the second half of its terminator may not have arrived yet.
        if length > 0 || terminated {
            payload += completeHalfEnd(at: payload)
            self.pending?.payload = payload - start
        }
        let end = payload + length
        guard buffer.count >= end else { return nil }
        var issue = pending.issue
        var whole = end
        if terminated {
            guard let terminator = terminator(at: end) else { return nil }
            if let terminator {
                halfEnd = ends.half(terminator)
                whole += terminator.count
            } else {
                issue = issue ?? .payloadNotTerminated
            }
        }
        return takePayload(pending, payload..<end, whole: whole, issue: issue)
    }

    /// Returns the accepted terminator at `offset`; `.some(nil)` if the bytes there are not a
    /// terminator. Returns nil if more bytes are needed to decide.
    private func terminator(at offset: Int) -> Terminator?? {
        guard offset < buffer.count else { return nil }
        let byte = buffer[offset]
        if ends.single.contains(byte) { return .some(Terminator(byte)) }
        guard ends.pairs.contains(where: { $0.first == byte }) else { return .some(nil) }
        guard offset + 1 < buffer.count else { return nil }
        let next = buffer[offset + 1]
        return .some(ends.isPair(byte, next) ? Terminator(byte, next) : nil)
    }

    /// Returns the frame of a block, a line without a command or a multi-line answer if its last
    /// line has arrived (the line with a single dot, or the last line of the answer), otherwise nil.
    private mutating func nextBlock(_ pending: PendingPayload) -> Frame? {
        var payload = start + pending.payload
        var lineStart = payload + pending.lastLine
        var from = payload + pending.searched
        while true {
            // The second half of a longer terminator belongs to the previous line.
            let half = completeHalfEnd(at: lineStart)
            if lineStart == payload {
                payload += half
                self.pending?.payload += half
            }
            lineStart += half
            guard let end = ends.find(buffer.span, lineStart: lineStart, from: from) else { break }
            halfEnd = ends.half(end.terminator)
            let upper = end.offset + 1 - end.terminator.count
            if pending.end == .line {
                return takeBounded(pending, payload..<upper, whole: end.offset + 1)
            }
            if pending.end == .answer {
                let first = start + pending.line.lowerBound
                if continuationMarker?.ends(lineStart..<upper, first, buffer.span) ?? true {
                    return takeBounded(pending, payload..<upper, whole: end.offset + 1)
                }
            } else if upper - lineStart == 1, buffer[lineStart] == ASCII.dot {
                return takeBounded(pending, payload..<lineStart, whole: end.offset + 1)
            }
            from = end.offset + 1
            lineStart = from
        }
        boundBlock(payload, lineStart)
        return nil
    }

    /// Limits how many bytes of an unfinished block are buffered.
    private mutating func boundBlock(_ payload: Int, _ line: Int) {
        let keptEnd = payload + limits.payloadMax
        var lineStart = line
        if lineStart > keptEnd {
            dropped += lineStart - keptEnd
            buffer.removeSubrange(keptEnd..<lineStart)
            lineStart = keptEnd
        }
        // These bytes of the last line are enough to show whether it ends the payload.
        let lineMax = max(2, (continuationMarker?.codeBytes ?? 0) + 1)
        drop(from: max(keptEnd, lineStart + lineMax), keepingLast: 1)
        pending?.lastLine = lineStart - payload
        pending?.searched = buffer.count - payload
    }

    /// Returns the frame with a payload whose size was not given in advance. Truncates the payload
    /// to the limit.
    mutating func takeBounded(
        _ pending: PendingPayload, _ payload: Range<Int>, whole: Int
    ) -> Frame {
        let length = payload.count + dropped
        guard length > limits.payloadMax else {
            return takePayload(pending, payload, whole: whole, issue: pending.issue)
        }
        return takePayload(
            pending, payload.lowerBound..<(payload.lowerBound + limits.payloadMax), whole: whole,
            issue: .payloadOverLimit(length: length))
    }

    mutating func takePayload(
        _ pending: PendingPayload, _ payload: Range<Int>, whole: Int, issue: FrameIssue?
    ) -> Frame {
        let line = (start + pending.line.lowerBound)..<(start + pending.line.upperBound)
        let frame = Frame(
            line: line, payload: payload, whole: start..<whole, terminator: pending.terminator,
            issue: issue, payloadIsBlock: pending.end == .dotLine)
        take(frame)
        return frame
    }
}

/// Returns the value of the decimal digits in `range`; nil if it is empty, has more than 18 digits
/// or contains other bytes.
func decimalNumber(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    guard !range.isEmpty, range.count <= 18 else { return nil }
    var value = 0
    for offset in range {
        let digit = bytes[offset] &- ASCII.zero
        guard digit < 10 else { return nil }
        value = value * 10 + Int(digit)
    }
    return value
}
