import Diagnostics
import LineProtocol

/// An argument in compact form: `secret list of int by comma? = 1,2 in tag ids`.
///
/// The parts must be in this order: `secret` (optional, with the condition `if ARGUMENT has TEXT`,
/// `to ARGUMENT`, `sasl` or `services`), the type with `?` (optional argument) or `...` (variadic),
/// `=` and the default, then `in` and the position.
struct ArgumentWords {
    /// A word of an argument declaration, with its byte range in the text.
    struct Word {
        var text: String
        var bytes: Range<Int>
    }

    private(set) var type: [Word] = []
    private(set) var isSecret = false
    /// The condition after `secret`; nil if there is none.
    private(set) var secretCondition: SecretCondition?
    private(set) var isOptional = false
    private(set) var isVariadic = false
    private(set) var defaultValue: Word?
    private(set) var position: [Word] = []

    init(_ text: String) {
        var part = Part.type
        var words = Self.words(text)[...]
        if words.first?.text == "secret" {
            isSecret = true
            words.removeFirst()
            secretCondition = Self.takeCondition(&words)
        }
        for word in words {
            switch (part, word.text) {
            case (.type, "="): part = .value
            case (.type, "in"), (.afterValue, "in"): part = .position
            case (.type, _): type.append(word)
            case (.value, _):
                defaultValue = word
                part = .afterValue
            case (.afterValue, _), (.position, _): position.append(word)
            }
        }
        hasNoDefault = part == .value
        isPositionMissing = part == .position && position.isEmpty
        strayWord = part == .afterValue ? position.first : nil
        takeSuffix()
    }

    /// True if nothing follows `=`.
    let hasNoDefault: Bool
    let isPositionMissing: Bool
    /// A word other than `in` after the default; nil if there is none.
    let strayWord: Word?

    private enum Part {
        case type, value, afterValue, position
    }

    /// The conditions that consist of one word.
    private static let conditions: [String: SecretCondition] = [
        "sasl": .isSASLData, "services": .isServicesMessage,
    ]

    /// Removes the condition `if ARGUMENT has TEXT`, `to ARGUMENT`, `sasl` or `services` from the
    /// start of `words` and returns it; nil if there is none.
    private static func takeCondition(_ words: inout ArraySlice<Word>) -> SecretCondition? {
        if let condition = words.first.flatMap({ conditions[$0.text] }) {
            words.removeFirst()
            return condition
        }
        let parts = words.prefix(4).map(\.text)
        if parts.count > 2, parts[0] == "to" {
            words = words.dropFirst(2)
            return .isForServices(argument: parts[1])
        }
        guard parts.count == 4, parts[0] == "if", parts[2] == "has" else { return nil }
        words = words.dropFirst(4)
        return .contains(Array(parts[3].utf8), argument: parts[1])
    }

    private mutating func takeSuffix() {
        guard var last = type.popLast() else { return }
        if last.text.hasSuffix("...") {
            isVariadic = true
            last.text.removeLast(3)
            last.bytes = last.bytes.lowerBound..<(last.bytes.upperBound - 3)
        } else if last.text.hasSuffix("?") {
            isOptional = true
            last.text.removeLast()
            last.bytes = last.bytes.lowerBound..<(last.bytes.upperBound - 1)
        }
        if !last.text.isEmpty { type.append(last) }
    }

    /// Splits the text at spaces. If a word starts with a double quote, it extends to the closing
    /// quote.
    private static func words(_ text: String) -> [Word] {
        let bytes = Array(text.utf8)
        var words: [Word] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == ASCII.space || bytes[at] == ASCII.lf {
                at += 1
                continue
            }
            let start = at
            if bytes[at] == ASCII.quote {
                at += 1
                while at < bytes.count, bytes[at] != ASCII.quote {
                    at += bytes[at] == ASCII.backslash ? 2 : 1
                }
                at = min(at + 1, bytes.count)
            } else {
                while at < bytes.count, bytes[at] != ASCII.space, bytes[at] != ASCII.lf { at += 1 }
            }
            let word = String(decoding: bytes[start..<at], as: UTF8.self)
            words.append(Word(text: word, bytes: start..<at))
        }
        return words
    }
}
