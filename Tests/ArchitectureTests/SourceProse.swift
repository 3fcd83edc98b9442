/// The sentences in a Swift file: its comments, and the string literals that contain a space.
struct SourceProse {
    /// The text of each comment or string literal, with its line. Interpolations are replaced by
    /// backticks.
    private(set) var lines: [(number: Int, line: String)] = []
    private let code: [UInt8]
    private var index = 0
    private var number = 1

    private static let newline = UInt8(ascii: "\n")
    private static let quote = UInt8(ascii: "\"")

    init(_ code: [UInt8]) {
        self.code = code
        while index < code.count {
            if follows("//") {
                addComment()
            } else if follows("#\"") {
                skip(past: "\"#")
            } else if follows("\"\"\"") {
                addLines()
            } else if code[index] == Self.quote {
                addText()
            } else {
                advance()
            }
        }
    }

    private mutating func advance() {
        if code[index] == Self.newline { number += 1 }
        index += 1
    }

    private func follows(_ text: String) -> Bool {
        code.count - index >= text.utf8.count
            && zip(text.utf8, index...).allSatisfy { code[$1] == $0 }
    }

    private mutating func skip(past end: String) {
        index += end.utf8.count
        while index < code.count, !follows(end) { advance() }
        index = min(index + end.utf8.count, code.count)
    }

    private mutating func add(_ text: [UInt8]) {
        let space = UInt8(ascii: " ")
        guard text.contains(space), text.contains(where: { $0 != space }) else { return }
        lines.append((number: number, line: String(decoding: text, as: UTF8.self)))
    }

    private mutating func addComment() {
        var text: [UInt8] = []
        while index < code.count, code[index] != Self.newline {
            text.append(code[index])
            index += 1
        }
        add(text)
    }

    /// Adds a literal of several lines.
    private mutating func addLines() {
        index += 3
        var text: [UInt8] = []
        while index < code.count, !follows("\"\"\"") {
            if code[index] == Self.newline {
                add(text)
                text = []
                advance()
            } else {
                append(to: &text)
            }
        }
        add(text)
        index = min(index + 3, code.count)
    }

    /// Adds a literal of one line.
    private mutating func addText() {
        index += 1
        var text: [UInt8] = []
        while index < code.count, code[index] != Self.quote, code[index] != Self.newline {
            append(to: &text)
        }
        add(text)
        index += 1
    }

    /// Appends a byte of a literal, an escape sequence, or a backtick for an interpolation.
    private mutating func append(to text: inout [UInt8]) {
        if follows("\\(") {
            skipInterpolation()
            text.append(UInt8(ascii: "`"))
        } else if code[index] == UInt8(ascii: "\\"), index + 1 < code.count {
            text.append(UInt8(ascii: " "))
            index += 1
            advance()
        } else {
            text.append(code[index])
            index += 1
        }
    }

    /// Skips an interpolation with its nested literals.
    private mutating func skipInterpolation() {
        var parentheses = 0
        index += 1
        repeat {
            switch code[index] {
            case UInt8(ascii: "("): parentheses += 1
            case UInt8(ascii: ")"): parentheses -= 1
            case Self.quote:
                index += 1
                while index < code.count, code[index] != Self.quote {
                    if follows("\\(") {
                        skipInterpolation()
                    } else {
                        if code[index] == UInt8(ascii: "\\") { index += 1 }
                        advance()
                    }
                }
            default: break
            }
            if index < code.count { advance() }
        } while index < code.count && parentheses > 0
    }
}
