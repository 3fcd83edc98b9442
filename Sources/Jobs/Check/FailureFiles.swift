import Conformance
import Results
import Synchronization

/// Writer of failure files. It writes them while checks are still running, so that they survive if
/// the command is killed.
final class FailureFiles: Sendable {
    private let files: CheckScenarioFiles
    private let begun: CheckResults
    private let subject: Subject
    private let written = Mutex<Set<CheckID>>([])

    /// - Parameter begun: The results without any checks.
    init(_ files: CheckScenarioFiles, _ begun: CheckResults, _ subject: Subject) {
        self.files = files
        self.begun = begun
        self.subject = subject
    }

    /// Writes a failure's files. Errors are not reported, because the files are written again at
    /// the end.
    func note(_ result: CheckResult) {
        guard files.folder != nil, result.scenario != nil else { return }
        written.withLock { written in
            written.insert(result.id)
            _ = try? files.write(result, of: begun, subject)
        }
    }

    /// Writes the files of all failures, and removes files that were written for checks that did
    /// not fail after all.
    func finish(_ results: inout CheckResults) throws {
        let failed = Set(results.checks.lazy.filter { $0.scenario != nil }.map(\.id))
        for id in written.withLock(\.self).subtracting(failed) { files.remove(id) }
        try files.write(&results, subject)
    }
}
