package import Diagnostics
import DialectFiles
package import Results
import Scenario

/// Files named on the command line.
package enum TextFiles {
    /// The text of a file, or of standard input for `-`.
    ///
    /// - Parameter bytesMax: the limit; one more byte is read, so that the parser can report the excess.
    package static func read(_ path: String, bytesMax: Int = ScenarioLimits.fileBytesMax)
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
    package static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            try OutputFile(path: path).write(Array(text.utf8))
        } catch {
            throw CommandFailure(
                .software, .cannotWrite, "cannot write `\(escapedForDisplay(path))`: \(error)")
        }
    }
}
