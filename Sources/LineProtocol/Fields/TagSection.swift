/// Functions for the tags at the start of a line (IRCv3 message tags).
public enum TagSection {
    /// The ranges of a tag's key and value. The range of the value is empty if the tag has no
    /// value.
    public typealias Tag = (key: Range<Int>, value: Range<Int>)

    /// Returns the ranges of all tags in `range`.
    public static func tags(
        _ bytes: Span<UInt8>, _ range: Range<Int>, _ syntax: FieldSyntax.TagSyntax
    ) -> [Tag] {
        var result: [Tag] = []
        var rest = range
        while let tag = next(bytes, &rest, syntax) { result.append(tag) }
        return result
    }

    /// Removes the first tag from `rest` and returns it; nil if there is none.
    private static func next(
        _ bytes: Span<UInt8>, _ rest: inout Range<Int>, _ syntax: FieldSyntax.TagSyntax
    ) -> Tag? {
        while !rest.isEmpty {
            let lower = rest.lowerBound
            let end = firstOffset(of: syntax.separator, in: bytes, rest) ?? rest.upperBound
            rest = min(end + 1, rest.upperBound)..<rest.upperBound
            guard end > lower else { continue }
            let assignment = firstOffset(of: syntax.assignment, in: bytes, lower..<end)
            return (lower..<(assignment ?? end), (assignment.map { $0 + 1 } ?? end)..<end)
        }
        return nil
    }

    /// Returns the range of the value, still escaped, of the last tag with this key; nil if there
    /// is none.
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
