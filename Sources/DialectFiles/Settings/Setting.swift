package import Diagnostics
import LineProtocol

/// A value in a settings file, along with its key. Each method reads the value as one type, or
/// reports an error and returns nil if it does not have that type.
package struct Setting {
    /// Maximum length of text, in bytes.
    package static let textBytesMax = 16 << 10
    /// The words that leave a policy unspecified.
    static let openWords = ["?", "open"]
    package static let nameBytesMax = 64

    package var name: String
    let settingPath: SettingPath
    package var key: SourceRange
    package var value: YamlValue
    package let problems: Problems

    /// Path of keys from the top of the file to the setting, joined by dots.
    package var path: String { settingPath.text }

    private func wrongType(_ expected: String, help: String? = nil) {
        problems.error(
            .wrongType, "`\(path)` must be \(expected), found \(value.description)",
            at: value.range,
            help: help)
    }

    /// Reads text. A word that YAML would parse as another type must be quoted.
    package func text(bytesMax: Int = textBytesMax) -> String? {
        guard case .scalar(let text, let style) = value.kind else {
            wrongType("a string")
            return nil
        }
        if style == .plain, let word = YamlWord(text) {
            let meaning =
                switch word {
                case .yes: "true"
                case .no: "false"
                case .nothing: "null"
                }
            guard !text.isEmpty else {
                problems.error(
                    .wrongType, "`\(path)` has no value", at: key,
                    help: "for an empty string, write ''")
                return nil
            }
            problems.error(
                .untypedWord, "YAML reads unquoted `\(text)` as \(meaning)", at: value.range,
                help: "put it in quotes: '\(text)'")
            return nil
        }
        guard text.utf8.count <= bytesMax else {
            problems.error(
                .tooLong, "`\(path)` has \(text.utf8.count) bytes; the maximum is \(bytesMax)",
                at: value.range)
            return nil
        }
        return text
    }

    /// Returns the text of a scalar, regardless of its type in YAML.
    func rawText() -> String? {
        if case .scalar(let text, _) = value.kind { return text }
        return text()
    }

    /// Reads a name as allowed in scenarios: letters, digits and `_`, with `-` between them.
    package func identifier(_ what: String) -> String? {
        guard let text = text(bytesMax: Self.nameBytesMax) else { return nil }
        if isIdentifier(text) { return text }
        problems.error(
            .badName, "`\(shortened(text))` is not \(what)", at: value.range,
            help: "use letters, digits, `_` and `-`, starting with a letter")
        return nil
    }

    /// Reads `true` or `false`.
    package func flag() -> Bool? {
        if case .scalar(let text, .plain) = value.kind {
            if text == "true" { return true }
            if text == "false" { return false }
            if let word = YamlWord(text), word != .nothing {
                problems.error(
                    .wrongType, "`\(path)` must be `true` or `false`, found `\(text)`",
                    at: value.range,
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

    /// Reads a whole number within a range.
    package func number(in range: ClosedRange<Int>) -> Int? {
        guard case .scalar(let text, _) = value.kind, let number = Int(text) else {
            wrongType("a whole number")
            return nil
        }
        if range.contains(number) { return number }
        problems.error(
            .badNumber,
            "`\(path)` must be between \(range.lowerBound) and \(range.upperBound), found \(number)",
            at: value.range)
        return nil
    }

    /// Reads a duration such as `15s` or `500ms`, in nanoseconds.
    package func duration() -> Int64? {
        guard let text = text(bytesMax: 64) else { return nil }
        if let nanoseconds = Durations.nanoseconds(text) { return nanoseconds }
        problems.error(
            .badDuration, "`\(shortened(text))` is not a duration", at: value.range,
            help: "write a number and a unit without a space: `500ms`, `15s`, `1.5m`")
        return nil
    }

    func byte() -> UInt8? {
        if case .scalar(let text, let style) = value.kind {
            if !(style == .plain && YamlWord(text) == .nothing), let byte = ByteName.byte(text) {
                return byte
            }
            if style == .plain, YamlWord(text) == .nothing {
                let shown = text.isEmpty ? "nothing" : "unquoted `\(text)`"
                problems.error(
                    .badByte, "`\(path)` must be one byte, found \(shown)",
                    at: text.isEmpty ? key : value.range,
                    help: text.isEmpty ? ByteName.help : "put it in quotes: '\(text)'")
                return nil
            }
        }
        problems.error(
            .badByte, "`\(path)` must be one byte, found \(value.description)", at: value.range,
            help: ByteName.help)
        return nil
    }

    /// Reads one of several words. If `open` is given, the words `?` and `open` are also accepted
    /// and leave the policy unspecified.
    package func word<Meaning>(
        _ words: [(key: String, value: Meaning)], open: Meaning? = nil
    ) -> Meaning? {
        if case .scalar(let text, _) = value.kind {
            if let found = words.first(where: { $0.key == text }) { return found.value }
            if let open, Self.openWords.contains(text) {
                problems.isOpen(path)
                return open
            }
        }
        let names = words.map(\.key) + (open == nil ? [] : ["?"])
        let text = if case .scalar(let text, _) = value.kind { text } else { "" }
        let suggestion = didYouMean(text, among: names).map { "did you mean `\($0)`?" }
        problems.error(
            .unknownWord, "`\(path)` must be \(listed(names)), found \(value.description)",
            at: value.range, help: suggestion)
        return nil
    }

    /// Reads a map in which only these keys are allowed.
    package func section(_ keys: [String]) -> Section? {
        Section(value, at: settingPath, key: key, keys: keys, problems)
    }

    /// Reads a map that may have any keys.
    package func openSection() -> Section? {
        Section(open: value, at: settingPath, key: key, problems)
    }

    /// Returns the setting for an entry of this map.
    func entry(_ entry: YamlEntry) -> Setting {
        Setting(
            name: entry.name, settingPath: .key(entry.name, in: settingPath), key: entry.key.range,
            value: entry.value, problems: problems)
    }

    /// Reads the elements of a list. A value that is not a list counts as a list with one element.
    package func list(max: Int) -> [Setting]? {
        guard case .list(let values) = value.kind else {
            if case .map = value.kind {
                wrongType("a list", help: "write `[…]`, or one entry per line, starting with `- `")
                return nil
            }
            return [self]
        }
        guard values.count <= max else {
            problems.error(
                .tooMany, "`\(path)` has \(values.count) entries; the maximum is \(max)",
                at: value.range)
            return nil
        }
        return values.enumerated().map { index, value in
            Setting(
                name: String(index), settingPath: .item(index, of: settingPath), key: value.range,
                value: value,
                problems: problems)
        }
    }
}

/// Returns true if the text can be a name in dialects and scenarios: letters, digits and `_`, with
/// single hyphens between them, starting with a letter or `_`.
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

/// Regular expression for the names that ``isIdentifier(_:)`` accepts.
package let identifierPattern = "^[A-Za-z_](-?[A-Za-z0-9_])*$"
