import Diagnostics
import DialectFiles
import Results
import Runner
import Scenario

/// Files that a person names.
enum TextFiles {
    /// The paths of the scenarios that a person names.
    static func scenarios(_ words: [String]) throws(CommandFailure) -> [String] {
        do {
            return try ScenarioFinder.find(words).map(\.path)
        } catch {
            throw CommandFailure(.noInput, Diagnosed(error.diagnostic))
        }
    }

    /// The text of a file, or of standard input for `-`; at most one byte more than is allowed, which the
    /// parser then says is too much.
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
            throw CommandFailure(.noInput, .noFile, "\(path) cannot be read: \(error)")
        }
    }

    /// Replaces a file: by a whole new one or not at all, with the same permissions.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            try OutputFile(path: path).write(Array(text.utf8))
        } catch {
            throw CommandFailure(
                .software, .cannotWrite, "`\(escapedForDisplay(path))` cannot be written: \(error)")
        }
    }
}
