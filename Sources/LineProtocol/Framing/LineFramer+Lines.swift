extension LineFramer {
    mutating func nextLine() -> Frame? {
        while true {
            if pending != nil { return nextPayload() }
            passOverRest()
            guard let end = endOfLine() else {
                boundUnfinishedLine()
                return nil
            }
            if let frame = frame(endingAt: end) { return frame }
        }
    }

    /// Skips the byte that would have completed a longer terminator of the line before.
    private mutating func passOverRest() {
        guard let byte = passOver, start < buffer.count else { return }
        if buffer[start] == byte, searched == 0 { searched = 1 }
    }

    /// The bytes at the line's start that belong to the terminator of the line before.
    private var lead: Int {
        guard let byte = passOver, start < buffer.count, buffer[start] == byte else { return 0 }
        return 1
    }

    /// The place of the byte at which the line is complete, with the terminator.
    private mutating func endOfLine() -> (place: Int, terminator: Terminator)? {
        var from = start + searched
        while let place = nextStop(from: from) {
            if let terminator = terminator(endingAt: place) { return (place, terminator) }
            from = place + 1
        }
        searched = buffer.count - start
        return nil
    }

    private func nextStop(from: Int) -> Int? {
        if let stop { return firstPlace(of: stop, in: buffer.span, from..<buffer.count) }
        var place = from
        while place < buffer.count {
            if stops.contains(buffer[place]) { return place }
            place += 1
        }
        return nil
    }

    /// The accepted terminator that is complete with the byte at `place`: of two, the longer one.
    private func terminator(endingAt place: Int) -> Terminator? {
        let byte = buffer[place]
        var result: Terminator?
        for candidate in side.accepted where candidate.last == byte {
            guard let first = candidate.first else {
                if result == nil { result = candidate }
                continue
            }
            if place > start + lead, buffer[place - 1] == first { result = candidate }
        }
        return result
    }

    /// Makes the frame that ends at `end`, or nil if it is an empty line to be passed over or its
    /// payload is to come.
    private mutating func frame(endingAt end: (place: Int, terminator: Terminator)) -> Frame? {
        let upper = end.place + 1 - end.terminator.count
        var line = (start + lead)..<upper
        let whole = start..<(end.place + 1)
        rememberLongerTerminator(startingWith: end.terminator)
        if line.isEmpty, dropped == 0, !emptyLinesAreMessages {
            start = whole.upperBound
            searched = 0
            return nil
        }
        let issue = limitIssue(of: &line, terminator: end.terminator)
        var frame = Frame(line: line, whole: whole, terminator: end.terminator, issue: issue)
        if !rules.isEmpty, let rule = rule(for: line) {
            guard begin(rule, after: &frame) else { return nil }
        }
        take(frame)
        return frame
    }

    /// Sets which byte is passed over at the next line's start: the one that with this terminator
    /// would have made a longer accepted one.
    private mutating func rememberLongerTerminator(startingWith terminator: Terminator) {
        passOver =
            side.accepted.first { $0.first == terminator.last && terminator.first == nil }?.last
    }

    /// What the line's length breaks, if anything; an enforcing framer also cuts the line.
    private func limitIssue(of line: inout Range<Int>, terminator: Terminator?) -> FrameIssue? {
        let limits = side.limits
        let counted = limits.countsTerminator ? (terminator ?? side.terminator).count : 0
        guard line.count + counted + dropped > limits.lineBytesMax else { return nil }
        let tags = tagSectionCount(of: line)
        if limits.tagBytesMax > 0, tags > limits.tagBytesMax {
            return .tagsOverLimit(excess: tags - limits.tagBytesMax)
        }
        let excess = line.count + dropped - tags + counted - limits.lineBytesMax
        guard excess > 0 else { return nil }
        if enforcesLimits {
            let kept = min(line.count, tags + max(0, limits.lineBytesMax - counted))
            line = line.lowerBound..<(line.lowerBound + kept)
        }
        return .lineOverLimit(excess: excess)
    }

    /// The bytes of the tag section with its marker and the separator after it; 0 without one.
    private func tagSectionCount(of line: Range<Int>) -> Int {
        guard let tags = syntax.tags, let first = line.first, buffer[first] == tags.marker else {
            return 0
        }
        let end = firstPlace(of: syntax.separators[0], in: buffer.span, line)
        return (end.map { $0 + 1 } ?? line.upperBound) - line.lowerBound
    }

    /// Keeps what is held of a line without an end under the maximum: the start and the last byte,
    /// which may be half a terminator, are kept.
    private mutating func boundUnfinishedLine() {
        let limits = side.limits
        let keptMax =
            enforcesLimits
            ? max(limits.lineBytesMax + limits.tagBytesMax, 2) : Self.observedLineBytesMax
        // Dropping is worth it only now and then; in between at most as much again is held.
        guard heldBytes > 2 * keptMax else { return }
        let excess = (start + keptMax)..<(buffer.count - 1)
        dropped += excess.count
        buffer.removeSubrange(excess)
        searched = buffer.count - start
    }
}
