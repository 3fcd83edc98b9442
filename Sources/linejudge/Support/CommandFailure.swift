import Diagnostics
import Results
import Runner

/// Why a command ends otherwise than well. What is to be said goes to standard error.
struct CommandFailure: Error {
    /// What the process says.
    var code: Ending
    /// What is told; empty where the command has said all.
    var diagnostics: [Diagnostic]

    /// An end with a code, all being said.
    init(_ code: Ending) {
        self.code = code
        diagnostics = []
    }

    /// An end for these reasons.
    init(_ code: Ending, _ diagnosed: Diagnosed) {
        self.code = code
        diagnostics = diagnosed.diagnostics
    }

    /// An end for a reason, and what to do about it.
    init(_ code: Ending, _ word: DiagnosticCode, _ message: String, help: String? = nil) {
        self.code = code
        let diagnostic = Diagnostic(.error, word, message)
        diagnostics = [help.map(diagnostic.help) ?? diagnostic]
    }

    /// An end because a file cannot be written; `kind` says what it is to be.
    init(writing kind: String, _ path: String, _ failure: OutputFile.Failure) {
        self.init(
            .software, .cannotWrite,
            "the \(kind) `\(escapedForDisplay(path))` cannot be written: \(failure)")
    }
}

extension DiagnosticCode {
    static let unknownCommand: DiagnosticCode = "command.unknown"
    static let badEnvironment: DiagnosticCode = "command.bad-environment"
    static let unknownVariable: DiagnosticCode = "command.unknown-variable"
    static let badOption: DiagnosticCode = "command.bad-option"
    static let noFile: DiagnosticCode = "command.no-file"
    static let cannotWrite: DiagnosticCode = "command.cannot-write"
    static let internalError: DiagnosticCode = "command.internal-error"
}
