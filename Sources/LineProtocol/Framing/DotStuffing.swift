/// Dot-stuffing of dot-terminated blocks (RFC 5321 §4.5.2, RFC 3977 §3.1.1).
public enum DotStuffing {
    /// Appends `block` to `target` in dot-stuffed form: adds a dot to each line that starts with a
    /// dot, and ends the block with a line that contains a single dot. If the block does not end
    /// with a terminator, one is added. `side` holds the rules for the direction in which the block
    /// is sent; any terminator that the receiver accepts ends a line.
    public static func append(_ block: [UInt8], side: Framing.Side, to target: inout [UInt8]) {
        append(block, terminator: side.terminator, ends: LineEnds(side.accepted), to: &target)
    }

    static func append(
        _ block: [UInt8], terminator: Terminator, ends: LineEnds, to target: inout [UInt8]
    ) {
        let bytes = block.span
        var lineStart = 0
        for (offset, byte) in block.enumerated() {
            if offset == lineStart, byte == ASCII.dot { target.append(ASCII.dot) }
            target.append(byte)
            lineStart = startAfter(offset, bytes, ends, lineStart: lineStart)
        }
        if lineStart < block.count { target.append(contentsOf: terminator.bytes) }
        target.append(ASCII.dot)
        target.append(contentsOf: terminator.bytes)
    }

    /// Appends the block in `range` to `target` without the extra dots.
    public static func unstuff(
        _ bytes: Span<UInt8>, _ range: Range<Int>, side: Framing.Side, into target: inout [UInt8]
    ) {
        unstuff(bytes, range, ends: LineEnds(side.accepted), into: &target)
    }

    static func unstuff(
        _ bytes: Span<UInt8>, _ range: Range<Int>, ends: LineEnds, into target: inout [UInt8]
    ) {
        let block = bytes.extracting(range)
        var lineStart = 0
        for offset in 0..<block.count {
            let byte = block[offset]
            if offset != lineStart || byte != ASCII.dot { target.append(byte) }
            lineStart = startAfter(offset, block, ends, lineStart: lineStart)
        }
    }

    /// Returns the start of the line that contains the byte after `offset`.
    private static func startAfter(
        _ offset: Int, _ bytes: Span<UInt8>, _ ends: LineEnds, lineStart: Int
    ) -> Int {
        if ends.terminator(endingAt: offset, bytes, lineStart: lineStart) != nil {
            return offset + 1
        }
        // This byte is the second one of a longer terminator whose first byte ended the previous
        // line.
        if offset == lineStart, offset > 0, ends.halves.contains(bytes[offset - 1]),
            ends.isPair(bytes[offset - 1], bytes[offset])
        {
            return offset + 1
        }
        return lineStart
    }
}
