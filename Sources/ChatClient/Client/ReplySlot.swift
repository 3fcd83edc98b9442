import ChatModel
import Synchronization

/// State shared by a waiting task and its cancellation handler, which can run in either order.
final class ReplySlot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(Reply<Value>, RequestID?)
        case cancelled
    }

    private let state = Mutex(State.empty)

    func set(_ reply: Reply<Value>, _ id: RequestID?) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .waiting(reply, id)
            return false
        }
        if isCancelled { reply.give(.failure(.cancelled)) }
    }

    /// Cancels the wait. If a request has been started, passes its id to `abandon`.
    func cancel(_ abandon: (RequestID) -> Void) {
        let before = state.withLock { state in
            defer { state = .cancelled }
            return state
        }
        guard case .waiting(let reply, let id) = before else { return }
        reply.give(.failure(.cancelled))
        if let id { abandon(id) }
    }
}
