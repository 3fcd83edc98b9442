import ChatModel
import Synchronization

/// Passes the result of a request to its waiter once; only the first result counts.
final class Reply<Value: Sendable>: Sendable {
    private let waiter: Mutex<(@Sendable (Result<Value, ChatError>) -> Void)?>

    init(_ waiter: @escaping @Sendable (Result<Value, ChatError>) -> Void) {
        self.waiter = Mutex(waiter)
    }

    /// Passes the result to the waiter, unless the waiter already has one. No lock is held during
    /// the call.
    func give(_ result: Result<Value, ChatError>) {
        let waiter = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        waiter?(result)
    }
}

extension ListenerExecutor {
    /// Returns a reply that calls `then` on the executor.
    func call<Value: Sendable>(
        _ then: @escaping @Sendable (Result<Value, ChatError>) -> Void
    ) -> Reply<Value> {
        Reply { result in self.submit { then(result) } }
    }
}
