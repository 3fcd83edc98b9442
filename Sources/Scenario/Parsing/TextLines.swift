import Diagnostics

/// The lines of a scenario and their positions in the source file.
struct TextLines {
    /// A line of a scenario file, without its terminator.
    struct Line {
        /// Offset of the first byte in the text.
        var start: Int
        /// Offset in the text just after the last byte.
        var end: Int
        /// Value to add to an offset in the text to get the offset in the source.
        var shift: Int
    }

    let bytes: [UInt8]
    /// The lines of the text, except an empty last line.
    let lines: [Line]

    /// Splits a whole file, skipping a byte order mark.
    init(_ source: SourceText) {
        bytes = source.bytes
        let mark = source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        lines = Self.split(bytes, from: mark) { _, _ in 0 }
    }

    /// Splits text embedded in a file.
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

    /// Returns an error if the text is too large or is not valid UTF-8; otherwise nil.
    func refusal(in source: SourceText) -> Diagnostic? {
        guard bytes.count <= ScenarioLimits.fileBytesMax, !source.isTruncated else {
            let most = ScenarioLimits.fileBytesMax
            return Diagnostic(
                .error, .tooLarge, "the file is larger than the maximum of \(most) bytes",
                at: DiagnosticLocation(source: source, range: SourceRange(start: 0, end: 0)))
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return refusal(
                0, in: source, "the file is UTF-16, expected UTF-8", "UTF-16 byte order mark",
                help: "save it as UTF-8")
        }
        if let offset = bytes.firstIndex(of: 0) {
            return refusal(
                offset, in: source, "not a scenario: the file is binary", "a NUL byte",
                help: "a scenario is plain UTF-8 text; other bytes are written \"\\xHH\"")
        }
        guard let offset = firstInvalidByte else { return nil }
        let digits = String(bytes[offset], radix: 16, uppercase: true)
        return refusal(
            offset, in: source, "byte 0x\(digits) is not UTF-8", "invalid byte",
            help: "save the file as UTF-8; to send the byte itself, write "
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

    /// Offset of the first byte that is not valid UTF-8; nil if all bytes are.
    private var firstInvalidByte: Int? {
        if bytes.allSatisfy({ $0 < 0x80 }) { return nil }
        var first: Int?
        forEachScalar(in: bytes) { range, scalar in
            if scalar == nil, first == nil { first = range.lowerBound }
        }
        return first
    }
}
