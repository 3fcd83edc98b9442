import Dispatch

/// Runs work that blocks on a thread of its own and waits for its result.
package func onThread<Outcome: Sendable>(
    _ name: String, _ body: @escaping @Sendable () -> Outcome
) async -> Outcome {
    await withCheckedContinuation { continuation in
        startThread(name) { continuation.resume(returning: body()) }
    }
}

/// Starts work that blocks, on a thread of its own.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    // A queue that targets no other one has a thread of its own while it is busy.
    DispatchQueue(label: name).async(execute: body)
}
