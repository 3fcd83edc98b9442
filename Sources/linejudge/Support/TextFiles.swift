import Diagnostics
import DialectFiles
import Results
import Runner
import Scenario

/// Files named on the command line.
enum TextFiles {
    /// Paths of the scenarios that the words name.
    static func scenarios(_ words: [String]) throws(CommandFailure) -> [String] {
        do {
            return try ScenarioFinder.find(words).map(\.path)
        } catch {
            throw CommandFailure(.noInput, Diagnosed(error.diagnostic))
        }
    }

    /// The text of a file, or of standard input for `-`.
    ///
    /// - Parameter bytesMax: the limit; one more byte is read, so that the parser can report the excess.
    static func read(_ path: String, bytesMax: Int = ScenarioLimits.fileBytesMax)
        throws(CommandFailure) -> SourceText
    {
        do {
            if path == "-" {
                let bytes = try TextFile.readStandardInput(bytesMax: bytesMax)
                return SourceText(path: "<stdin>", bytes: bytes)
            }
            return SourceText(path: path, bytes: try TextFile.read(path, bytesMax: bytesMax))
        } catch {
            let path = path == "-" ? "standard input" : "`\(escapedForDisplay(path))`"
            throw CommandFailure(.noInput, .noFile, "cannot read \(path): \(error)")
        }
    }

    /// Replaces a file atomically and keeps its permissions.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            try OutputFile(path: path).write(Array(text.utf8))
        } catch {
            throw CommandFailure(
                .software, .cannotWrite, "cannot write `\(escapedForDisplay(path))`: \(error)")
        }
    }
}
