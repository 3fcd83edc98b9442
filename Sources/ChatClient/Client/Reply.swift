import ChatModel
import Synchronization

/// The one answer to a request, for whoever waits: given once, whoever gives it first.
final class Reply<Value: Sendable>: Sendable {
    private let waiter: Mutex<(@Sendable (Result<Value, ChatError>) -> Void)?>

    init(_ waiter: @escaping @Sendable (Result<Value, ChatError>) -> Void) {
        self.waiter = Mutex(waiter)
    }

    /// Gives the answer, unless there has been one. No lock is held while the waiter is called.
    func give(_ result: Result<Value, ChatError>) {
        let waiter = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        waiter?(result)
    }
}

extension ListenerExecutor {
    /// Calls `then` on the executor.
    func call<Value: Sendable>(
        _ then: @escaping @Sendable (Result<Value, ChatError>) -> Void
    ) -> Reply<Value> {
        Reply { result in self.submit { then(result) } }
    }
}
