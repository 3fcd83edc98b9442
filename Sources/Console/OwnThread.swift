import Dispatch

/// Runs blocking work on its own thread and waits for the result.
package func onThread<Outcome: Sendable>(
    _ name: String, _ body: @escaping @Sendable () -> Outcome
) async -> Outcome {
    await withCheckedContinuation { continuation in
        startThread(name) { continuation.resume(returning: body()) }
    }
}

/// Starts blocking work on its own thread.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    // A queue without a target queue has its own thread while it is busy.
    DispatchQueue(label: name).async(execute: body)
}
