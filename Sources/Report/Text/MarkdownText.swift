import Diagnostics

/// Escaping for Markdown.
enum MarkdownText {
    /// Escapes text so that it creates no formatting, links or mentions.
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
}
