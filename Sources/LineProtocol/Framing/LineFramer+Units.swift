extension LineFramer {
    mutating func nextPrefixed(_ prefix: Framing.LengthPrefix) -> Frame? {
        let width = prefix.boundedWidth
        guard heldBytes >= width else { return nil }
        var length = 0
        for offset in 0..<width { length = length << 8 | Int(buffer[start + offset]) }
        // The length includes the length field itself, so a value below `width` means an empty
        // frame.
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

    /// Returns the next STOMP frame (command and headers up to an empty line, then the body); nil
    /// if it is not complete.
    mutating func nextHeaderFrame(_ lengthHeader: [UInt8]) -> Frame? {
        if pending != nil { return nextPayload() }
        skipLineEnds()
        guard let head = endOfHead() else {
            // Keep the start of the head, and also its last two bytes, which may be part of the
            // empty line.
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
            // Also skip the NUL after the body.
            skipping = length + 1
            return frame
        }
        dropped = 0
        pending = PendingPayload(
            line: (line.lowerBound - start)..<(line.upperBound - start), issue: issue,
            payload: head.body - start, end: length.map(PendingPayload.End.countedNUL) ?? .nul)
        return nextPayload()
    }

    /// Skips line ends between frames. In STOMP, they serve as heartbeats (STOMP 1.2,
    /// "Heart-beating").
    mutating func skipLineEnds() {
        while start < buffer.count, buffer[start] == ASCII.lf || buffer[start] == ASCII.cr {
            start += 1
            searched = 0
        }
    }

    /// Returns the end of the head and the start of the body, or nil if more bytes are needed.
    private func endOfHead() -> (upper: Int, body: Int)? {
        var from = start + searched
        let bytes = buffer.span
        while let offset = firstOffset(of: ASCII.lf, in: bytes, from..<buffer.count) {
            if offset + 1 < buffer.count, bytes[offset + 1] == ASCII.lf {
                return (offset, offset + 2)
            }
            if offset + 2 < buffer.count, bytes[offset + 1] == ASCII.cr,
                bytes[offset + 2] == ASCII.lf
            {
                return (offset, offset + 3)
            }
            from = offset + 1
        }
        return nil
    }

    /// Returns an issue if the head exceeds a limit, otherwise nil. Truncates such a head like an
    /// overlong line.
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
                firstOffset(of: ASCII.lf, in: bytes, lower..<line.upperBound) ?? line.upperBound
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

    /// Returns the frame if its body, whose length is given by a header, is complete; otherwise
    /// nil.
    mutating func nextCountedBody(_ pending: PendingPayload, _ length: Int) -> Frame? {
        let body = start + pending.payload
        let end = body + length
        guard end < buffer.count else { return nil }
        let isTerminated = buffer[end] == ASCII.nul
        return takePayload(
            pending, body..<end, whole: isTerminated ? end + 1 : end,
            issue: pending.issue ?? (isTerminated ? nil : .payloadNotTerminated))
    }

    /// Returns the frame if the NUL that ends its body has arrived; otherwise nil.
    mutating func nextBody(_ pending: PendingPayload) -> Frame? {
        let body = start + pending.payload
        let from = body + pending.searched
        if let end = firstOffset(of: ASCII.nul, in: buffer.span, from..<buffer.count) {
            return takeBounded(pending, body..<end, whole: end + 1)
        }
        drop(from: body + limits.payloadMax, keepingLast: 0)
        self.pending?.searched = buffer.count - body
        return nil
    }
}

extension Framing.LengthPrefix {
    var boundedWidth: Int { min(max(width, 1), 4) }
}
