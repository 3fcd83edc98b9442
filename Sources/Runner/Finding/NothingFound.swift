package import Diagnostics

/// The error thrown if there are no scenarios to run. It results in exit code 66.
package struct NothingFound: Error, Sendable, Hashable {
    /// Diagnostic that includes the search terms.
    package var diagnostic: Diagnostic

    init(_ message: String, help: String? = nil, note: String? = nil) {
        var diagnostic = Diagnostic(.error, .nothingFound, message)
        if let note { diagnostic = diagnostic.note(note) }
        if let help { diagnostic = diagnostic.help(help) }
        self.diagnostic = diagnostic
    }
}
