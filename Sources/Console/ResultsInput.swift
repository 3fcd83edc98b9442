import Diagnostics
import DialectFiles
package import Results

/// Reader for results files given on the command line.
package enum ResultsInput {
    /// Reads results from a file, or from standard input if the path is `-`.
    package static func read(_ path: String) throws(CommandFailure) -> AnyResults {
        try results(try bytes(path), path)
    }

    /// Returns the bytes of a file, or of standard input if the path is `-`.
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

    /// Parses the contents of a results file.
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
