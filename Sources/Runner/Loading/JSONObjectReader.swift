import Diagnostics
import LineProtocol

/// A parser for a JSON object whose members are strings, numbers, `true` or `false`. It records the
/// members' positions.
struct JSONObjectReader {
    /// A member of the object, with its position in the file.
    struct Member {
        var name: String
        var nameRange: SourceRange
        var value: [UInt8]
    }

    private let source: SourceText
    private let code: DiagnosticCode
    private let end: Int
    private var offset: Int

    /// - Parameter code: Code for diagnostics.
    init(_ source: SourceText, _ range: SourceRange, code: DiagnosticCode) {
        self.source = source
        self.code = code
        end = range.end
        offset = range.start
    }

    /// Returns the members in order. Throws an error if a name occurs twice.
    mutating func members() throws(Diagnosed) -> [Member] {
        var members: [Member] = []
        try expect("{", "an object `{…}`")
        skipSpaces()
        if !skip("}") {
            repeat {
                let member = try member()
                if let first = members.first(where: { $0.name == member.name }) {
                    throw duplicate(member, first)
                }
                members.append(member)
                skipSpaces()
            } while skip(",")
            try expect("}", "`,` or `}`")
        }
        skipSpaces()
        guard offset == end else { throw unexpected("nothing after the object") }
        return members
    }

    private mutating func member() throws(Diagnosed) -> Member {
        skipSpaces()
        let start = offset
        guard peek == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
        let name = String(decoding: try string(), as: UTF8.self)
        let range = SourceRange(start: start, end: offset)
        try expect(":", "`:`")
        skipSpaces()
        return Member(name: name, nameRange: range, value: try value(of: name))
    }

    private mutating func value(of name: String) throws(Diagnosed) -> [UInt8] {
        let start = offset
        if peek == UInt8(ascii: "\"") { return try string() }
        while let byte = peek, byte.isWordPart { offset += 1 }
        let word = source.bytes(in: SourceRange(start: start, end: offset))
        let text = String(decoding: word, as: UTF8.self)
        if text == "true" || text == "false" || text.wholeMatch(of: Self.number) != nil {
            return Array(word)
        }
        offset = start
        guard text != "null" else {
            throw error(
                "`\(escapedForDisplay(name))` has no value",
                SourceRange(start: start, end: start + 4),
                help: "write \"\" for an empty string")
        }
        let isNested = peek == UInt8(ascii: "{") || peek == UInt8(ascii: "[")
        throw unexpected(
            "a string, a number, true or false as the value of `\(escapedForDisplay(name))`",
            help: isNested ? "values cannot be nested: write a separate member for each" : nil)
    }

    /// A number as defined by RFC 8259.
    private static var number: Regex<Substring> {
        /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/
    }

    // MARK: Strings

    private mutating func string() throws(Diagnosed) -> [UInt8] {
        let start = offset
        offset += 1
        var value: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else {
                throw unexpected("a closing quote", help: "write a line feed as \\n")
            }
            offset += 1
            if byte == UInt8(ascii: "\\") {
                try appendEscape(to: &value)
            } else {
                value.append(byte)
            }
        }
        guard skip("\"") else {
            throw error(
                "expected a closing quote", SourceRange(start: start, end: start + 1),
                help: "close the string with `\"` on the same line")
        }
        return value
    }

    private mutating func appendEscape(to value: inout [UInt8]) throws(Diagnosed) {
        let start = offset - 1
        let letter = peek ?? 0
        offset += 1
        if let byte = Self.escapes[letter] {
            value.append(byte)
        } else if letter == UInt8(ascii: "u"), let scalar = scalar() {
            value += Array(String(Character(scalar)).utf8)
        } else {
            throw error(
                "invalid escape", SourceRange(start: start, end: min(offset, end)),
                help: "escapes are \\n, \\r, \\t, \\b, \\f, \\\", \\\\, \\/ and \\uXXXX")
        }
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9, UInt8(ascii: "b"): 8,
        UInt8(ascii: "f"): 12, UInt8(ascii: "\""): UInt8(ascii: "\""),
        UInt8(ascii: "\\"): UInt8(ascii: "\\"), UInt8(ascii: "/"): UInt8(ascii: "/"),
    ]

    /// Parses the digits of `\uXXXX`, and of a second escape if the first is half of a surrogate
    /// pair. Returns nil if they are invalid.
    private mutating func scalar() -> Unicode.Scalar? {
        guard let first = unit() else { return nil }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
        guard skip("\\"), skip("u"), let second = unit(), (0xDC00..<0xE000).contains(second) else {
            return nil
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func unit() -> UInt32? {
        let digits = source.bytes(in: SourceRange(start: offset, end: min(offset + 4, end)))
        offset += digits.count
        guard digits.count == 4, digits.allSatisfy({ ASCII.hexValue($0) != nil }) else {
            return nil
        }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    // MARK: Characters and errors

    private var peek: UInt8? { offset < end ? source.bytes[offset] : nil }

    private mutating func skipSpaces() {
        while let byte = peek, " \t\r\n".utf8.contains(byte) { offset += 1 }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(
        _ character: Unicode.Scalar, _ what: String
    ) throws(Diagnosed) {
        skipSpaces()
        guard skip(character) else { throw unexpected(what) }
    }

    private func unexpected(_ what: String, help: String? = nil) -> Diagnosed {
        let found =
            peek.map { "`\(escapedForDisplay([$0]))`" } ?? "the end"
        return error(
            "expected \(what), found \(found)", SourceRange(start: offset, end: offset + 1),
            help: help ?? "an object looks like {\"name\": \"text\", \"other\": 7}")
    }

    private func duplicate(_ member: Member, _ first: Member) -> Diagnosed {
        let found = error(
            "`\(escapedForDisplay(member.name))` occurs twice", member.nameRange,
            help: "keep one of them")
        let earlier = DiagnosticLocation(
            source: source, range: first.nameRange, label: "first defined here")
        return Diagnosed(found.diagnostics.map { $0.related(earlier) })
    }

    private func error(_ message: String, _ range: SourceRange, help: String) -> Diagnosed {
        Diagnosed(
            Diagnostic(
                .error, code, message, at: DiagnosticLocation(source: source, range: range)
            ).help(help))
    }
}

extension UInt8 {
    /// True for characters that occur in numbers and in the words `true`, `false` and `null`.
    fileprivate var isWordPart: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= self
            || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= self | 0x20 || "+-.".utf8.contains(self)
    }
}
