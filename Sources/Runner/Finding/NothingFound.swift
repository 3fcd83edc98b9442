package import Diagnostics

/// The error that is thrown if there is no scenario to run. The exit code is 66.
package struct NothingFound: Error, Sendable, Hashable {
    /// Explanation of what was searched for.
    package var diagnostic: Diagnostic

    init(_ message: String, help: String? = nil, note: String? = nil) {
        var diagnostic = Diagnostic(.error, .nothingFound, message)
        if let note { diagnostic = diagnostic.note(note) }
        if let help { diagnostic = diagnostic.help(help) }
        self.diagnostic = diagnostic
    }
}
