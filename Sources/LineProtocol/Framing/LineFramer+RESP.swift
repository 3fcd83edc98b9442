extension LineFramer {
    /// Returns the next RESP value or inline command; nil if it is not complete.
    mutating func nextRESP() -> Frame? {
        var scan: RESPScan
        if let resp {
            scan = resp
        } else {
            skipLineEnds()
            guard start < buffer.count else { return nil }
            // Any other byte starts an inline command, which is a line.
            guard RESPScan.isType(buffer[start]) else { return nextLine() }
            scan = RESPScan()
        }
        while true {
            let progress = scan.advance(buffer.span, from: start)
            resp = scan
            switch progress {
            case .end(let end): return takeRESP(end, issue: nil)
            case .invalid(let end): return takeRESP(end, issue: .payloadLengthInvalid)
            case .more(let end):
                guard dropped + (end ?? heldBytes) > limits.payloadMax else { return nil }
                let goesOn = dropElements(&scan, endingAt: end)
                resp = scan
                if !goesOn { return nil }
            }
        }
    }

    /// Bytes kept per line of a value that exceeds the limit. More than any valid number has, so that
    /// a line that is invalid because of its length stays invalid.
    private static let lineBytesKept = 32

    /// Drops the buffered bytes of a value that exceeds the limit. Returns true if the search for
    /// its end can continue without more bytes.
    private mutating func dropElements(_ scan: inout RESPScan, endingAt end: Int?) -> Bool {
        guard let end else {
            dropped += scan.offset
            buffer.removeSubrange(start..<(start + scan.offset))
            scan.forgetElements()
            drop(from: start + Self.lineBytesKept, keepingLast: 1)
            return false
        }
        dropped += end
        scan.forgetElements()
        scan.skipElement()
        let held = min(end, heldBytes)
        buffer.removeSubrange(start..<(start + held))
        skipping = end - held
        return skipping == 0
    }

    private mutating func takeRESP(_ end: Int, issue: FrameIssue?) -> Frame {
        var upper = end
        if upper > start, buffer[upper - 1] == ASCII.lf { upper -= 1 }
        if upper > start, buffer[upper - 1] == ASCII.cr { upper -= 1 }
        let length = dropped + end - start
        var frame = Frame(
            line: start..<upper, whole: start..<end, terminator: .crlf, issue: issue)
        if length > limits.payloadMax {
            frame.line = start..<start
            frame.issue = .payloadOverLimit(length: length)
        }
        take(frame)
        return frame
    }
}
