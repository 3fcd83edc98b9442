import Diagnostics
package import Results

extension CommandFailure {
    /// Creates the failure for a file that cannot be written. `kind` describes the file in the
    /// message, such as `report`.
    package init(writing kind: String, _ path: String, _ failure: OutputFile.Failure) {
        self.init(
            .software, .cannotWrite,
            "cannot write the \(kind) `\(escapedForDisplay(path))`: \(failure)")
    }
}

extension OutputFile {
    /// Creates the folder if necessary and checks that the file can be written. `kind` describes
    /// the file in error messages.
    package func prepare(as kind: String) throws(CommandFailure) {
        do {
            try prepare()
        } catch {
            throw CommandFailure(writing: kind, path, error)
        }
    }

    /// Writes the text. `kind` describes the file in error messages.
    package func write(_ text: String, as kind: String) throws(CommandFailure) {
        do {
            try write(Array(text.utf8))
        } catch {
            throw CommandFailure(writing: kind, path, error)
        }
    }
}
