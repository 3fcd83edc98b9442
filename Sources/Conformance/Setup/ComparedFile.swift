import Console
import Diagnostics
package import Results

/// A file to compare: either results or a baseline.
package enum ComparedFile {
    case results(AnyResults)
    case baseline(CheckBaseline)

    /// Reads the file. It is read only once, because it may be a pipe.
    package init(_ path: String) throws {
        let bytes = try ResultsInput.bytes(path)
        if BaselineReader.looksLikeOne(bytes) {
            let name = path == "-" ? "<stdin>" : path
            self = .baseline(try BaselineFile.parse(SourceText(path: name, bytes: bytes)))
        } else {
            let results = try ResultsInput.results(bytes, path)
            // Results of checks contain the server's behaviour, as a baseline does.
            if case .check(let matrix) = results, matrix.servers.count == 1 {
                self = .baseline(CheckBaseline(matrix.servers[0].results))
            } else {
                self = .results(results)
            }
        }
    }
}
