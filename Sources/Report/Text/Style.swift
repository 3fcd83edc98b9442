/// Puts colour around a text, or leaves it as it is. What it is given is shown as it stands: whoever has a
/// text from outside escapes it first.
package struct Style: Sendable, Hashable {
    /// Whether ANSI colours are used.
    package var isColoured: Bool

    /// A painter that colours or does not.
    package init(isColoured: Bool) { self.isColoured = isColoured }

    /// A look, by its ANSI code. Each goes well on dark and on light.
    package enum TextStyle: String, Sendable {
        /// Met.
        case green = "32"
        /// Not met.
        case red = "1;31"
        /// Not decided.
        case yellow = "33"
        /// Known.
        case magenta = "35"
        /// Of the other side.
        case cyan = "36"
        /// A title.
        case bold = "1"
        /// Of less importance.
        case dim = "2"
    }

    /// The text in that look.
    package func callAsFunction(_ text: String, _ look: TextStyle?) -> String {
        guard isColoured, let look, !text.isEmpty else { return text }
        return "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m"
    }
}
