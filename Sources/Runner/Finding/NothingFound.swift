package import Diagnostics

/// No scenario is there to be played: the process exits with 66.
package struct NothingFound: Error, Sendable, Hashable {
    /// What was looked for.
    package var diagnostic: Diagnostic

    init(_ message: String, help: String? = nil, note: String? = nil) {
        var diagnostic = Diagnostic(.error, .nothingFound, message)
        if let note { diagnostic = diagnostic.note(note) }
        if let help { diagnostic = diagnostic.help(help) }
        self.diagnostic = diagnostic
    }
}
