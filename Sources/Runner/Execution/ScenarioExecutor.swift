package import Session
package import SessionTransport
package import Transport

/// A type that runs programs against a server. Outside tests, this is always `SessionDriver`.
package protocol ScenarioExecutor: Sendable {
    /// Runs a program. Connection failures are part of the outcome. Cancelling the task interrupts
    /// the run.
    func run(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome
}

extension SessionDriver: ScenarioExecutor {}
