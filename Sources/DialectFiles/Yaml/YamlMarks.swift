import Diagnostics

/// A converter from the YAML parser's line and column numbers to byte offsets.
///
/// The parser counts columns in Unicode scalars. Unlike most tools, it also counts a lone CR, NEL,
/// LS or PS as a line break.
struct YamlMarks {
    private let source: SourceText
    /// Offset of the start of each line. Lines are counted as the YAML parser counts them.
    private let lineStarts: [Int]

    init(_ source: SourceText) {
        self.source = source
        var starts = [0]
        let bytes = source.bytes
        var offset = 0
        while offset < bytes.count {
            // Fast path: most bytes are not part of a line break.
            if bytes[offset] > 0x0D, bytes[offset] < 0xC2 {
                offset += 1
                continue
            }
            let length = Self.breakLength(bytes, offset)
            offset += max(length, 1)
            if length > 0 { starts.append(offset) }
        }
        lineStarts = starts
    }

    /// Returns the length of the line break at `offset`; 0 if there is none.
    private static func breakLength(_ bytes: [UInt8], _ offset: Int) -> Int {
        func next(_ distance: Int) -> UInt8? {
            offset + distance < bytes.count ? bytes[offset + distance] : nil
        }
        switch bytes[offset] {
        case 0x0A: return 1
        case 0x0D: return next(1) == 0x0A ? 2 : 1
        case 0xC2: return next(1) == 0x85 ? 2 : 0
        case 0xE2: return next(1) == 0x80 && (next(2) == 0xA8 || next(2) == 0xA9) ? 3 : 0
        default: return 0
        }
    }

    func offset(of mark: YamlMark) -> Int {
        let bytes = source.bytes
        guard mark.line >= 1, mark.line <= lineStarts.count else { return bytes.count }
        var offset = lineStarts[mark.line - 1]
        var left = mark.column - 1
        while left > 0, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            left -= 1
        }
        return offset
    }

    /// Returns the range of a scalar that starts at `start`. `text` must be the text of that
    /// scalar.
    func rangeOfScalar(at start: Int, text: String, isPlain: Bool, isBlock: Bool) -> SourceRange {
        let bytes = source.bytes
        guard start < bytes.count, !isBlock else {
            return SourceRange(start: start, end: min(start + 1, bytes.count))
        }
        if isPlain {
            let end = start + text.utf8.count
            let written = source.bytes(in: SourceRange(start: start, end: end))
            if written.elementsEqual(text.utf8) { return SourceRange(start: start, end: end) }
            return SourceRange(start: start, end: endOfLine(from: start))
        }
        return SourceRange(start: start, end: endOfQuoted(from: start))
    }

    private func endOfLine(from start: Int) -> Int {
        max(start, source.range(ofLine: source.line(at: start)).end)
    }

    /// Returns the offset just after the closing quote.
    private func endOfQuoted(from start: Int) -> Int {
        let bytes = source.bytes
        let quote = bytes[start]
        let isDouble = quote == UInt8(ascii: "\"")
        guard isDouble || quote == UInt8(ascii: "'") else { return start + 1 }
        var offset = start + 1
        while offset < bytes.count {
            if isDouble, bytes[offset] == UInt8(ascii: "\\") {
                offset += 2
            } else if bytes[offset] == quote {
                let isDoubled =
                    !isDouble && offset + 1 < bytes.count && bytes[offset + 1] == quote
                if !isDoubled { return offset + 1 }
                offset += 2
            } else {
                offset += 1
            }
        }
        return bytes.count
    }
}
