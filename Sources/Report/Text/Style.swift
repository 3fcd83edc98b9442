/// An output style, which adds ANSI colours to text or leaves it unchanged. Text is not escaped, so
/// callers must escape untrusted text.
package struct Style: Sendable, Hashable {
    package var isColoured: Bool

    package init(isColoured: Bool) { self.isColoured = isColoured }

    /// A text style, with its ANSI code. All styles are readable on both dark and light
    /// backgrounds.
    package enum TextStyle: String, Sendable {
        /// For success.
        case green = "32"
        /// For failures.
        case red = "1;31"
        /// For warnings and inconclusive results.
        case yellow = "33"
        /// For known failures.
        case magenta = "35"
        /// For data from the server.
        case cyan = "36"
        /// For titles.
        case bold = "1"
        /// For secondary information.
        case dim = "2"
    }

    /// Returns the text in the given style. If the style is nil, the text is unchanged.
    package func callAsFunction(_ text: String, _ look: TextStyle?) -> String {
        guard isColoured, let look, !text.isEmpty else { return text }
        return "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m"
    }
}
