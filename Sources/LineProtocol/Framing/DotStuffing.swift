/// The transparency of dot-terminated blocks (RFC 5321 §4.5.2, RFC 3977 §3.1.1).
public enum DotStuffing {
    /// Appends `block` to `target` with a dot before each line that starts with one, ended by a line of a
    /// single dot. A block that does not end with `terminator` gets one.
    public static func append(_ block: [UInt8], terminator: Terminator, to target: inout [UInt8]) {
        var lineStarts = true
        for byte in block {
            if lineStarts, byte == ASCII.dot { target.append(ASCII.dot) }
            target.append(byte)
            lineStarts = byte == terminator.last
        }
        if !block.isEmpty, !lineStarts { target.append(contentsOf: terminator.bytes) }
        target.append(ASCII.dot)
        target.append(contentsOf: terminator.bytes)
    }

    /// Appends the block in `range` to `target` without the dots that were put before its lines.
    public static func unstuff(
        _ bytes: Span<UInt8>, _ range: Range<Int>, terminator: Terminator,
        into target: inout [UInt8]
    ) {
        var lineStarts = true
        for place in range {
            let byte = bytes[place]
            if !(lineStarts && byte == ASCII.dot) { target.append(byte) }
            lineStarts = byte == terminator.last
        }
    }
}
