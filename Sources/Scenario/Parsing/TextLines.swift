import Diagnostics

/// The lines of a scenario's text, and where they stand in the file that is shown to people.
struct TextLines {
    /// A line without its end.
    struct Line {
        /// Offset of its first byte in the text.
        var start: Int
        /// Offset after its last byte in the text.
        var end: Int
        /// What is to be added to an offset in the text for one in the source.
        var shift: Int
    }

    /// The text.
    let bytes: [UInt8]
    /// Its lines; a last line without bytes is left out.
    let lines: [Line]

    /// The lines of a whole file; a byte order mark is passed over.
    init(_ source: SourceText) {
        bytes = source.bytes
        let mark = source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        lines = Self.split(bytes, from: mark) { _, _ in 0 }
    }

    /// The lines of a text that stands inside a file.
    init(_ text: [UInt8], in source: SourceText, line: Int, column: Int) {
        bytes = text
        lines = Self.split(text, from: 0) { index, start in
            source.offset(line: line + index, byteColumn: column) - start
        }
    }

    private static func split(
        _ bytes: [UInt8], from start: Int, shift: (_ index: Int, _ start: Int) -> Int
    ) -> [Line] {
        var lines: [Line] = []
        var start = start
        while start < bytes.count {
            let next = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            var end = next
            if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            lines.append(Line(start: start, end: end, shift: shift(lines.count, start)))
            start = next + 1
        }
        return lines
    }

    /// Why this cannot be a scenario at all: too large, or not text.
    func refusal(in source: SourceText) -> Diagnostic? {
        guard bytes.count <= ScenarioLimits.fileBytesMax, !source.isTruncated else {
            let most = ScenarioLimits.fileBytesMax
            return Diagnostic(
                .error, .tooLarge, "the file is larger than a scenario may be (\(most) bytes)",
                at: DiagnosticLocation(source: source, range: SourceRange(start: 0, end: 0)))
        }
        guard let (offset, found) = firstBinaryByte() else { return nil }
        let shift = lines.last { $0.start <= offset }?.shift ?? 0
        let range = SourceRange(start: offset + shift, end: offset + shift + 1)
        return Diagnostic(
            .error, .notText, "this is not a scenario (binary file?)",
            at: DiagnosticLocation(source: source, range: range, label: found)
        ).help("a scenario is plain UTF-8 text; bytes that are not are written \"\\xHH\"")
    }

    private func firstBinaryByte() -> (Int, String)? {
        if let offset = bytes.firstIndex(of: 0) { return (offset, "a NUL byte") }
        if bytes.allSatisfy({ $0 < 0x80 }) { return nil }
        var first: Int?
        forEachScalar(in: bytes) { range, scalar in
            if scalar == nil, first == nil { first = range.lowerBound }
        }
        return first.map { ($0, "not UTF-8") }
    }
}
