import Diagnostics
import Results
import Runner

/// An exit code other than 0, with the diagnostics to print on standard error.
struct CommandFailure: Error {
    var code: Ending
    /// Empty if the command has printed everything.
    var diagnostics: [Diagnostic]

    /// A failure without diagnostics.
    init(_ code: Ending) {
        self.code = code
        diagnostics = []
    }

    /// A failure with the diagnostics of an error.
    init(_ code: Ending, _ diagnosed: Diagnosed) {
        self.code = code
        diagnostics = diagnosed.diagnostics
    }

    /// A failure with one diagnostic.
    init(_ code: Ending, _ word: DiagnosticCode, _ message: String, help: String? = nil) {
        self.code = code
        let diagnostic = Diagnostic(.error, word, message)
        diagnostics = [help.map(diagnostic.help) ?? diagnostic]
    }

    /// A failure to write a file; `kind` is a noun, such as `report`.
    init(writing kind: String, _ path: String, _ failure: OutputFile.Failure) {
        self.init(
            .software, .cannotWrite,
            "cannot write the \(kind) `\(escapedForDisplay(path))`: \(failure)")
    }
}

extension CommandFailure {
    /// The value of `body`, whose errors are usage errors.
    static func usage<Value>(
        _ body: () throws(Diagnosed) -> Value
    ) throws(CommandFailure) -> Value {
        do {
            return try body()
        } catch {
            throw CommandFailure(.usage, error)
        }
    }
}

extension OutputFile {
    /// Creates the folder if necessary, and checks that the file can be written; `kind` is a noun.
    func prepare(as kind: String) throws(CommandFailure) {
        do {
            try prepare()
        } catch {
            throw CommandFailure(writing: kind, path, error)
        }
    }

    /// Writes the text; `kind` is a noun.
    func write(_ text: String, as kind: String) throws(CommandFailure) {
        do {
            try write(Array(text.utf8))
        } catch {
            throw CommandFailure(writing: kind, path, error)
        }
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
