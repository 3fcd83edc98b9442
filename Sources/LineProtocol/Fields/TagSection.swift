/// The tags before a line (IRCv3 message tags).
public enum TagSection {
    /// The places of a tag's key and value; a tag without a value has an empty one.
    public typealias Tag = (key: Range<Int>, value: Range<Int>)

    /// The places of key and value of each tag in `range`.
    public static func tags(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ syntax: FieldSyntax.TagSyntax
    ) -> [Tag] {
        var result: [Tag] = []
        var rest = range
        while let tag = next(bytes, &rest, syntax) { result.append(tag) }
        return result
    }

    /// Takes the first tag off `rest`.
    private static func next(
        _ bytes: Span<UInt8>, _ rest: inout Range<Int>, _ syntax: FieldSyntax.TagSyntax
    ) -> Tag? {
        while !rest.isEmpty {
            let lower = rest.lowerBound
            let end = firstPlace(of: syntax.separator, in: bytes, rest) ?? rest.upperBound
            rest = min(end + 1, rest.upperBound)..<rest.upperBound
            guard end > lower else { continue }
            let assignment = firstPlace(of: syntax.assignment, in: bytes, lower..<end)
            return (lower..<(assignment ?? end), (assignment.map { $0 + 1 } ?? end)..<end)
        }
        return nil
    }

    /// The place of the value of the last tag with this key, still escaped.
    static func value(
        of key: [UInt8], _ bytes: Span<UInt8>, _ range: Range<Int>, _ syntax: FieldSyntax.TagSyntax
    ) -> Range<Int>? {
        var result: Range<Int>?
        var rest = range
        while let tag = next(bytes, &rest, syntax) {
            if bytes.matches(tag.key, key, ignoringCase: false) { result = tag.value }
        }
        return result
    }
}
