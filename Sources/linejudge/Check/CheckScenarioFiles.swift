import Conformance

/// The scenarios that play failures again.
struct CheckScenarioFiles {
    /// Where they are written; nil: nowhere.
    let folder: String?

    /// Writes them, and notes where each is.
    func write(_ results: inout CheckResults) throws(CommandFailure) {
        guard let folder else { return }
        for place in results.checks.indices {
            guard let text = results.checks[place].scenario else { continue }
            let name = "\(results.checks[place].id)".map { letter in
                letter.isASCII && (letter.isLetter || letter.isNumber || ".-".contains(letter))
                    ? letter : "-"
            }
            let path = "\(folder)/\(String(name)).chat"
            do {
                try OutputFile(path: path).prepare()
                try OutputFile(path: path).write(Array(text.utf8))
            } catch {
                throw CommandFailure(report: path, error)
            }
            results.checks[place].scenarioPath = path
        }
    }
}
