import Conformance

/// The scenarios that play failures again.
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

    /// Writes them, and notes where each is.
    func write(_ results: inout CheckResults) throws(CommandFailure) {
        guard let folder else { return }
        for place in results.checks.indices {
            guard let text = results.checks[place].scenario else { continue }
            let path = "\(folder)/\(Self.fileName("\(results.checks[place].id)")).chat"
            do {
                try OutputFile(path: path).prepare()
                try OutputFile(path: path).write(Array(text.utf8))
            } catch {
                throw CommandFailure(report: path, error)
            }
            results.checks[place].scenarioPath = path
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
