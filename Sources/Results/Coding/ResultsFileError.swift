import Diagnostics

/// Returns the case with this raw value. If there is none, throws an error that includes the value.
func known<Choice: RawRepresentable<String>>(_ word: String, _ what: String) throws -> Choice {
    guard let choice = Choice(rawValue: word) else {
        throw ResultsFileError(
            "`\(escapedForDisplay(word))` is not a \(what) known to this version")
    }
    return choice
}

/// A problem with a results file.
package struct ResultsFileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}
