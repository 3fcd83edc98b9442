import Diagnostics
import DialectFiles
package import Results

/// Reader of results files named on the command line.
package enum ResultsInput {
    /// The results in a file, or in standard input for `-`.
    package static func read(_ path: String) throws(CommandFailure) -> AnyResults {
        try results(try bytes(path), path)
    }

    /// The bytes of a file, or of standard input for `-`.
    package static func bytes(_ path: String) throws(CommandFailure) -> [UInt8] {
        do {
            return path == "-"
                ? try TextFile.readStandardInput(bytesMax: ResultsFile.bytesMax)
                : try TextFile.read(path, bytesMax: ResultsFile.bytesMax)
        } catch {
            throw CommandFailure(
                .noInput, .noFile, "cannot read \(ResultsFile.name(path)): \(error)")
        }
    }

    /// The results in the bytes of a file.
    package static func results(_ bytes: [UInt8], _ path: String) throws(CommandFailure)
        -> AnyResults
    {
        do {
            return try AnyResults(bytes)
        } catch {
            throw CommandFailure(.unparsable, .notResults, "\(ResultsFile.name(path)): \(error)")
        }
    }
}
