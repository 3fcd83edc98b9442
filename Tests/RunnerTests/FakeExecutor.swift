import Diagnostics
import Results
import Runner
import Scenario
import Session
import Synchronization
import SessionTransport
import Transport

/// An executor whose outcomes are set by the test, and which records its calls.
final class FakeExecutor: ScenarioExecutor {
    struct Execution: Sendable, Equatable {
        var path: String
        var seed: UInt64
        var segmentation: Segmentation
        var endpoint: String
    }

    typealias Decision = @Sendable (_ path: String, _ attempt: Int) async -> ScenarioOutcome.Outcome

    private let decide: Decision
    private let state = Mutex<[Execution]>([])

    init(_ decide: @escaping Decision) { self.decide = decide }

    var executions: [Execution] { state.withLock { $0 } }

    func run(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome {
        let path = program.file.source.path
        let attempt = state.withLock { executions in
            executions.append(
                Execution(
                    path: path, seed: options.seed, segmentation: options.segmentation,
                    endpoint: endpoint.location))
            return executions.count { $0.path == path }
        }
        let outcome = await decide(path, attempt)
        let diagnostic = Diagnostic(.error, "test.code", "attempt \(attempt) \(outcome.rawValue)")
        return SessionOutcome(
            result: ScenarioOutcome(
                outcome: outcome, diagnostic: outcome == .passed ? nil : diagnostic, line: 3,
                duration: 5, stepsRun: 1),
            connectionsMade: outcome == .inconclusive ? 0 : 1,
            connectFailure: outcome == .inconclusive ? "refused" : nil)
    }
}

func scenario(_ path: String, _ header: String = "") -> LoadedScenario {
    let text = "dialect plain\n\(header)\na -> x\na <- y\n"
    return ScenarioLoader().load(SourceText(path: path, text: text))
}

func options(_ change: (inout RunOptions) -> Void = { _ in }) throws -> RunOptions {
    var options = RunOptions(toolVersion: "test", startedAt: 1_000)
    options.endpoint = try Endpoint(parsing: "server.example:7")
    change(&options)
    return options
}
