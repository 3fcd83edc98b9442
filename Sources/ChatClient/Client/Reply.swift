import ChatModel
import Synchronization

/// Callback for the result of a request. Only the first result is passed on.
final class Reply<Value: Sendable>: Sendable {
    private let waiter: Mutex<(@Sendable (Result<Value, ChatError>) -> Void)?>

    init(_ waiter: @escaping @Sendable (Result<Value, ChatError>) -> Void) {
        self.waiter = Mutex(waiter)
    }

    /// Passes on the result unless one has already been passed on. No lock is held during the call.
    func give(_ result: Result<Value, ChatError>) {
        let waiter = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        waiter?(result)
    }
}

extension ListenerExecutor {
    /// Returns a reply that calls `then` on this executor.
    func call<Value: Sendable>(
        _ then: @escaping @Sendable (Result<Value, ChatError>) -> Void
    ) -> Reply<Value> {
        Reply { result in self.submit { then(result) } }
    }
}
