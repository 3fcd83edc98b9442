/// The transparency of dot-terminated blocks (RFC 5321 §4.5.2, RFC 3977 §3.1.1).
public enum DotStuffing {
    /// Appends `block` to `target` with a dot before each line that starts with one, ended by a line of a
    /// single dot. A block that does not end with a terminator gets one.
    ///
    /// - Parameter side: the side that sends the block; lines start after what its peer takes as the end of
    ///   one.
    public static func append(_ block: [UInt8], side: Framing.Side, to target: inout [UInt8]) {
        append(block, terminator: side.terminator, ends: LineEnds(side.accepted), to: &target)
    }

    static func append(
        _ block: [UInt8], terminator: Terminator, ends: LineEnds, to target: inout [UInt8]
    ) {
        let bytes = block.span
        var lineStart = 0
        for (place, byte) in block.enumerated() {
            if place == lineStart, byte == ASCII.dot { target.append(ASCII.dot) }
            target.append(byte)
            lineStart = startAfter(place, bytes, ends, lineStart: lineStart)
        }
        if lineStart < block.count { target.append(contentsOf: terminator.bytes) }
        target.append(ASCII.dot)
        target.append(contentsOf: terminator.bytes)
    }

    /// Appends the block in `range` to `target` without the dots that were put before its lines.
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
        for place in 0..<block.count {
            let byte = block[place]
            if place != lineStart || byte != ASCII.dot { target.append(byte) }
            lineStart = startAfter(place, block, ends, lineStart: lineStart)
        }
    }

    /// Where the line starts that the byte after `place` belongs to.
    private static func startAfter(
        _ place: Int, _ bytes: Span<UInt8>, _ ends: LineEnds, lineStart: Int
    ) -> Int {
        if ends.terminator(endingAt: place, bytes, lineStart: lineStart) != nil { return place + 1 }
        // The second half of a longer terminator whose first half ended the line before.
        if place == lineStart, place > 0, ends.halves.contains(bytes[place - 1]),
            ends.isPair(bytes[place - 1], bytes[place])
        {
            return place + 1
        }
        return lineStart
    }
}
