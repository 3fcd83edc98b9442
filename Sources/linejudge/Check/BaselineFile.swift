import Conformance
import Diagnostics
import Report
import Results
import Runner

/// The baseline file that a check writes or compares with.
struct BaselineFile {
    /// Path of the file to write.
    private let output: String?
    /// The baseline to compare with, and its name in reports.
    let expected: (baseline: CheckBaseline, name: String)?

    init(_ options: BaselineOptions) throws(CommandFailure) {
        output = options.writeBaseline
        expected = try options.baseline.map { path throws(CommandFailure) in
            (try Self.read(path), path == "-" ? "standard input" : path)
        }
    }

    /// Reads a baseline file.
    static func read(_ path: String) throws(CommandFailure) -> CheckBaseline {
        try parse(try TextFiles.read(path, bytesMax: CheckBaseline.bytesMax))
    }

    static func parse(_ source: SourceText) throws(CommandFailure) -> CheckBaseline {
        do {
            return try BaselineReader.lock(source)
        } catch {
            throw CommandFailure(.unparsable, error)
        }
    }

    /// Whether a baseline is written, so that nothing is judged.
    var isWritten: Bool { output != nil }

    /// Whether the baseline is written to standard output.
    var takesStandardOutput: Bool { output.map(OutputFile.isStandardOutput) ?? false }

    /// Checks that the file can be written, before the checks run.
    func prepare() throws(CommandFailure) {
        guard let output, !takesStandardOutput else { return }
        try OutputFile(path: output).prepare(as: "baseline file")
    }

    /// Writes the measured behaviour.
    func write(_ results: CheckResults, server: String?) throws(CommandFailure) {
        guard let output else { return }
        let text = CheckBaseline(results, server: server).text
        if takesStandardOutput { return Output.standard.write(text) }
        try OutputFile(path: output).write(text, as: "baseline file")
    }
}
