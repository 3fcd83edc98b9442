/// Adds ANSI colours to text, or returns it unchanged. It does not escape text: callers must do so
/// first if the text comes from outside.
package struct Style: Sendable, Hashable {
    package var isColoured: Bool

    package init(isColoured: Bool) { self.isColoured = isColoured }

    /// A style of text, with its ANSI code. All styles are readable on dark and light backgrounds.
    package enum TextStyle: String, Sendable {
        /// Success.
        case green = "32"
        /// Failure.
        case red = "1;31"
        /// Inconclusive, or a warning.
        case yellow = "33"
        /// Known failure.
        case magenta = "35"
        /// Data from the server.
        case cyan = "36"
        /// Title.
        case bold = "1"
        /// Secondary information.
        case dim = "2"
    }

    /// Returns the text in the given style. If the style is nil, the text remains plain.
    package func callAsFunction(_ text: String, _ look: TextStyle?) -> String {
        guard isColoured, let look, !text.isEmpty else { return text }
        return "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m"
    }
}
