extension LineFramer {
    /// Returns the next line if it needs no special handling. Otherwise returns nil and changes
    /// nothing.
    @inline(__always)
    mutating func nextPlainLine() -> Frame? {
        guard let plain, dropped == 0, refused == 0 else { return nil }
        let (end, isPair) = unsafe buffer.withUnsafeBufferPointer {
            unsafe plain.end(in: $0, start, searchedFrom: start &+ searched)
        }
        guard end >= 0 else { return nil }
        let line = PlainLine(start: start, end: end, isPair: isPair)
        searched = 0
        start = end
        return plain.frame(line)
    }

    mutating func nextLine() -> Frame? {
        while true {
            if pending != nil { return nextPayload() }
            lead += completeHalfEnd(at: start)
            let lineStart = start + lead
            if let awaited {
                guard heldBytes > lead else { return nil }
                begin(awaited)
                continue
            }
            guard
                let end = ends.find(buffer.span, lineStart: lineStart, from: start + searched)
            else {
                // Keep the start of the line, and also its last byte, which may be the first half
                // of a terminator.
                drop(from: lineStart + limits.keptMax, keepingLast: 1)
                searched = heldBytes
                return nil
            }
            if let frame = frame(lineStart, endingAt: end) { return frame }
        }
    }

    /// Returns 1 if the byte at `offset` is the second half of the terminator that ended the
    /// previous line, otherwise 0.
    mutating func completeHalfEnd(at offset: Int) -> Int {
        guard let first = halfEnd, offset < buffer.count else { return 0 }
        halfEnd = nil
        return ends.isPair(first, buffer[offset]) ? 1 : 0
    }

    /// Returns the frame that ends at `end`. Returns nil if the line is empty and ignored, or if
    /// its payload must be read first.
    private mutating func frame(
        _ lineStart: Int, endingAt end: (offset: Int, terminator: Terminator)
    ) -> Frame? {
        var line = lineStart..<(end.offset + 1 - end.terminator.count)
        let whole = start..<(end.offset + 1)
        halfEnd = ends.half(end.terminator)
        let issue = limitIssue(of: &line, terminatorCount: end.terminator.count)
        let frame = Frame(line: line, whole: whole, terminator: end.terminator, issue: issue)
        if line.isEmpty, issue == nil, skipsEmptyLines {
            take(frame)
            return nil
        }
        let answered = conditions?.takeAnswer() ?? 0
        if !rules.isEmpty, let rule = rule(for: line, answered: answered) {
            return begin(rule, after: frame)
        }
        if let continuationMarker, continuationMarker.starts(line, buffer.span) {
            begin(.answer, after: frame)
            return nil
        }
        take(frame)
        return frame
    }

    /// Returns an issue if the line exceeds a limit, otherwise nil. Cuts the line to the length
    /// that the framer keeps; if the framer enforces limits, that is the limit itself.
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

    /// Returns the length of the tags, including the marker before them and the separator after
    /// them; 0 if there are no tags or if they count as part of the line.
    private func tagSectionCount(of line: Range<Int>, length: Int) -> Int {
        guard limits.tagMax > 0, let tags = verbs.syntax.tags, let first = line.first,
            buffer[first] == tags.marker
        else { return 0 }
        // If the kept part has no separator, the whole line consists of tags.
        let end = line.first { verbs.separators.contains(buffer[$0]) }
        return end.map { $0 + 1 - line.lowerBound } ?? length
    }
}
