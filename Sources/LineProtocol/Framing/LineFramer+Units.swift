extension LineFramer {
    /// The next frame of a stream in which a length stands before each.
    mutating func nextPrefixed(_ prefix: Framing.LengthPrefix) -> Frame? {
        guard heldBytes >= prefix.width else { return nil }
        var length = 0
        for place in 0..<prefix.width { length = length << 8 | Int(buffer[start + place]) }
        // A length that counts itself cannot be shorter than itself: such a frame is empty.
        if prefix.countsItself { length = max(0, length - prefix.width) }
        let lower = start + prefix.width
        guard length <= side.limits.payloadBytesMax else {
            let rest = start..<buffer.count
            let frame = Frame(
                line: lower..<lower, whole: rest, issue: .payloadOverLimit(length: length))
            take(frame)
            return frame
        }
        guard buffer.count - lower >= length else { return nil }
        let whole = start..<(lower + length)
        var upper = whole.upperBound
        if prefix.dropsFinalNUL, upper > lower, buffer[upper - 1] == ASCII.nul { upper -= 1 }
        let excess = length - side.limits.lineBytesMax
        let frame = Frame(
            line: lower..<upper, whole: whole,
            issue: excess > 0 ? .lineOverLimit(excess: excess) : nil)
        take(frame)
        return frame
    }

    /// The next STOMP frame: command and headers up to an empty line, then the body.
    mutating func nextHeaderFrame(_ lengthHeader: [UInt8]) -> Frame? {
        skipHeartBeats()
        guard let head = endOfHead() else {
            searched = max(0, heldBytes - 2)
            return headOverLimit()
        }
        let line = start..<head.upper
        if let length = bodyLength(lengthHeader, in: line) {
            guard length <= side.limits.payloadBytesMax else {
                return takeBody(
                    line, head.body..<head.body, whole: head.body,
                    issue: .payloadOverLimit(length: length))
            }
            let end = head.body + length
            guard end < buffer.count else { return nil }
            let terminated = buffer[end] == ASCII.nul
            return takeBody(
                line, head.body..<end, whole: terminated ? end + 1 : end,
                issue: terminated ? nil : .payloadNotTerminated)
        }
        guard let end = firstPlace(of: ASCII.nul, in: buffer.span, head.body..<buffer.count) else {
            guard buffer.count - head.body > side.limits.payloadBytesMax else { return nil }
            return takeBody(
                line, head.body..<buffer.count, whole: buffer.count,
                issue: .payloadOverLimit(length: buffer.count - head.body))
        }
        return takeBody(line, head.body..<end, whole: end + 1, issue: nil)
    }

    /// Line ends between frames are heart-beats (STOMP 1.2 §Heart-beating).
    private mutating func skipHeartBeats() {
        while searched == 0, start < buffer.count,
            buffer[start] == ASCII.lf || buffer[start] == ASCII.cr
        {
            start += 1
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

    private mutating func headOverLimit() -> Frame? {
        let excess = heldBytes - Self.observedLineBytesMax
        guard excess > 0 else { return nil }
        let held = start..<buffer.count
        let frame = Frame(line: held, whole: held, issue: .lineOverLimit(excess: excess))
        take(frame)
        return frame
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

    private mutating func takeBody(
        _ line: Range<Int>, _ body: Range<Int>, whole: Int, issue: FrameIssue?
    ) -> Frame {
        let frame = Frame(line: line, payload: body, whole: start..<whole, issue: issue)
        take(frame)
        return frame
    }
}
