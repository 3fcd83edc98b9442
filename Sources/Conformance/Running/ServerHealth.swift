import Results
import Synchronization

/// A detector for the loss of the server. It counts consecutive checks that could not connect or
/// were not served.
final class ServerHealth: Sendable {
    /// The way the server was lost.
    enum Loss: String {
        case connections = "the server no longer accepts connections"
        case logins = "the server no longer accepts logins"
        case noLogin = "not run, because no login succeeded"
    }

    private struct State {
        var misses = 0
        var silences = 0
        /// Logical clock that counts the starts and ends of checks.
        var moment = 0
        /// Logical start time of the last check that was served; nil if none was. In that case,
        /// failed logins do not count as a loss of the server, and every check reports its own
        /// failure, unless logins failed before the checks as well.
        var servedBegin: Int?
    }

    /// Number of checks that may fail to log in if no login has ever succeeded.
    private static let unservedMax = 3

    private let silentMax: Int
    private let loginsFail: Bool
    private let state = Mutex(State())

    /// - Parameters:
    ///   - silentMax: Number of consecutive checks that may fail to log in.
    ///   - loginsFail: Whether no login succeeded before the checks.
    init(silentMax: Int, loginsFail: Bool = false) {
        self.silentMax = silentMax
        self.loginsFail = loginsFail
    }

    /// The way the server was lost; nil if it was not.
    var loss: Loss? {
        state.withLock { state in
            if state.misses >= CheckRunner.unreachableMax { return .connections }
            if state.servedBegin != nil { return state.silences >= silentMax ? .logins : nil }
            return loginsFail && state.silences >= Self.unservedMax ? .noLogin : nil
        }
    }

    /// Records the start of a check and returns its logical time.
    func begin() -> Int {
        state.withLock { state in
            state.moment += 1
            return state.moment
        }
    }

    /// Records the end of a check and returns its logical time.
    ///
    /// - Parameter isControlled: Whether the check had a login or a control step, so that its
    ///   success shows that it was served.
    func end(_ result: CheckResult, begun begin: Int, isControlled: Bool) -> Int {
        let isSilent =
            result.verdict == .inconclusive && result.reason.hasPrefix(Control.noLogin)
        return state.withLock { state in
            state.moment += 1
            state.misses = result.isUnreachable ? state.misses + 1 : 0
            if isSilent || result.isUnreachable {
                state.silences += 1
            } else if isControlled, ![.failed, .inconclusive].contains(result.verdict) {
                state.silences = 0
                state.servedBegin = max(state.servedBegin ?? 0, begin)
            }
            return state.moment
        }
    }

    /// Returns whether the server was lost and has served no check that started after `moment`.
    func wasLost(by moment: Int) -> Bool {
        state.withLock { state in
            state.silences > 0 && state.servedBegin.map { $0 < moment } == true
        }
    }
}
