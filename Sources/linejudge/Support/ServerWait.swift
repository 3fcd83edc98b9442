import Console
import Diagnostics
import Results
import Transport

/// Wait for a running server (`--wait`).
struct ServerWait {
    /// Maximum wait in nanoseconds; nil for a single attempt.
    let limit: Int64?
    let interruptions: Interruptions

    /// Tries to connect until the server accepts the connection, the time is up, or a signal
    /// arrives.
    func reach(_ endpoint: Endpoint) async -> (failure: ConnectFailure?, signal: Int32?) {
        guard let limit else { return (await ConnectionProbe.failure(of: endpoint), nil) }
        let found = await Job.run(until: interruptions, helpers: []) {
            await ConnectionProbe.failure(of: endpoint, afterNanoseconds: limit)
        }
        return (found.value, found.signal)
    }

    /// Waits until the server accepts connections, and throws if it does not.
    ///
    /// - Parameter code: Code of the error.
    /// - Returns: The signal that ended the wait; nil if none did.
    func require(
        _ endpoint: Endpoint, _ code: DiagnosticCode
    ) async throws(CommandFailure) -> Int32? {
        let (failure, signal) = await reach(endpoint)
        if let failure, signal == nil {
            throw CommandFailure(.unavailable, code, failure.reason)
        }
        return signal
    }
}
