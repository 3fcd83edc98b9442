import Conformance
import Console
import Glibc
import Results

/// The files written by `--out`: for each failure, a scenario with its transcript and capture.
struct CheckScenarioFiles {
    /// Output folder; nil to write no files.
    let folder: String?

    /// Uses the folder `folder`, or a subfolder named after `server` if there are several
    /// servers.
    init(folder: String?, of server: String? = nil) {
        self.folder = folder.map { folder in
            server.map { "\(folder)/\(Self.fileName($0))" } ?? folder
        }
    }

    /// Log path for a server started by this command; nil if no files are written.
    var serverLog: String? { folder.map { "\($0)/server.log" } }

    /// Checks that the server's log can be written.
    func prepareLog() throws(CommandFailure) {
        if let serverLog { try OutputFile(path: serverLog).prepare(as: "log") }
    }

    /// Writes the files and stores their paths in the results.
    func write(_ results: inout CheckResults, _ subject: Subject) throws {
        for index in results.checks.indices {
            results.checks[index].scenarioPath = try write(
                results.checks[index], of: results, subject)
        }
    }

    /// Writes a failed check's files. A dialect file given by the user is copied along with the
    /// files that it is based on, so that the scenario runs from any folder.
    ///
    /// - Returns: The scenario's path; nil if no scenario was written.
    @discardableResult
    func write(
        _ check: CheckResult, of results: CheckResults, _ subject: Subject
    ) throws -> String? {
        guard let folder, let text = check.scenario else { return nil }
        for file in subject.dialectFiles {
            try write(file.bytes, "\(folder)/\(file.name)", isSource: true)
        }
        let name = name(of: check.id, in: folder)
        let evidence = CheckEvidence(check, of: results)
        try write(try evidence.lines(), "\(name).jsonl")
        try write(evidence.capture, "\(name).pcapng")
        try write(Array(text.utf8), "\(name).chat", isSource: true)
        return "\(name).chat"
    }

    /// Removes the files written for a check, if there are any.
    func remove(_ id: CheckID) {
        guard let folder else { return }
        let name = name(of: id, in: folder)
        for suffix in ["chat", "jsonl", "pcapng"] { _ = unsafe unlink("\(name).\(suffix)") }
    }

    private func name(of id: CheckID, in folder: String) -> String {
        "\(folder)/\(Self.fileName("\(id)"))"
    }

    /// - Parameter isSource: True for scenarios and dialects, which are not masked, as that would
    ///   change their meaning. Scenarios contain variables instead of secrets.
    private func write(
        _ bytes: [UInt8], _ path: String, isSource: Bool = false
    ) throws(CommandFailure) {
        do {
            try OutputFile(path: path).prepare()
            let file = OutputFile(path: path)
            if isSource { try file.writeUnmasked(bytes) } else { try file.write(bytes) }
        } catch {
            throw CommandFailure(writing: "report", path, error)
        }
    }

    /// Returns the text without characters that are special in paths or in a shell.
    static func fileName(_ text: String) -> String {
        String(
            text.map { letter in
                letter.isASCII && (letter.isLetter || letter.isNumber || ".-".contains(letter))
                    ? letter : "-"
            })
    }
}
