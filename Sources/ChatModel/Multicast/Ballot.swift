import Synchronization

/// The listeners' answers to one question.
final class Ballot: Sendable {
    private struct State {
        /// Names of the listeners that have not answered yet.
        var open: [ListenerID: String] = [:]
        var askedCount = 0
        var objector: String?
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?

        var isDecided: Bool { objector != nil || open.isEmpty }
    }

    private let state = Mutex(State())

    /// Registers the listeners that are asked. Must be called before any of them can answer.
    func open(for listeners: [(id: ListenerID, name: String)]) {
        state.withLock { state in
            for (id, name) in listeners { state.open[id] = name }
            state.askedCount = listeners.count
        }
    }

    /// Records a listener's answer.
    ///
    /// - Parameter answer: nil if the listener's object no longer exists, in which case the
    ///   listener is treated as not asked.
    func answer(_ answer: Bool?, from id: ListenerID) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isClosed, let name = state.open.removeValue(forKey: id) else { return nil }
            if answer == nil { state.askedCount -= 1 }
            if answer == false { state.objector = name }
            return state.isDecided ? state.waiter.take() : nil
        }
        waiter?.resume()
    }

    var isDecided: Bool { state.withLock { $0.isDecided } }

    /// Waits until the question is decided or the task is cancelled.
    func decision() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDecided = state.withLock { state in
                    guard !state.isDecided, !state.isClosed, !Task.isCancelled else { return true }
                    state.waiter = continuation
                    return false
                }
                if isDecided { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiter.take() }?.resume()
        }
    }

    /// Closes the ballot and returns the result. Later answers are ignored.
    func close(_ silence: Consent.Silence) -> Consent {
        state.withLock { state in
            state.isClosed = true
            let silent = state.objector == nil ? state.open.values.sorted() : []
            return Consent(
                isYes: state.objector == nil && (silent.isEmpty || silence == .countsAsYes),
                objector: state.objector, silent: silent, askedCount: state.askedCount)
        }
    }
}
