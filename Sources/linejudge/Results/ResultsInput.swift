import Diagnostics
import DialectFiles
import Report
import Runner

/// Results files that a person names.
enum ResultsInput {
    /// Reads one, or standard input for `-`.
    static func read(_ path: String) throws(CommandFailure) -> AnyResults {
        let bytes: [UInt8]
        do {
            bytes =
                path == "-"
                ? try TextFile.readStandardInput(bytesMax: ResultsFile.bytesMax)
                : try TextFile.read(path, bytesMax: ResultsFile.bytesMax)
        } catch {
            throw CommandFailure(.noInput, .noFile, "\(name(path)) cannot be read: \(error)")
        }
        do {
            return try AnyResults(bytes)
        } catch {
            throw CommandFailure(.unparsable, .notResults, "\(name(path)): \(error)")
        }
    }

    /// How a file is called in messages.
    static func name(_ path: String) -> String {
        path == "-" ? "standard input" : "`\(escapedForDisplay(path))`"
    }
}

extension DiagnosticCode {
    static let notResults: DiagnosticCode = "command.not-results"
    static let otherResults: DiagnosticCode = "command.other-results"
}
