import Console
import Diagnostics
package import Results

/// A file to compare: either a results file or a baseline file.
package indirect enum ComparedFile {
    case results(AnyResults)
    case baseline(CheckBaseline)

    /// Number of bytes at the start of the file that are searched for NUL. A text file has none.
    private static let examinedBytes = 4_096

    /// Reads the file. It is read only once, because it may be a pipe.
    package init(_ path: String) throws {
        let bytes = try ResultsInput.bytes(path)
        guard !bytes.prefix(Self.examinedBytes).contains(0) else {
            throw CommandFailure(
                .unparsable, .notResults,
                "\(ResultsFile.name(path)): not a results or baseline file, but a binary file",
                help: "captures must be regular pcap or pcapng files, optionally compressed")
        }
        if BaselineReader.looksLikeOne(bytes) {
            let name = path == "-" ? "<stdin>" : path
            self = .baseline(try BaselineFile.parse(SourceText(path: name, bytes: bytes)))
        } else {
            let results = try ResultsInput.results(bytes, path)
            // The results of `check` contain the server's behaviour, as a baseline does.
            if case .check(let matrix) = results, matrix.servers.count == 1 {
                self = .baseline(CheckBaseline(matrix.servers[0].results))
            } else {
                self = .results(results)
            }
        }
    }
}
