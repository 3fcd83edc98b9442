extension LineFramer {
    /// The next line, if nothing about it is out of the ordinary; else nil, and nothing has changed.
    @inline(__always)
    mutating func nextPlainLine() -> Frame? {
        guard isPlain, dropped == 0, refused == 0 else { return nil }
        let frame = unsafe buffer.withUnsafeBufferPointer {
            unsafe plainLine(in: $0, start, searchedFrom: start &+ searched)
        }
        guard let frame else { return nil }
        searched = 0
        start = frame.whole.upperBound
        return frame
    }

    /// The line that starts at `start` of bytes that were not appended, if nothing about it is out of the
    /// ordinary; its places are those in `bytes`. Else nil: what is left is to be appended.
    ///
    /// Who has whole lines at hand is spared copying them. Only for a framer that is at rest
    /// (``isAtRest``), which it stays.
    public func plainLine(in bytes: Span<UInt8>, from start: Int) -> Frame? {
        guard isPlain, telnet == nil else { return nil }
        return unsafe bytes.withUnsafeBufferPointer {
            unsafe plainLine(in: $0, start, searchedFrom: start)
        }
    }

    @inline(__always)
    private func plainLine(
        in bytes: UnsafeBufferPointer<UInt8>, _ start: Int, searchedFrom from: Int
    ) -> Frame? {
        guard let base = bytes.baseAddress else { return nil }
        let place = unsafe firstPlace(of: ends.plainStop, base, from, bytes.count)
        let isPair = unsafe place > start && Int(base[place &- 1]) == ends.plainPairFirst
        let upper = isPair ? place &- 1 : place
        guard place < bytes.count, upper > start, isPair || ends.plainStopIsEnough,
            place &- start < limits.unremarkableMax
        else { return nil }
        return Frame(
            plain: start, upper, place &+ 1, terminator: isPair ? ends.plainPair : ends.plainSingle)
    }

    mutating func nextLine() -> Frame? {
        while true {
            if pending != nil { return nextPayload() }
            lead += completeHalfEnd(at: start)
            let lineStart = start + lead
            guard
                let end = ends.find(buffer.span, lineStart: lineStart, from: start + searched)
            else {
                // The start is kept, and the last byte, which may be half a terminator.
                drop(from: lineStart + limits.keptMax, keepingLast: 1)
                searched = heldBytes
                return nil
            }
            if let frame = frame(lineStart, endingAt: end) { return frame }
        }
    }

    /// 1 if the byte at `place` is the other half of the terminator whose first half ended the line before,
    /// so that it is no part of what follows; else 0.
    mutating func completeHalfEnd(at place: Int) -> Int {
        guard let first = halfEnd, place < buffer.count else { return 0 }
        halfEnd = nil
        return ends.isPair(first, buffer[place]) ? 1 : 0
    }

    /// Makes the frame that ends at `end`, or nil if it is an empty line to be passed over or its
    /// payload is to come.
    private mutating func frame(
        _ lineStart: Int, endingAt end: (place: Int, terminator: Terminator)
    ) -> Frame? {
        var line = lineStart..<(end.place + 1 - end.terminator.count)
        let whole = start..<(end.place + 1)
        halfEnd = ends.half(end.terminator)
        let issue = limitIssue(of: &line, terminatorCount: end.terminator.count)
        let frame = Frame(line: line, whole: whole, terminator: end.terminator, issue: issue)
        if line.isEmpty, issue == nil, passesOverEmptyLines {
            take(frame)
            return nil
        }
        if !rules.isEmpty, let rule = rule(for: line) { return begin(rule, after: frame) }
        take(frame)
        return frame
    }

    /// What the line's length breaks, if anything. A line that is longer than what is kept is cut, and
    /// an enforcing framer cuts it to its maximum.
    func limitIssue(of line: inout Range<Int>, terminatorCount: Int) -> FrameIssue? {
        let length = line.count + dropped
        let counted = limits.countsTerminator ? terminatorCount : 0
        guard length + counted > limits.unremarkableMax else { return nil }
        line = line.lowerBound..<(line.lowerBound + min(line.count, limits.keptMax))
        let tags = tagSectionCount(of: line, length: length)
        if tags > limits.tagMax { return .tagsOverLimit(excess: tags - limits.tagMax) }
        let excess = length - tags + counted - limits.lineMax
        guard excess > 0 else { return nil }
        if enforcesLimits {
            let kept = min(line.count, tags + max(0, limits.lineMax - counted))
            line = line.lowerBound..<(line.lowerBound + kept)
        }
        return .lineOverLimit(excess: excess)
    }

    /// The bytes of the tag section with its marker and the separator after it; 0 without one, or where it
    /// counts as part of the line.
    private func tagSectionCount(of line: Range<Int>, length: Int) -> Int {
        guard limits.tagMax > 0, let tags = syntax.tags, let first = line.first,
            buffer[first] == tags.marker
        else { return 0 }
        // Without a separator in what is kept, the whole line is tags.
        let end = line.first { separators.contains(buffer[$0]) }
        return end.map { $0 + 1 - line.lowerBound } ?? length
    }
}
