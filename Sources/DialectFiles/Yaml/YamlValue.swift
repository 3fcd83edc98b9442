package import Diagnostics

/// A YAML value that knows where it stands.
package struct YamlValue {
    /// What it is.
    package enum Kind {
        case scalar(String, ScalarStyle)
        case list([YamlValue])
        case map([YamlEntry])
    }

    /// How a scalar is written.
    package enum ScalarStyle {
        case plain, quoted, block
    }

    package var kind: Kind
    /// The text of a scalar with its quotes; of anything else its first byte.
    package var range: SourceRange

    /// What it is, for messages.
    package var description: String {
        switch kind {
        case .scalar(let text, let style):
            if style == .plain, YamlWord(text) == .nothing { return "nothing" }
            if style == .block { return "a block of text" }
            return "`\(shortened(text))`"
        case .list: return "a list"
        case .map: return "a map"
        }
    }

    /// Where the text of a scalar starts in the source, if each byte of it stands there as it is.
    func textStart(in source: SourceText) -> Int? {
        guard case .scalar(let text, let style) = kind, style != .block else { return nil }
        let start = range.start + (style == .quoted ? 1 : 0)
        let written = source.bytes(in: SourceRange(start: start, end: start + text.utf8.count))
        return written.elementsEqual(text.utf8) ? start : nil
    }

    /// Where the bytes of a scalar in `part` stand; all of it if they were written otherwise.
    func range(of part: Range<Int>, in source: SourceText) -> SourceRange {
        guard let start = textStart(in: source) else { return range }
        return SourceRange(start: start + part.lowerBound, end: start + part.upperBound)
    }
}

/// A key with its value.
package struct YamlEntry {
    package var key: YamlValue
    package var value: YamlValue

    /// The key's text; keys that are no text are refused when the file is read.
    var name: String {
        if case .scalar(let text, _) = key.kind { text } else { "" }
    }
}

/// What YAML makes of some words that stand without quotes.
enum YamlWord {
    case yes, no, nothing

    private static let bytesMax = 5

    init?(_ text: String) {
        // Most texts are longer, and changing their case costs.
        guard text.utf8.count <= Self.bytesMax else { return nil }
        switch text.lowercased() {
        case "true", "yes", "on": self = .yes
        case "false", "no", "off": self = .no
        case "", "~", "null": self = .nothing
        default: return nil
        }
    }
}

/// A text cut for a message.
package func shortened(_ text: String) -> String {
    let charactersMax = 40
    let line = text.split(separator: "\n", omittingEmptySubsequences: true).first.map(String.init)
    let shown = escapedForDisplay(line ?? text)
    return shown.count > charactersMax ? shown.prefix(charactersMax) + "…" : shown
}
