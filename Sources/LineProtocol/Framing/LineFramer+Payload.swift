extension LineFramer {
    /// The rule of the line's command.
    func rule(for line: Range<Int>) -> Rule? {
        let bytes = buffer.span
        let verb = verb(of: line)
        let ignoringCase = syntax.verbCase == .insensitive
        return rules.first { bytes.matches(verb, $0.verb, ignoringCase: ignoringCase) }
    }

    /// The command as ``LineSplitter`` finds it: after tags and source, and after separators where
    /// several are one.
    private func verb(of line: Range<Int>) -> Range<Int> {
        var lower = line.lowerBound
        if let tags = syntax.tags, lower < line.upperBound, buffer[lower] == tags.marker {
            lower = endOfSeparators(endOfField(lower, line), line)
        }
        if let marker = syntax.sourceMarker, lower < line.upperBound, buffer[lower] == marker {
            lower = endOfSeparators(endOfField(lower, line), line)
        }
        if syntax.separatorRuns { lower = endOfSeparators(lower, line) }
        return lower..<endOfField(lower, line)
    }

    private func endOfField(_ from: Int, _ line: Range<Int>) -> Int {
        var place = from
        while place < line.upperBound, !separators.contains(buffer[place]) { place += 1 }
        return place
    }

    private func endOfSeparators(_ from: Int, _ line: Range<Int>) -> Int {
        var place = from
        while place < line.upperBound, separators.contains(buffer[place]) { place += 1 }
        return place
    }

    /// Begins to read what `rule` says follows the line. Returns the frame if it is complete as it is,
    /// with an issue, because no payload can be read.
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
        dropped = 0
        pending = PendingPayload(
            line: (frame.line.lowerBound - start)..<(frame.line.upperBound - start),
            terminator: frame.terminator, issue: frame.issue,
            payload: frame.whole.upperBound - start, end: end)
        return nil
    }

    /// The number in the field that counts the payload, or nil if there is none.
    private func payloadLength(_ field: Framing.LengthField, of line: Range<Int>) -> Int? {
        let verb = verb(of: line)
        let rest = verb.upperBound..<line.upperBound
        switch field {
        case .last:
            var upper = rest.upperBound
            while upper > rest.lowerBound, separators.contains(buffer[upper - 1]) { upper -= 1 }
            var lower = upper
            while lower > rest.lowerBound, !separators.contains(buffer[lower - 1]) { lower -= 1 }
            return decimalNumber(buffer.span, lower..<upper)
        case .at(let index):
            return self.field(index, of: rest).flatMap { decimalNumber(buffer.span, $0) }
        }
    }

    /// The field at `index` of what follows the command.
    private func field(_ index: Int, of rest: Range<Int>) -> Range<Int>? {
        var place = rest.lowerBound
        var seen = 0
        while place < rest.upperBound {
            place = syntax.separatorRuns ? endOfSeparators(place, rest) : place + 1
            let upper = endOfField(place, rest)
            if seen == index { return place..<upper }
            seen += 1
            place = upper
        }
        return nil
    }

    mutating func nextPayload() -> Frame? {
        guard let pending else { return nil }
        return switch pending.end {
        case .counted(let length, let terminated):
            nextCounted(pending, length, terminated: terminated)
        case .countedNUL(let length): nextCountedBody(pending, length)
        case .dotLine: nextBlock(pending)
        case .nul: nextBody(pending)
        }
    }

    private mutating func nextCounted(
        _ pending: PendingPayload, _ length: Int, terminated: Bool
    ) -> Frame? {
        var payload = start + pending.payload
        // Of an empty payload nothing follows that could tell whether the line's terminator is complete.
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

    /// The accepted terminator at `place`, if there is one; nil if that cannot be told yet.
    private func terminator(at place: Int) -> Terminator?? {
        guard place < buffer.count else { return nil }
        let byte = buffer[place]
        if ends.single.contains(byte) { return .some(Terminator(byte)) }
        guard ends.pairs.contains(where: { $0.first == byte }) else { return .some(nil) }
        guard place + 1 < buffer.count else { return nil }
        let next = buffer[place + 1]
        return .some(ends.isPair(byte, next) ? Terminator(byte, next) : nil)
    }

    /// Looks for the line of a single dot.
    private mutating func nextBlock(_ pending: PendingPayload) -> Frame? {
        var payload = start + pending.payload
        var lineStart = payload + pending.lastLine
        var from = payload + pending.searched
        while true {
            // The other half of a longer terminator belongs to the line that ended.
            let half = completeHalfEnd(at: lineStart)
            if lineStart == payload {
                payload += half
                self.pending?.payload += half
            }
            lineStart += half
            guard let end = ends.find(buffer.span, lineStart: lineStart, from: from) else { break }
            halfEnd = ends.half(end.terminator)
            let upper = end.place + 1 - end.terminator.count
            if upper - lineStart == 1, buffer[lineStart] == ASCII.dot {
                return takeBounded(pending, payload..<lineStart, whole: end.place + 1)
            }
            from = end.place + 1
            lineStart = from
        }
        boundBlock(payload, lineStart)
        return nil
    }

    /// Keeps what is held of a block without an end under the maximum.
    private mutating func boundBlock(_ payload: Int, _ line: Int) {
        let keptEnd = payload + limits.payloadMax
        var lineStart = line
        if lineStart > keptEnd {
            dropped += lineStart - keptEnd
            buffer.removeSubrange(keptEnd..<lineStart)
            lineStart = keptEnd
        }
        // Two bytes at its start show that the line is not the single dot.
        drop(from: max(keptEnd, lineStart + 2), keepingLast: 1)
        pending?.lastLine = lineStart - payload
        pending?.searched = buffer.count - payload
    }

    /// The frame of a payload without a count, cut to the maximum.
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
