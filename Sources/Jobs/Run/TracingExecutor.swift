import Console
import Diagnostics
import Report
import Results
import Runner
import Scenario
import Session
import SessionTransport
import Transport

/// An executor that prints all lines sent and received to standard error after each scenario
/// (`-vv`).
struct TracingExecutor: ScenarioExecutor {
    let executor: any ScenarioExecutor
    let console: RunConsole
    let style: Style

    func run(
        _ program: Program, options: ExecutionOptions, at endpoint: Endpoint
    ) async -> SessionOutcome {
        let outcome = await executor.run(program, options: options, at: endpoint)
        let path = escapedForDisplay(program.file.source.path)
        let title = "\(path) [\(options.segmentation.word)] \(endpoint)"
        let text = TranscriptText(style: style, columns: nil).text(outcome.result.transcript)
        console.write(style(title, .dim) + "\n" + text, to: .error)
        return outcome
    }
}
