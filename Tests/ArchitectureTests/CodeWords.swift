/// The identifiers in a file's code, without those in comments and string literals.
struct CodeWords {
    struct Word {
        var text: String
        var line: Int
        /// The number of enclosing braces.
        var depth: Int
        /// True if a dot precedes the identifier.
        var isMember: Bool
    }

    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")

    /// The number of open braces.
    private(set) var depth = 0
    /// The line of the last brace that closed a declaration at file level.
    private(set) var closingLine = 0
    private let code: [UInt8]
    /// Offset of the byte after the last word.
    private(set) var index = 0
    private var line = 1

    init(_ code: [UInt8]) { self.code = code }

    mutating func next() -> Word? {
        while index < code.count {
            switch code[index] {
            case Self.newline:
                line += 1
                index += 1
            case UInt8(ascii: "{"):
                depth += 1
                index += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { closingLine = line }
                index += 1
            case UInt8(ascii: "/") where follows("//"):
                while index < code.count, code[index] != Self.newline { index += 1 }
            case UInt8(ascii: "/") where follows("/*"): skip(past: "*/")
            case UInt8(ascii: "#") where follows("#\""): skip(past: "\"#")
            case Self.quote: skipText()
            case let byte where Self.isNameByte(byte): return word()
            default: index += 1
            }
        }
        return nil
    }

    private mutating func word() -> Word {
        let start = index
        while index < code.count, Self.isNameByte(code[index]) { index += 1 }
        return Word(
            text: String(decoding: code[start..<index], as: UTF8.self), line: line, depth: depth,
            isMember: start > 0 && code[start - 1] == UInt8(ascii: "."))
    }

    /// Skips a string literal including its interpolations.
    private mutating func skipText() {
        if follows("\"\"\"") {
            index += 3
            return skip(past: "\"\"\"")
        }
        index += 1
        while index < code.count, code[index] != Self.quote, code[index] != Self.newline {
            if follows("\\(") {
                skipInterpolation()
            } else {
                index += code[index] == UInt8(ascii: "\\") ? 2 : 1
            }
        }
        index += 1
    }

    private mutating func skipInterpolation() {
        var parentheses = 0
        repeat {
            switch code[index] {
            case UInt8(ascii: "("): parentheses += 1
            case UInt8(ascii: ")"): parentheses -= 1
            case Self.quote:
                skipText()
                continue
            default: break
            }
            index += 1
        } while index < code.count && (parentheses > 0 || code[index - 1] == UInt8(ascii: "\\"))
    }

    private mutating func skip(past end: String) {
        while index < code.count, !follows(end) {
            if code[index] == Self.newline { line += 1 }
            index += 1
        }
        index += end.utf8.count
    }

    /// Returns whether a string literal starts here.
    private func follows(_ text: String) -> Bool {
        code.count - index >= text.utf8.count
            && zip(text.utf8, index...).allSatisfy { code[$1] == $0 }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), 0x80...: true
        default: false
        }
    }
}
