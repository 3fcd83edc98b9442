import Console
import Diagnostics
import Results
import Transport

/// Waits for a running server (`--wait`).
struct ServerWait {
    /// Nanoseconds; nil for a single attempt.
    let limit: Int64?
    let interruptions: Interruptions

    /// Tries to connect until the server accepts, the time is over, or a signal arrives.
    func reach(_ endpoint: Endpoint) async -> (failure: ConnectFailure?, signal: Int32?) {
        guard let limit else { return (await ConnectionProbe.failure(of: endpoint), nil) }
        let found = await Job.run(until: interruptions, helpers: []) {
            await ConnectionProbe.failure(of: endpoint, afterNanoseconds: limit)
        }
        return (found.value, found.signal)
    }

    /// Waits until the server accepts connections, and throws if it does not.
    ///
    /// - Parameter code: the code of the error.
    /// - Returns: the signal that ended the wait, if any.
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
