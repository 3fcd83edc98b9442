package import Diagnostics

/// The failure of a command: an exit code other than 0, with diagnostics to print on standard
/// error.
package struct CommandFailure: Error {
    package var code: ExitCode
    /// The diagnostics; empty if the command has already printed everything.
    package var diagnostics: [Diagnostic]

    /// Creates a failure without diagnostics.
    package init(_ code: ExitCode) {
        self.code = code
        diagnostics = []
    }

    /// Creates a failure with the diagnostics of an error.
    package init(_ code: ExitCode, _ diagnosed: Diagnosed) {
        self.code = code
        diagnostics = diagnosed.diagnostics
    }

    /// Creates a failure with one diagnostic.
    package init(_ code: ExitCode, _ word: DiagnosticCode, _ message: String, help: String? = nil) {
        self.code = code
        let diagnostic = Diagnostic(.error, word, message)
        diagnostics = [help.map(diagnostic.help) ?? diagnostic]
    }
}

extension CommandFailure {
    /// Returns the value of `body`, converting its errors to usage errors.
    package static func usage<Value>(
        _ body: () throws(Diagnosed) -> Value
    ) throws(CommandFailure) -> Value {
        do {
            return try body()
        } catch {
            throw CommandFailure(.usage, error)
        }
    }
}

extension DiagnosticCode {
    package static let unknownCommand: DiagnosticCode = "command.unknown"
    package static let badEnvironment: DiagnosticCode = "command.bad-environment"
    package static let unknownVariable: DiagnosticCode = "command.unknown-variable"
    package static let badOption: DiagnosticCode = "command.bad-option"
    package static let noFile: DiagnosticCode = "command.no-file"
    package static let cannotWrite: DiagnosticCode = "command.cannot-write"
    package static let internalError: DiagnosticCode = "command.internal-error"
    package static let notResults: DiagnosticCode = "command.not-results"
    package static let otherResults: DiagnosticCode = "command.other-results"
}
