import Conformance
import Results

/// The scenarios that play failures again, and beside each what was said.
struct CheckScenarioFiles {
    /// Where they are written; nil: nowhere.
    let folder: String?

    /// Scenarios in a folder.
    ///
    /// - Parameter server: one of several, whose scenarios have a folder of their own.
    init(folder: String?, of server: String? = nil) {
        self.folder = folder.map { folder in
            server.map { "\(folder)/\(Self.fileName($0))" } ?? folder
        }
    }

    /// Where the log of a server goes that is started; nil: nowhere.
    var serverLog: String? { folder.map { "\($0)/server.log" } }

    /// Looks whether that log can be written.
    func prepareLog() throws(CommandFailure) {
        guard let serverLog else { return }
        do {
            try OutputFile(path: serverLog).prepare()
        } catch {
            throw CommandFailure(writing: "report", serverLog, error)
        }
    }

    /// Writes them, and notes where each is. A dialect of the user's goes along, so that they can be
    /// run from any folder.
    func write(_ results: inout CheckResults, _ subject: Subject) throws {
        guard let folder else { return }
        if let file = subject.dialectFile, results.checks.contains(where: { $0.scenario != nil }) {
            try write(file.bytes, "\(folder)/\(file.name)")
        }
        for place in results.checks.indices {
            guard let text = results.checks[place].scenario else { continue }
            let name = "\(folder)/\(Self.fileName("\(results.checks[place].id)"))"
            let evidence = CheckEvidence(results.checks[place], of: results)
            try write(Array(text.utf8), "\(name).chat")
            try write(try evidence.lines(), "\(name).jsonl")
            try write(evidence.capture, "\(name).pcapng")
            results.checks[place].scenarioPath = "\(name).chat"
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

    /// A name without what has a meaning in paths and shells.
    static func fileName(_ text: String) -> String {
        String(
            text.map { letter in
                letter.isASCII && (letter.isLetter || letter.isNumber || ".-".contains(letter))
                    ? letter : "-"
            })
    }
}
