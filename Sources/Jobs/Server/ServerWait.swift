import Console
import Diagnostics
import Results
import Runner
import Transport

/// A wait until a running server accepts connections (`--wait`).
struct ServerWait {
    /// Maximum time to wait, in nanoseconds; nil to try only once.
    let limit: Int64?
    let interruptions: Interruptions
    /// TLS settings; nil for servers that do not use TLS.
    var security: (any ConnectionSecurity)?

    /// Tries to connect until the server accepts the connection, the time is up, or a signal
    /// arrives.
    func reach(_ endpoint: Endpoint) async -> (failure: ConnectFailure?, signal: Int32?) {
        guard let limit else { return (await ConnectionProbe.failure(of: endpoint), nil) }
        let found = await Job.run(until: interruptions, helpers: []) {
            await ConnectionProbe.failure(of: endpoint, afterNanoseconds: limit)
        }
        return (found.value, found.signal)
    }

    /// Waits until the server accepts connections. Throws an error if it does not, or if the TLS or
    /// WebSocket handshake fails.
    ///
    /// - Parameter code: Code of the diagnostic if the server does not accept connections.
    /// - Returns: The signal that ended the wait; nil if none did.
    func require(
        _ endpoint: Endpoint, _ code: DiagnosticCode
    ) async throws(CommandFailure) -> Int32? {
        let (failure, signal) = await reach(endpoint)
        if let failure, signal == nil {
            throw CommandFailure(.unavailable, code, failure.reason)
        }
        if endpoint.needsHandshake, security != nil || !endpoint.isSecure, signal == nil,
            let failure = await ConnectionProbe.failure(of: endpoint, securedBy: security)
        {
            throw CommandFailure(
                .unavailable, code, failure.reason, help: failure.cause.hint(at: endpoint))
        }
        return signal
    }
}
