package import Diagnostics
import DialectFiles
package import Results
import Scenario

/// Access to text files given on the command line.
package enum TextFiles {
    /// Returns the bytes of a text file, or of standard input if the path is `-`.
    ///
    /// - Parameters:
    ///   - root: a folder that symbolic links must not lead out of; nil to follow all links.
    ///   - bytesMax: the maximum size. At most one extra byte is read, so that the parser can
    ///     report that the file is too large.
    package static func read(
        _ path: String, within root: String? = nil, bytesMax: Int = ScenarioLimits.fileBytesMax
    ) throws(CommandFailure) -> SourceText {
        do {
            if path == "-" {
                let bytes = try TextFile.readStandardInput(bytesMax: bytesMax)
                return SourceText(path: "<stdin>", bytes: bytes)
            }
            return SourceText(
                path: path, bytes: try TextFile.read(path, within: root, bytesMax: bytesMax))
        } catch {
            let path = path == "-" ? "standard input" : "`\(escapedForDisplay(path))`"
            throw CommandFailure(.noInput, .noFile, "cannot read \(path): \(error)")
        }
    }

    /// Replaces a file atomically. The new file has the permissions of the old one. Secrets are not
    /// masked, because that would change the meaning of the text.
    package static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            try OutputFile(path: path).writeUnmasked(Array(text.utf8))
        } catch {
            throw CommandFailure(
                .software, .cannotWrite, "cannot write `\(escapedForDisplay(path))`: \(error)")
        }
    }
}
