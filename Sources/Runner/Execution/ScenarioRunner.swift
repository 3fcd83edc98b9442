package import ChatModel
import Diagnostics
package import Results
import Scenario
import Session
import Transport

/// Plays scenarios against a server.
package struct ScenarioRunner: Sendable {
    let options: RunOptions
    let executor: any ScenarioExecutor

    /// A runner.
    package init(_ options: RunOptions, executor: any ScenarioExecutor) {
        self.options = options
        self.executor = executor
    }

    /// Plays scenarios and returns what was found. A cancelled task ends it early: what was not
    /// decided is inconclusive, and the results say that they are not whole.
    ///
    /// - Parameters:
    ///   - scenarios: what is played.
    ///   - events: tells of each scenario. The end is left to the caller, who may add to the results.
    package func run(
        _ scenarios: [LoadedScenario], telling events: Multicast<RunEvent>? = nil
    ) async -> RunResults {
        let clock = ContinuousClock()
        let begin = clock.now
        let run = Run(
            RunPlan(scenarios, options), telling: events,
            schema: options.schema == .off
                ? nil : RunCommandTables(isMasked: !options.variables.secrets.isEmpty))
        var results = RunResults(
            toolVersion: options.toolVersion, seed: options.seed, server: serverDescription,
            startedAt: options.startedAt)
        if let command = options.command {
            do {
                var command = command
                command.endpoint = command.endpoint ?? completed(options.endpoint, scenarios)
                results.server.endpoint = try await ServerUnderTest.run(command) { server in
                    await play(run, at: server)
                    return server.endpoint.description
                }
            } catch {
                run.giveUp(diagnostics(of: error))
                results.diagnostics += diagnostics(of: error)
            }
        } else {
            await play(run, at: nil)
        }
        results.scenarios = run.results()
        results.commandTables = run.schema?.tables ?? []
        results.brokenLinesFail = options.schema == .fail
        results.interruption = Task.isCancelled ? .interrupted : run.isFailedFast ? .failFast : nil
        results.duration = (clock.now - begin).nanoseconds
        return results
    }

    private var serverDescription: ServerDescription {
        ServerDescription(
            endpoint: options.endpoint?.description ?? "", software: options.software?.name,
            version: options.software?.version, command: options.command?.text)
    }

    /// A server that is started for all scenarios has one port: that of the first one's dialect, if
    /// none is given.
    private func completed(_ endpoint: Endpoint?, _ scenarios: [LoadedScenario]) -> Endpoint? {
        endpoint?.withDefaultPort(scenarios.lazy.compactMap(\.defaultPort).first)
    }

    func diagnostics(of error: any Error) -> [Diagnostic] {
        (error as? Diagnosed)?.diagnostics
            ?? [
                Diagnostic(
                    .error, .serverNotStarted,
                    error is CancellationError
                        ? "interrupted before the server listened"
                        : escapedForDisplay(String(describing: error)))
            ]
    }

    // MARK: Many at a time

    /// Plays all entries, so many at a time.
    private func play(_ run: Run, at server: RunningServer?) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<max(1, min(options.jobs, RunOptions.jobsMax)) {
                group.addTask {
                    while let (place, entry) = run.next() {
                        let result = await self.result(of: entry, at: server, run.schema)
                        let isEnough = options.isFailFast && result.verdict == .failed
                        run.finish(place, result, isEnough: isEnough)
                    }
                }
            }
        }
    }
}

extension Duration {
    /// All of it in nanoseconds.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
