package import ChatModel
import Console
import Diagnostics
package import Results
import Scenario
import Session
import Transport

/// A runner that executes scenarios against a server.
package struct ScenarioRunner: Sendable {
    let options: RunOptions
    let executor: any ScenarioExecutor
    let isUnansweredSeen = SharedFlag()
    /// Set if the server refused a login under other names as well.
    let areOtherNamesRefused = SharedFlag()
    let surveyor: ServerSurveyor
    let secrets = RunSecrets()

    package init(_ options: RunOptions, executor: any ScenarioExecutor) {
        self.options = options
        self.executor = executor
        surveyor = ServerSurveyor(
            ExecutionOptions(
                variables: options.variables.values, secrets: options.variables.secrets,
                environment: options.environment, seed: options.seed,
                stepTimeout: options.stepTimeout, fileTimeout: options.fileTimeout))
    }

    /// Runs scenarios and returns their results. Cancelling the task ends the run early: undecided
    /// scenarios become inconclusive, and the results are marked as incomplete.
    ///
    /// - Parameters:
    ///   - scenarios: The scenarios to run.
    ///   - events: Broadcast that receives the progress of each scenario. The caller must finish
    ///     it, because the caller may still add to the results.
    package func run(
        _ scenarios: [LoadedScenario], reportingTo events: Multicast<RunEvent>? = nil
    ) async -> RunResults {
        let clock = ContinuousClock()
        let begin = clock.now
        let plan = RunPlan(scenarios, options)
        secrets.add(plan, options)
        let run = Run(
            plan, reportingTo: events,
            schema: options.schema == .off
                ? nil : RunCommandTables())
        var results = RunResults(
            toolVersion: options.toolVersion, seed: options.seed, server: serverDescription,
            startedAt: options.startedAt)
        if let command = options.command, scenarios.contains(where: isExecuted) {
            var command = command
            command.endpoint = command.endpoint ?? completed(options.endpoint, scenarios)
            let (endpoint, failures) = await execute(run, on: command)
            results.server.endpoint = endpoint?.description ?? results.server.endpoint
            if let failure = failures.first {
                let found = diagnostics(of: failure)
                run.giveUp(found)
                results.diagnostics += found
            }
        } else {
            await execute(run, at: nil)
        }
        results.scenarios = run.results()
        results.commandTables = run.schema?.tables ?? []
        results.brokenLinesFail = options.schema == .fail
        results.interruption = Task.isCancelled ? .interrupted : run.isFailedFast ? .failFast : nil
        results.duration = (clock.now - begin).nanoseconds
        return results
    }

    /// True if the scenario has no errors and is not skipped. The others need no server.
    private func isExecuted(_ scenario: LoadedScenario) -> Bool {
        scenario.program != nil && scenario.skip(on: options.software) == nil
    }

    private var serverDescription: ServerDescription {
        ServerDescription(
            endpoint: options.endpoint?.description ?? "", software: options.software?.name,
            version: options.software?.version, command: options.command?.text)
    }

    /// Completes the endpoint of a server that all scenarios share, if there is one. If it has no
    /// port, uses the first default port among the scenarios' dialects.
    private func completed(_ endpoint: Endpoint?, _ scenarios: [LoadedScenario]) -> Endpoint? {
        endpoint?.withDefaultPort(scenarios.lazy.compactMap(\.defaultPort).first)
    }

    func diagnostics(of error: any Error) -> [Diagnostic] {
        (error as? Diagnosed)?.diagnostics
            ?? [
                Diagnostic(
                    .error, .serverNotStarted,
                    error is CancellationError
                        ? "interrupted before the server was ready"
                        : escapedForDisplay(String(describing: error)))
            ]
    }

    // MARK: Parallel execution

    var workerCount: Int { max(1, min(options.jobs, RunOptions.jobsMax)) }

    /// Runs all entries, up to `jobs` of them in parallel, either on a running server or on servers
    /// that the scenarios start.
    func execute(_ run: Run, at server: RunningServer?) async {
        let history = ServerHistory()
        let isShared = server != nil || options.endpoint != nil
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<workerCount {
                group.addTask {
                    while let (index, entry) = run.next() {
                        var result = await self.result(of: entry, at: server, run.schema)
                        if isShared, let suspect = history.note(result) {
                            result.explain("no login has succeeded since \(suspect) ended")
                        }
                        let isEnough = options.isFailFast && result.verdict == .failed
                        run.finish(index, result, isEnough: isEnough)
                    }
                }
            }
        }
    }
}
