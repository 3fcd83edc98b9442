import Conformance
import Console
import Results

/// Files that `--out` writes: a scenario for each failure, with its transcript and capture.
struct CheckScenarioFiles {
    /// Path of the folder; nil if no files are written.
    let folder: String?

    /// Creates a writer of files to `folder`. If there are several servers, each has its own
    /// subfolder.
    init(folder: String?, of server: String? = nil) {
        self.folder = folder.map { folder in
            server.map { "\(folder)/\(Self.fileName($0))" } ?? folder
        }
    }

    /// Path of the log of a server that is started here.
    var serverLog: String? { folder.map { "\($0)/server.log" } }

    /// Checks that the log can be written.
    func prepareLog() throws(CommandFailure) {
        if let serverLog { try OutputFile(path: serverLog).prepare(as: "log") }
    }

    /// Writes the files, and stores their paths in the results. The user's dialect is copied, so
    /// that the scenarios can be run from any folder.
    func write(_ results: inout CheckResults, _ subject: Subject) throws {
        guard let folder else { return }
        if let file = subject.dialectFile, results.checks.contains(where: { $0.scenario != nil }) {
            try write(file.bytes, "\(folder)/\(file.name)")
        }
        for index in results.checks.indices {
            guard let text = results.checks[index].scenario else { continue }
            let name = "\(folder)/\(Self.fileName("\(results.checks[index].id)"))"
            let evidence = CheckEvidence(results.checks[index], of: results)
            try write(Array(text.utf8), "\(name).chat")
            try write(try evidence.lines(), "\(name).jsonl")
            try write(evidence.capture, "\(name).pcapng")
            results.checks[index].scenarioPath = "\(name).chat"
        }
    }

    private func write(_ bytes: [UInt8], _ path: String) throws(CommandFailure) {
        do {
            try OutputFile(path: path).prepare()
            try OutputFile(path: path).write(bytes)
        } catch {
            throw CommandFailure(writing: "report", path, error)
        }
    }

    /// Returns the text without characters that have a special meaning in paths or shells.
    static func fileName(_ text: String) -> String {
        String(
            text.map { letter in
                letter.isASCII && (letter.isLetter || letter.isNumber || ".-".contains(letter))
                    ? letter : "-"
            })
    }
}
