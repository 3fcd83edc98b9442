import Diagnostics
import Results
import Synchronization

/// Effects of scenarios on a server that they share, to explain later failures.
final class ServerHistory: Sendable {
    private struct State {
        /// The scenario that ended last, whatever its verdict.
        var last: String?
        /// The scenario after which none has logged in; nil while logins succeed.
        var suspect: String?
        var hasPassed = false
    }

    private let state = Mutex(State())

    /// Records the result of a scenario.
    ///
    /// - Returns: the scenario after which no other has logged in, if this one could not, but earlier
    ///   ones could.
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
    /// The path, followed by the row, if any, and the segmentation unless it is the default.
    var fullName: String {
        let name = row.map { "\(path) [row \($0)]" } ?? path
        return segmentation == .whole ? name : "\(name) [\(segmentation.word)]"
    }

    /// True if a behaviour of the dialect failed, such as `login`, rather than a step of the scenario,
    /// or no connection could be made although others were.
    package var failedInDialect: Bool {
        guard [.failed, .inconclusive].contains(verdict) else { return false }
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
