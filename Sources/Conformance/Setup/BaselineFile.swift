import Console
package import Diagnostics
package import Results

/// The baseline files that `check` writes to and compares results with.
package struct BaselineFile: Sendable {
    /// Path of the file to write; nil to write none.
    private let output: String?
    /// The baseline to compare with, and its name in reports; nil to compare with none.
    package let expected: (baseline: CheckBaseline, name: String)?

    /// Reads the baseline to compare with, if there is one.
    ///
    /// - Parameters:
    ///   - output: The file to write; `-` for standard output.
    ///   - path: The file to compare with; `-` for standard input.
    package init(
        writing output: String?, comparingWith path: String?
    ) throws(CommandFailure) {
        self.output = output
        expected = try path.map { path throws(CommandFailure) in
            (try Self.read(path), path == "-" ? "standard input" : path)
        }
    }

    private static func read(_ path: String) throws(CommandFailure) -> CheckBaseline {
        try parse(try TextFiles.read(path, bytesMax: CheckBaseline.bytesMax))
    }

    package static func parse(_ source: SourceText) throws(CommandFailure) -> CheckBaseline {
        do {
            return try BaselineReader.baseline(source)
        } catch {
            throw CommandFailure(.unparsable, error)
        }
    }

    /// True if a baseline is written. Results are then recorded but not judged.
    package var isWritten: Bool { output != nil }

    /// True if the baseline is written to standard output.
    package var takesStandardOutput: Bool { output.map(OutputFile.isStandardOutput) ?? false }

    /// Checks that the file can be written. Call this before the checks run.
    package func prepare() throws(CommandFailure) {
        guard let output, !takesStandardOutput else { return }
        try OutputFile(path: output).prepare(as: "baseline file")
    }

    /// Writes the recorded behaviour.
    package func write(_ results: CheckResults, server: String?) throws(CommandFailure) {
        guard let output else { return }
        let text = CheckBaseline(results, server: server).text
        if takesStandardOutput { return Output.standard.write(text) }
        try OutputFile(path: output).write(text, as: "baseline file")
    }
}
