import Diagnostics
import LineProtocol

/// An argument as it is written: `secret list of int by comma? = 1,2 in tag ids`.
///
/// The order of the parts is fixed: perhaps `secret`, the type with `?` (optional) or `...` (all the rest), then `=` and
/// the default, then `in` and the place.
struct ArgumentWords {
    /// A word with its bytes' place in the text.
    struct Word {
        var text: String
        var bytes: Range<Int>
    }

    private(set) var type: [Word] = []
    private(set) var isSecret = false
    private(set) var isOptional = false
    private(set) var isVariadic = false
    private(set) var defaultValue: Word?
    private(set) var place: [Word] = []

    init(_ text: String) {
        var part = Part.type
        for word in Self.words(text) {
            switch (part, word.text) {
            case (.type, "="): part = .value
            case (.type, "in"), (.afterValue, "in"): part = .place
            case (.type, "secret") where type.isEmpty: isSecret = true
            case (.type, _): type.append(word)
            case (.value, _):
                defaultValue = word
                part = .afterValue
            case (.afterValue, _), (.place, _): place.append(word)
            }
        }
        hasNoDefault = part == .value
        isPlaceMissing = part == .place && place.isEmpty
        strayWord = part == .afterValue ? place.first : nil
        takeSuffix()
    }

    /// Whether nothing stands after `=`, or after `in`.
    let hasNoDefault: Bool
    let isPlaceMissing: Bool
    /// A word after the default that is not `in`.
    let strayWord: Word?

    private enum Part {
        case type, value, afterValue, place
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

    /// The words between blanks; one that starts with a double quote goes to the closing one.
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
