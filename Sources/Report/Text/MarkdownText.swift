import Diagnostics

/// Text for a page of Markdown.
enum MarkdownText {
    /// What comes from files and servers takes part in no formatting, link or mention.
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
