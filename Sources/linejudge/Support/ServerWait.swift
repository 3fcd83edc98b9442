import Console
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
}
