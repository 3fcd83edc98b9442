import Diagnostics
import Results
import Synchronization

/// A record of the scenario after which a shared server stopped accepting logins, if it did.
final class ServerHistory: Sendable {
    private struct State {
        /// Name of the most recently ended scenario, regardless of its verdict; nil if none has
        /// ended.
        var last: String?
        /// Name of the scenario after which no scenario has been able to log in; nil as long as
        /// logins succeed.
        var suspect: String?
        var hasPassed = false
    }

    private let state = Mutex(State())

    /// Records the result of a scenario.
    ///
    /// - Returns: The last scenario before logins began to fail, if this scenario could not log in
    ///   although earlier scenarios could; otherwise nil.
    func note(_ result: ScenarioResult) -> String? {
        state.withLock { state in
            defer { state.last = result.fullName }
            guard result.failedInDialect else {
                if result.verdict == .passed {
                    state.hasPassed = true
                    state.suspect = nil
                }
                return nil
            }
            guard state.hasPassed else { return nil }
            state.suspect = state.suspect ?? state.last
            return state.suspect
        }
    }
}

extension ScenarioResult {
    /// The path, followed by the data row's number, if any, and by the segmentation unless it is
    /// the default.
    var fullName: String {
        let name = row.map { "\(path) [row \($0)]" } ?? path
        return segmentation == .whole ? name : "\(name) [\(segmentation.word)]"
    }

    /// True if a dialect behaviour such as `login` failed, rather than a step of the scenario, or
    /// if a connection could not be established although others could.
    package var failedInDialect: Bool {
        guard [.failed, .inconclusive].contains(verdict) else { return false }
        // The server still accepts logins under other names.
        if dialectError?.code == .nameTaken { return false }
        if dialectError != nil { return true }
        return isUnreachable
            && !diagnostics.contains { $0.severity == .error && $0.location != nil }
    }

    /// Adds a note to the error that decided the verdict.
    mutating func explain(_ note: String) {
        guard let index = diagnostics.lastIndex(where: { $0.severity == .error }) else {
            return reason = reason.isEmpty ? note : "\(reason); \(note)"
        }
        diagnostics[index] = diagnostics[index].note(note)
    }
}
