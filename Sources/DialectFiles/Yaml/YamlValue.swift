package import Diagnostics

/// A YAML value with its source range.
package struct YamlValue {
    /// Contents of a value: a scalar, a list or a map.
    package enum Kind {
        case scalar(String, ScalarStyle)
        case list([YamlValue])
        case map([YamlEntry])
    }

    /// The style of a scalar: plain, quoted or block.
    package enum ScalarStyle {
        case plain, quoted, block
    }

    package var kind: Kind
    /// Range of a scalar, including its quotes. For a list or a map, the range of its first byte.
    package var range: SourceRange

    /// Description of the value for messages.
    package var description: String {
        switch kind {
        case .scalar(let text, let style):
            if style == .plain, YamlWord(text) == .nothing { return "nothing" }
            if style == .block { return "a text block" }
            return "`\(shortened(text))`"
        case .list: return "a list"
        case .map: return "a map"
        }
    }

    /// True for an empty value, and for an unquoted `~` or `null`.
    package var isNothing: Bool {
        guard case .scalar(let text, .plain) = kind else { return false }
        return YamlWord(text) == .nothing
    }

    /// Returns the first key of a map that is one of `names`; nil if there is none.
    package func key(in names: Set<String>) -> YamlValue? {
        guard case .map(let entries) = kind else { return nil }
        return entries.first { names.contains($0.name) }?.key
    }

    /// Returns the offset of a scalar's text in the source; nil if the source differs from the text
    /// because of escapes or folding.
    func textStart(in source: SourceText) -> Int? {
        guard case .scalar(let text, let style) = kind, style != .block else { return nil }
        let start = range.start + (style == .quoted ? 1 : 0)
        let written = source.bytes(in: SourceRange(start: start, end: start + text.utf8.count))
        return written.elementsEqual(text.utf8) ? start : nil
    }

    /// Returns the range of part of a scalar. If its text differs from the source, returns the
    /// range of the whole scalar.
    func range(of part: Range<Int>, in source: SourceText) -> SourceRange {
        guard let start = textStart(in: source) else { return range }
        return SourceRange(start: start + part.lowerBound, end: start + part.upperBound)
    }
}

/// A key of a map, with its value.
package struct YamlEntry {
    package var key: YamlValue
    package var value: YamlValue

    /// The text of a key. Keys that are not text are rejected when the file is read.
    var name: String {
        if case .scalar(let text, _) = key.kind { text } else { "" }
    }
}

/// Words that have a special meaning in YAML if they are not quoted.
enum YamlWord {
    case yes, no, nothing

    private static let bytesMax = 5

    init?(_ text: String) {
        // Fast path: most scalars are longer than any of these words.
        guard text.utf8.count <= Self.bytesMax else { return nil }
        switch text.lowercased() {
        case "true", "yes", "on": self = .yes
        case "false", "no", "off": self = .no
        case "", "~", "null": self = .nothing
        default: return nil
        }
    }
}

/// Returns the first line of the text, escaped and truncated for a message.
package func shortened(_ text: String) -> String {
    let charactersMax = 40
    let line = text.split(separator: "\n", omittingEmptySubsequences: true).first.map(String.init)
    let shown = escapedForDisplay(line ?? text)
    return shown.count > charactersMax ? shown.prefix(charactersMax) + "…" : shown
}
