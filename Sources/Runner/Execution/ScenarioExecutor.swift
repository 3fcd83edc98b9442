package import Session
package import SessionTransport
package import Transport

/// What plays a program against a server; a `SessionDriver` in earnest.
package protocol ScenarioExecutor: Sendable {
    /// Plays it. A cancelled task interrupts it; there always is a result.
    func play(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome
}

extension SessionDriver: ScenarioExecutor {}
