import Diagnostics

/// Markdown escaping.
enum MarkdownText {
    /// Escapes text so that it cannot create formatting, links or mentions.
    static func escaped(_ text: String) -> String {
        escapedForDisplay(text).reduce(into: "") { out, letter in
            switch letter {
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "&": out += "&amp;"
            case "@": out += "&#64;"
            case "|", "*", "_", "`", "[", "]", "\\", "#", "~", "!": out += "\\\(letter)"
            default: out.append(letter)
            }
        }
    }

    /// Returns the lines of a code block. Its fence is longer than any in the text, so that the
    /// text cannot end the block.
    static func fenced(_ text: String) -> [String] {
        var (longest, current) = (0, 0)
        for scalar in text.unicodeScalars {
            current = scalar == "`" ? current + 1 : 0
            longest = max(longest, current)
        }
        let fence = String(repeating: "`", count: max(longest + 1, 3))
        let body = text.hasSuffix("\n") ? text.dropLast() : text[...]
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        return ["\(fence)text"] + lines.map(String.init) + [fence]
    }
}
