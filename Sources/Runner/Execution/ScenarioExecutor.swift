package import Session
package import SessionTransport
package import Transport

/// Executor of programs against a server. In production it is `SessionDriver`.
package protocol ScenarioExecutor: Sendable {
    /// Runs a program. It always returns a result. Cancelling the task interrupts the run.
    func run(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome
}

extension SessionDriver: ScenarioExecutor {}
