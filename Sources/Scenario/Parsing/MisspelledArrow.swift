/// A word that looks like an arrow, such as `=>`.
struct MisspelledArrow {
    /// The arrow that is probably meant; nil if it is unclear.
    let meant: String?

    /// - Parameter text: The word, in quotes.
    init?(quoted text: String) {
        let word = text.dropFirst().dropLast()
        guard !word.isEmpty, word.allSatisfy({ "<>-=~?!:".contains($0) }) else { return nil }
        meant =
            word.contains("<") ? "<-" : word.contains(">") || word.contains(":") ? "->" : nil
    }
}
