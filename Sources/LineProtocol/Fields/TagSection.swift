/// The tags before a line (IRCv3 message tags).
public enum TagSection {
    /// The places of key and value of each tag in `range`; a tag without a value has an empty one.
    public static func tags(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ syntax: FieldSyntax.TagSyntax
    ) -> [(key: Range<Int>, value: Range<Int>)] {
        var result: [(key: Range<Int>, value: Range<Int>)] = []
        var lower = range.lowerBound
        while lower < range.upperBound {
            let end =
                firstPlace(of: syntax.separator, in: bytes, lower..<range.upperBound)
                ?? range.upperBound
            if end > lower {
                let assignment = firstPlace(of: syntax.assignment, in: bytes, lower..<end)
                result.append(
                    (lower..<(assignment ?? end), (assignment.map { $0 + 1 } ?? end)..<end))
            }
            lower = end + 1
        }
        return result
    }

    /// The place of the value of the last tag with this key, still escaped.
    static func value(
        of key: [UInt8], _ bytes: Span<UInt8>, _ range: Range<Int>, _ syntax: FieldSyntax.TagSyntax
    ) -> Range<Int>? {
        var result: Range<Int>?
        for tag in tags(bytes, range, syntax)
        where bytes.matches(tag.key, key, ignoringCase: false) {
            result = tag.value
        }
        return result
    }
}
