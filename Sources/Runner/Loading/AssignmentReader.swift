import Diagnostics

/// A parser for a line of an `.env` file: `NAME=value`, optionally with a leading `export`, quotes,
/// or a comment.
///
/// An unquoted value ends before a `#` that follows a space. Single quotes make everything literal.
/// In double quotes, the escapes are `\n`, `\r`, `\t`, `\"`, `\\` and `\$`. `$NAME` is not
/// expanded.
struct AssignmentReader {
    /// A variable assignment in an `.env` file.
    struct Assignment {
        var name: String
        /// Position of the name in the file.
        var range: SourceRange
        var value: [UInt8]
    }

    private let source: SourceText
    private let end: Int
    private var offset: Int

    init(_ source: SourceText, line: Int) {
        self.source = source
        let range = source.range(ofLine: line)
        end = range.end
        let hasMark = line == 1 && source.bytes.starts(with: [0xEF, 0xBB, 0xBF])
        offset = range.start + (hasMark ? 3 : 0)
    }

    /// Parses the line. Returns nil if it is empty or a comment.
    mutating func assignment() throws(Diagnosed) -> Assignment? {
        skipSpaces()
        if offset == end || peek == UInt8(ascii: "#") { return nil }
        var name = word()
        if text(name) == "export", peek?.isSpace == true {
            skipSpaces()
            name = word()
        }
        skipSpaces()
        guard peek == UInt8(ascii: "=") else {
            let range = name.count > 0 ? name : SourceRange(start: offset, end: offset + 1)
            throw Diagnosed(
                Diagnostic(
                    .error, .badVariable, "expected `=` after the name",
                    at: DiagnosticLocation(source: source, range: range)
                ).help("write NAME=value; a comment starts with `#`"))
        }
        guard RunVariables.isName(text(name)) else {
            let range = name.count > 0 ? name : SourceRange(start: offset, end: offset + 1)
            throw VariablesFile.badName(DiagnosticLocation(source: source, range: range))
        }
        offset += 1
        skipSpaces()
        return Assignment(name: text(name), range: name, value: try value())
    }

    // MARK: Values

    private mutating func value() throws(Diagnosed) -> [UInt8] {
        switch peek {
        case UInt8(ascii: "'"): return try quoted(UInt8(ascii: "'"))
        case UInt8(ascii: "\""): return try quoted(UInt8(ascii: "\""))
        default: return plain()
        }
    }

    /// Parses an unquoted value, which ends at a comment or the end of the line, and drops trailing
    /// spaces.
    private mutating func plain() -> [UInt8] {
        let start = offset
        var last = offset
        while let byte = peek {
            if byte == UInt8(ascii: "#"), source.bytes[offset - 1].isSpace { break }
            offset += 1
            if !byte.isSpace { last = offset }
        }
        return Array(source.bytes[start..<last])
    }

    private mutating func quoted(_ quote: UInt8) throws(Diagnosed) -> [UInt8] {
        let start = offset
        offset += 1
        var value: [UInt8] = []
        while let byte = peek, byte != quote {
            offset += 1
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), let next = peek {
                offset += 1
                value += Self.escapes[next].map { [$0] } ?? [byte, next]
            } else {
                value.append(byte)
            }
        }
        guard peek == quote else {
            throw error(
                "expected a closing quote", start,
                help: "a value cannot continue on the next line; write a line feed as \\n in \"…\"")
        }
        offset += 1
        let hasSpace = peek?.isSpace ?? true
        skipSpaces()
        guard offset == end || peek == UInt8(ascii: "#") && hasSpace else {
            throw error(
                "unexpected text after the closing quote", offset,
                help: "put the whole value in quotes")
        }
        return value
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): UInt8(ascii: "\n"), UInt8(ascii: "r"): UInt8(ascii: "\r"),
        UInt8(ascii: "t"): UInt8(ascii: "\t"), UInt8(ascii: "\""): UInt8(ascii: "\""),
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "$"): UInt8(ascii: "$"),
    ]

    // MARK: Characters

    private var peek: UInt8? { offset < end ? source.bytes[offset] : nil }

    private mutating func skipSpaces() {
        while peek?.isSpace == true { offset += 1 }
    }

    /// Returns the range of the text before the next space or `=`.
    private mutating func word() -> SourceRange {
        let start = offset
        while let byte = peek, !byte.isSpace, byte != UInt8(ascii: "=") { offset += 1 }
        return SourceRange(start: start, end: offset)
    }

    private func text(_ range: SourceRange) -> String {
        String(decoding: source.bytes(in: range), as: UTF8.self)
    }

    private func error(_ message: String, _ start: Int, help: String) -> Diagnosed {
        let range = SourceRange(start: start, end: start + 1)
        return Diagnosed(
            Diagnostic(
                .error, .badVariable, message,
                at: DiagnosticLocation(source: source, range: range)
            ).help(help))
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
