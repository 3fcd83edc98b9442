import Results
import Synchronization

/// How many checks one after another have not reached the server, or were not served by it at all.
final class ServerHealth: Sendable {
    /// Why nothing more is tried.
    enum Loss: String {
        case connections = "the server takes no connections any more"
        case logins = "the server serves no logins any more"
    }

    private struct State {
        var misses = 0
        var silences = 0
        /// How many checks have begun or ended: a clock.
        var moment = 0
        /// When the last of those began that were served; nil: none was. Then nothing is lost, and every check says
        /// by itself what is wrong.
        var servedBegin: Int?
    }

    private let silentMax: Int
    private let state = Mutex(State())

    init(silentMax: Int) { self.silentMax = silentMax }

    /// Why nothing more has to be tried; nil as long as something has.
    var loss: Loss? {
        state.withLock { state in
            if state.misses >= CheckRunner.unreachableMax { return .connections }
            return state.servedBegin != nil && state.silences >= silentMax ? .logins : nil
        }
    }

    /// The moment in which a check begins.
    func begin() -> Int {
        state.withLock { state in
            state.moment += 1
            return state.moment
        }
    }

    /// The moment in which a check ends that came to this.
    ///
    /// - Parameter isControlled: whether somebody had to be served before the question.
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

    /// Whether the server was lost in the end, and nobody was served who began after that moment.
    func wasLost(by moment: Int) -> Bool {
        state.withLock { state in
            state.silences > 0 && state.servedBegin.map { $0 < moment } == true
        }
    }
}
