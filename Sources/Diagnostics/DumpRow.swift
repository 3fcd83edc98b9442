/// A row of a dump, such as those of `od`, `hexdump`, `xxd` and debuggers.
struct DumpRow {
    /// Maximum number of digits of an offset, and of bytes before it.
    private static let (offsetDigits, indentationMax) = (4...16, 8)
    /// Number of numbers after which there may be a wide space.
    private static let groupCount = 8
    /// Maximum length of the name of a variable after an address, in bytes.
    private static let nameMax = 64

    /// The offset or address at the start of the row.
    let address: UInt64
    /// The numbers; all of the row if it has no column with text.
    let numbers: Range<Int>
    /// The column with text; all of the row if there is none.
    let text: Range<Int>

    init?(_ bytes: [UInt8], _ line: Range<Int>) {
        func skip(_ start: Int, _ countMax: Int, _ isSkipped: (UInt8) -> Bool) -> Int {
            bytes[start..<line.upperBound].prefix(countMax).prefix(while: isSkipped).endIndex
        }
        var start = skip(line.lowerBound, Self.indentationMax, Self.isSpace)
        if bytes[start..<line.upperBound].starts(with: [0x30, 0x78]) { start += 2 }
        var end = skip(start, Self.offsetDigits.upperBound) { ASCIIText.digit($0) != nil }
        guard Self.offsetDigits.contains(end - start) else { return nil }
        address = bytes[start..<end].reduce(0) { $0 << 4 | UInt64(ASCIIText.digit($1) ?? 0) }
        if bytes[end..<line.upperBound].starts(with: [0x20, 0x3C]) {
            end = skip(end, Self.nameMax) { $0 != UInt8(ascii: ">") } + 1
        }
        if end < line.upperBound, bytes[end] == UInt8(ascii: ":") { end += 1 }
        guard end < line.upperBound, Self.isSpace(bytes[end]) else { return nil }
        let rest = skip(end, line.count, Self.isSpace)..<line.upperBound
        if let column = Self.column(bytes, rest) {
            (numbers, text) = (rest.lowerBound..<column.end, column.text)
        } else {
            (numbers, text) = (rest, rest)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Returns the column with the text, which has a character for each byte of the numbers before it,
    /// and the end of those; nil if there is none.
    private static func column(
        _ bytes: [UInt8], _ row: Range<Int>
    ) -> (end: Int, text: Range<Int>)? {
        var (count, digits) = (0, 0)
        var offset = row.lowerBound
        while offset < row.upperBound {
            let number = bytes[offset..<row.upperBound].prefix { ASCIIText.digit($0) != nil }
            let next = bytes[number.endIndex..<row.upperBound].prefix(while: isSpace).endIndex
            guard !number.isEmpty, number.count.isMultiple(of: 2), next > number.endIndex else {
                return nil
            }
            (count, digits) = (count + 1, digits + number.count)
            if next - number.endIndex > 1 {
                let text = withoutMarks(bytes, next..<row.upperBound)
                if text.count == count || 2 * text.count == digits {
                    return (number.endIndex, text)
                }
                // A wide space may also separate two groups of eight numbers.
                if count != groupCount { return nil }
            }
            offset = next
        }
        return nil
    }

    /// Returns the text between bars or angle brackets; all of it if there are none.
    private static func withoutMarks(_ bytes: [UInt8], _ text: Range<Int>) -> Range<Int> {
        guard text.count > 1 else { return text }
        return switch (bytes[text.lowerBound], bytes[text.upperBound - 1]) {
        case (UInt8(ascii: "|"), UInt8(ascii: "|")), (UInt8(ascii: ">"), UInt8(ascii: "<")):
            text.lowerBound + 1..<text.upperBound - 1
        default: text
        }
    }
}
