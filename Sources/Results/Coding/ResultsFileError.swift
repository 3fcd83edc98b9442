import Diagnostics

/// The case that a word names; a word that is none is an error that says so.
func known<Choice: RawRepresentable<String>>(_ word: String, _ what: String) throws -> Choice {
    guard let choice = Choice(rawValue: word) else {
        throw ResultsFileError(
            "`\(escapedForDisplay(word))` is no \(what) that this version knows")
    }
    return choice
}

/// What is wrong with a results file.
package struct ResultsFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, in a line.
    package var description: String

    init(_ description: String) { self.description = description }
}
