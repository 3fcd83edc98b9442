extension LineFramer {
    /// The next frame of a stream in which a length stands before each.
    mutating func nextPrefixed(_ prefix: Framing.LengthPrefix) -> Frame? {
        let width = prefix.boundedWidth
        guard heldBytes >= width else { return nil }
        var length = 0
        for place in 0..<width { length = length << 8 | Int(buffer[start + place]) }
        // A length that counts itself cannot be shorter than itself: such a frame is empty.
        if prefix.countsItself { length = max(0, length - width) }
        let lower = start + width
        guard length <= limits.payloadMax else {
            let frame = Frame(
                line: lower..<lower, whole: start..<lower, issue: .payloadOverLimit(length: length))
            take(frame)
            skipping = length
            return frame
        }
        guard buffer.count - lower >= length else { return nil }
        let whole = start..<(lower + length)
        var upper = whole.upperBound
        if prefix.dropsFinalNUL, upper > lower, buffer[upper - 1] == ASCII.nul { upper -= 1 }
        var frame = Frame(line: lower..<upper, whole: whole)
        if length > limits.lineMax {
            frame.issue = .lineOverLimit(excess: length - limits.lineMax)
            if enforcesLimits { frame.line = lower..<min(upper, lower + limits.lineMax) }
        }
        take(frame)
        return frame
    }

    /// The next STOMP frame: command and headers up to an empty line, then the body.
    mutating func nextHeaderFrame(_ lengthHeader: [UInt8]) -> Frame? {
        if pending != nil { return nextPayload() }
        skipHeartBeats()
        guard let head = endOfHead() else {
            // The start is kept, and the last two bytes, which may open the empty line.
            drop(from: start + limits.keptMax, keepingLast: 2)
            searched = max(0, heldBytes - 2)
            return nil
        }
        var line = start..<head.upper
        let issue = headIssue(of: &line)
        let length = bodyLength(lengthHeader, in: line)
        if let length, length > limits.payloadMax {
            let frame = Frame(
                line: line, whole: start..<head.body, issue: .payloadOverLimit(length: length))
            take(frame)
            // The NUL after the body too.
            skipping = length + 1
            return frame
        }
        dropped = 0
        pending = PendingPayload(
            line: (line.lowerBound - start)..<(line.upperBound - start), issue: issue,
            payload: head.body - start, end: length.map(PendingPayload.End.countedNUL) ?? .nul)
        return nextPayload()
    }

    /// Line ends between frames are heart-beats (STOMP 1.2, "Heart-beating").
    private mutating func skipHeartBeats() {
        while start < buffer.count, buffer[start] == ASCII.lf || buffer[start] == ASCII.cr {
            start += 1
            searched = 0
        }
    }

    /// Where the head ends and the body starts.
    private func endOfHead() -> (upper: Int, body: Int)? {
        var from = start + searched
        let bytes = buffer.span
        while let place = firstPlace(of: ASCII.lf, in: bytes, from..<buffer.count) {
            if place + 1 < buffer.count, bytes[place + 1] == ASCII.lf { return (place, place + 2) }
            if place + 2 < buffer.count, bytes[place + 1] == ASCII.cr, bytes[place + 2] == ASCII.lf
            {
                return (place, place + 3)
            }
            from = place + 1
        }
        return nil
    }

    /// What the head's length breaks, if anything; cuts it as a line is cut.
    private func headIssue(of head: inout Range<Int>) -> FrameIssue? {
        let length = head.count + dropped
        guard length > limits.lineMax else { return nil }
        let kept = min(head.count, enforcesLimits ? limits.lineMax : limits.keptMax)
        head = head.lowerBound..<(head.lowerBound + kept)
        return .lineOverLimit(excess: length - limits.lineMax)
    }

    private func bodyLength(_ header: [UInt8], in line: Range<Int>) -> Int? {
        let bytes = buffer.span
        var lower = line.lowerBound
        while lower < line.upperBound {
            let end =
                firstPlace(of: ASCII.lf, in: bytes, lower..<line.upperBound) ?? line.upperBound
            let name = lower..<min(lower + header.count, end)
            if bytes.matches(name, header, ignoringCase: false), name.upperBound < end,
                bytes[name.upperBound] == ASCII.colon
            {
                let upper = bytes[end - 1] == ASCII.cr ? end - 1 : end
                return decimalNumber(bytes, (name.upperBound + 1)..<upper)
            }
            lower = end + 1
        }
        return nil
    }

    /// A body whose length a header names.
    mutating func nextCountedBody(_ pending: PendingPayload, _ length: Int) -> Frame? {
        let body = start + pending.payload
        let end = body + length
        guard end < buffer.count else { return nil }
        let isTerminated = buffer[end] == ASCII.nul
        return takePayload(
            pending, body..<end, whole: isTerminated ? end + 1 : end,
            issue: pending.issue ?? (isTerminated ? nil : .payloadNotTerminated))
    }

    /// A body up to a NUL.
    mutating func nextBody(_ pending: PendingPayload) -> Frame? {
        let body = start + pending.payload
        let from = body + pending.searched
        if let end = firstPlace(of: ASCII.nul, in: buffer.span, from..<buffer.count) {
            return takeBounded(pending, body..<end, whole: end + 1)
        }
        drop(from: body + limits.payloadMax, keepingLast: 0)
        self.pending?.searched = buffer.count - body
        return nil
    }
}

extension Framing.LengthPrefix {
    /// The width in the bounds that a length in memory can have.
    var boundedWidth: Int { min(max(width, 1), 4) }
}
