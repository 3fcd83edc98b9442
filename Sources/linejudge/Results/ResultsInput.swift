import Diagnostics
import DialectFiles
import Report
import Results
import Runner

/// Reader of results files named on the command line.
enum ResultsInput {
    /// The results in a file, or in standard input for `-`.
    static func read(_ path: String) throws(CommandFailure) -> AnyResults {
        try results(try bytes(path), path)
    }

    /// The bytes of a file, or of standard input for `-`.
    static func bytes(_ path: String) throws(CommandFailure) -> [UInt8] {
        do {
            return path == "-"
                ? try TextFile.readStandardInput(bytesMax: ResultsFile.bytesMax)
                : try TextFile.read(path, bytesMax: ResultsFile.bytesMax)
        } catch {
            throw CommandFailure(.noInput, .noFile, "cannot read \(name(path)): \(error)")
        }
    }

    /// The results in the bytes of a file.
    static func results(_ bytes: [UInt8], _ path: String) throws(CommandFailure) -> AnyResults {
        do {
            return try AnyResults(bytes)
        } catch {
            throw CommandFailure(.unparsable, .notResults, "\(name(path)): \(error)")
        }
    }

    /// The name of a file in messages.
    static func name(_ path: String) -> String {
        path == "-" ? "standard input" : "`\(escapedForDisplay(path))`"
    }
}

extension DiagnosticCode {
    static let notResults: DiagnosticCode = "command.not-results"
    static let otherResults: DiagnosticCode = "command.other-results"
}
