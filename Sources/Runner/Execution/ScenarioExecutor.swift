package import Session
package import SessionTransport
package import Transport

/// Runs programs against a server. The production implementation is `SessionDriver`.
package protocol ScenarioExecutor: Sendable {
    /// Runs a program. Always returns a result; cancelling the task interrupts the run.
    func run(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome
}

extension SessionDriver: ScenarioExecutor {}
