import Diagnostics
package import Results

extension CommandFailure {
    /// Creates the failure for a file that cannot be written; `kind` is a noun, such as `report`.
    package init(writing kind: String, _ path: String, _ failure: OutputFile.Failure) {
        self.init(
            .software, .cannotWrite,
            "cannot write the \(kind) `\(escapedForDisplay(path))`: \(failure)")
    }
}

extension OutputFile {
    /// Creates the folder if necessary and checks that the file can be written; `kind` is a noun.
    package func prepare(as kind: String) throws(CommandFailure) {
        do {
            try prepare()
        } catch {
            throw CommandFailure(writing: kind, path, error)
        }
    }

    /// Writes the text; `kind` is a noun.
    package func write(_ text: String, as kind: String) throws(CommandFailure) {
        do {
            try write(Array(text.utf8))
        } catch {
            throw CommandFailure(writing: kind, path, error)
        }
    }
}
