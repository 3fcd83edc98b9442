import Conformance
import Diagnostics
import Report
import Results
import Runner

/// The lock file that a check writes, or is held against.
struct BaselineFile {
    /// Where the lock is written.
    private let output: String?
    /// What the server is held against, and how that is called.
    let pinned: (lock: CheckBaseline, name: String)?

    init(_ options: BaselineOptions) throws(CommandFailure) {
        output = options.writeBaseline
        pinned = try options.baseline.map { path throws(CommandFailure) in
            (try Self.read(path), path == "-" ? "standard input" : path)
        }
    }

    /// Reads a lock file, or says what is wrong with it.
    static func read(_ path: String) throws(CommandFailure) -> CheckBaseline {
        try parse(try TextFiles.read(path, bytesMax: CheckBaseline.bytesMax))
    }

    /// What a lock file says, or what is wrong with it.
    static func parse(_ source: SourceText) throws(CommandFailure) -> CheckBaseline {
        do {
            return try BaselineReader.lock(source)
        } catch {
            throw CommandFailure(.unparsable, error)
        }
    }

    /// Whether the server is measured, not judged.
    var isWritten: Bool { output != nil }

    /// Whether the lock goes to standard output.
    var takesStandardOutput: Bool { output.map(OutputFile.isStandardOutput) ?? false }

    /// Looks whether the lock can be written, before anything is played.
    func prepare() throws(CommandFailure) {
        guard let output, !takesStandardOutput else { return }
        do {
            try OutputFile(path: output).prepare()
        } catch {
            throw CommandFailure(writing: "lock file", output, error)
        }
    }

    /// Writes what was measured.
    func write(_ results: CheckResults, server: String?) throws(CommandFailure) {
        guard let output else { return }
        let text = CheckBaseline(results, server: server).text
        if takesStandardOutput { return Output.standard.write(text) }
        do {
            try OutputFile(path: output).write(Array(text.utf8))
        } catch {
            throw CommandFailure(writing: "lock file", output, error)
        }
    }
}
