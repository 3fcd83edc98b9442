package import Diagnostics
import LineProtocol

/// A value of a dialect file with its key, read as what it should be; if it is not, an error is told
/// and nil returned.
package struct Setting {
    /// The most bytes of a text.
    package static let textBytesMax = 16 << 10

    package var name: String
    let place: SettingPath
    package var key: SourceRange
    package var value: YamlValue
    package let problems: Problems

    /// Its keys from the file's top with dots between.
    package var path: String { place.text }

    private func wrongType(_ expected: String, help: String? = nil) {
        problems.error(
            .wrongType, "`\(path)` is \(expected), found \(value.description)", at: value.range,
            help: help)
    }

    /// A text. A word that YAML takes for something else has to stand in quotes.
    package func text(bytesMax: Int = textBytesMax) -> String? {
        guard case .scalar(let text, let style) = value.kind else {
            wrongType("a text")
            return nil
        }
        if style == .plain, let word = YamlWord(text) {
            let meaning =
                switch word {
                case .yes: "true"
                case .no: "false"
                case .nothing: "nothing"
                }
            guard !text.isEmpty else {
                problems.error(
                    .wrongType, "`\(path)` has no value", at: key, help: "an empty text is ''")
                return nil
            }
            problems.error(
                .untypedWord, "`\(text)` without quotes is \(meaning) to YAML", at: value.range,
                help: "put it in quotes: '\(text)'")
            return nil
        }
        guard text.utf8.count <= bytesMax else {
            problems.error(
                .tooLong, "`\(path)` has \(text.utf8.count) bytes, at most \(bytesMax) are read",
                at: value.range)
            return nil
        }
        return text
    }

    /// A name: small and large letters, digits, `_`, and `-` between them, as in scenarios.
    package func identifier(_ what: String) -> String? {
        guard let text = text(bytesMax: 64) else { return nil }
        if isIdentifier(text) { return text }
        problems.error(
            .badName, "`\(shortened(text))` is not \(what)", at: value.range,
            help: "it starts with a letter; letters, digits, `_` and `-` may follow")
        return nil
    }

    /// `true` or `false`.
    package func flag() -> Bool? {
        if case .scalar(let text, .plain) = value.kind {
            if text == "true" { return true }
            if text == "false" { return false }
            if let word = YamlWord(text), word != .nothing {
                problems.error(
                    .wrongType, "`\(path)` is `true` or `false`, found `\(text)`", at: value.range,
                    help: "write `\(word == .yes)`")
                return nil
            }
        }
        let isQuoted =
            if case .scalar("true", _) = value.kind {
                true
            } else if case .scalar("false", _) = value.kind { true } else { false }
        wrongType("`true` or `false`", help: isQuoted ? "write it without quotes" : nil)
        return nil
    }

    /// A whole number within bounds.
    package func number(in range: ClosedRange<Int>) -> Int? {
        guard case .scalar(let text, _) = value.kind, let number = Int(text) else {
            wrongType("a whole number")
            return nil
        }
        if range.contains(number) { return number }
        problems.error(
            .badNumber,
            "`\(path)` is between \(range.lowerBound) and \(range.upperBound), found \(number)",
            at: value.range)
        return nil
    }

    /// Nanoseconds, written as in scenarios: `15s`, `500ms`.
    package func duration() -> Int64? {
        guard let text = text(bytesMax: 64) else { return nil }
        if let nanoseconds = Durations.nanoseconds(text) { return nanoseconds }
        problems.error(
            .badDuration, "`\(shortened(text))` is not a length of time", at: value.range,
            help: "write a number and a unit without a blank: `500ms`, `15s`, `1.5m`")
        return nil
    }

    func byte() -> UInt8? {
        if case .scalar(let text, let style) = value.kind {
            if !(style == .plain && YamlWord(text) == .nothing), let byte = ByteName.byte(text) {
                return byte
            }
            if style == .plain, YamlWord(text) == .nothing {
                let shown = text.isEmpty ? "nothing" : "`\(text)` without quotes"
                problems.error(
                    .badByte, "`\(path)` is one byte, found \(shown)",
                    at: text.isEmpty ? key : value.range,
                    help: text.isEmpty ? ByteName.help : "put it in quotes: '\(text)'")
                return nil
            }
        }
        problems.error(
            .badByte, "`\(path)` is one byte, found \(value.description)", at: value.range,
            help: ByteName.help)
        return nil
    }

    /// One of some words. With `open`, `?` and `open` are taken too, and noted as an open policy.
    package func word<Meaning>(
        _ words: KeyValuePairs<String, Meaning>, open: Meaning? = nil
    ) -> Meaning? {
        if case .scalar(let text, _) = value.kind {
            if let found = words.first(where: { $0.key == text }) { return found.value }
            if let open, text == "?" || text == "open" {
                problems.isOpen(path)
                return open
            }
        }
        let names = words.map(\.key) + (open == nil ? [] : ["?"])
        let text = if case .scalar(let text, _) = value.kind { text } else { "" }
        let meant = didYouMean(text, among: names).map { "did you mean `\($0)`?" }
        problems.error(
            .unknownWord, "`\(path)` is \(listed(names)), found \(value.description)",
            at: value.range, help: meant)
        return nil
    }

    /// A map with these keys.
    package func section(_ keys: [String]) -> Section? {
        Section(value, at: place, key: key, keys: keys, problems)
    }

    /// A map with any keys.
    package func openSection() -> Section? { Section(open: value, at: place, key: key, problems) }

    /// An entry of the map that this is.
    func entry(_ entry: YamlEntry) -> Setting {
        Setting(
            name: entry.name, place: .key(entry.name, in: place), key: entry.key.range,
            value: entry.value, problems: problems)
    }

    /// The entries of a list; a single value is a list of one.
    package func list(max: Int) -> [Setting]? {
        guard case .list(let values) = value.kind else {
            if case .map = value.kind {
                wrongType("a list", help: "write `[…]`, or each entry on a line after `- `")
                return nil
            }
            return [self]
        }
        guard values.count <= max else {
            problems.error(
                .tooMany, "`\(path)` has \(values.count) entries, at most \(max) are read",
                at: value.range)
            return nil
        }
        return values.enumerated().map { index, value in
            Setting(
                name: String(index), place: .item(index, of: place), key: value.range, value: value,
                problems: problems)
        }
    }
}

/// Whether a text can be a name in dialects and scenarios: a letter first, then letters, digits, and
/// hyphens between them.
func isIdentifier(_ text: String) -> Bool {
    var previous: UInt8?
    for byte in text.utf8 {
        let isLetter = (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_")
        let isDigit = previous != nil && ASCII.isDigit(byte)
        let isHyphen = byte == ASCII.minus && previous != nil && previous != ASCII.minus
        guard isLetter || isDigit || isHyphen else { return false }
        previous = byte
    }
    return previous != nil && previous != ASCII.minus
}
