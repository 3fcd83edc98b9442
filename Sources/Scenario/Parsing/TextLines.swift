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
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return refusal(
                0, in: source, "the file is UTF-16, and a scenario is UTF-8", "says UTF-16",
                help: "save it as UTF-8")
        }
        if let offset = bytes.firstIndex(of: 0) {
            return refusal(
                offset, in: source, "this is not a scenario (binary file?)", "a NUL byte",
                help: "a scenario is plain UTF-8 text; other bytes are written \"\\xHH\"")
        }
        guard let offset = firstByteOfNoScalar else { return nil }
        let digits = String(bytes[offset], radix: 16, uppercase: true)
        return refusal(
            offset, in: source, "byte 0x\(digits) is not UTF-8", "part of no character",
            help: "save the file as UTF-8; a byte that goes over the wire as it is is written "
                + "{{\"\\x\(digits)\"}}")
    }

    private func refusal(
        _ offset: Int, in source: SourceText, _ message: String, _ label: String, help: String
    ) -> Diagnostic {
        let shift = lines.last { $0.start <= offset }?.shift ?? 0
        let range = SourceRange(start: offset + shift, end: offset + shift + 1)
        return Diagnostic(
            .error, .notText, message,
            at: DiagnosticLocation(source: source, range: range, label: label)
        ).help(help)
    }

    /// The first byte that is not UTF-8.
    private var firstByteOfNoScalar: Int? {
        if bytes.allSatisfy({ $0 < 0x80 }) { return nil }
        var first: Int?
        forEachScalar(in: bytes) { range, scalar in
            if scalar == nil, first == nil { first = range.lowerBound }
        }
        return first
    }
}
