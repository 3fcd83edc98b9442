import ChatModel
package import Console
import Diagnostics
import Glibc
package import Report
package import Results
package import Runner
import Scenario
import SessionTransport
import Transport

/// Settings of `run` for its output and for waiting for the server.
package struct RunDisplay: Sendable {
    /// 1 to show more detail; 2 to also show every line sent and received.
    package var detail = 0
    /// True to show all lines of failed scenarios.
    package var showsTranscripts = false
    /// How long to wait for a running server, in nanoseconds; nil to try only once.
    package var wait: Int64?

    package init() {}
}

/// Execution of the `run` command, from scenario files to exit code.
package struct RunJob: Sendable {
    private var setup: RunSetup
    private let output: JobOutput<ReportFormat>
    private let display: RunDisplay
    private let interruptions: Interruptions

    package init(
        _ setup: RunSetup, _ output: JobOutput<ReportFormat>, _ display: RunDisplay,
        until interruptions: Interruptions
    ) {
        self.setup = setup
        self.output = output
        self.display = display
        self.interruptions = interruptions
    }

    /// Loads the selected scenarios.
    package func scenarios(_ words: [String]) throws -> [LoadedScenario] {
        let selected = try setup.scenarios(words, usesBuiltIn: isBuiltIn)
        setup.hideSecrets(of: selected.scenarios)
        output.show(selected.notes)
        return selected.scenarios
    }

    /// True to use the reference server.
    private var isBuiltIn: Bool { setup.options.endpoint == nil && setup.options.command == nil }

    // MARK: Without running

    /// Maximum width of the path column. Longer paths extend beyond it.
    private static let pathColumnsMax = 60

    /// Lists the scenarios (`--list`).
    package func list(_ scenarios: [LoadedScenario]) -> ExitCode {
        let style = output.colours.style(for: .standard)
        let ordered = RunPlan.order(scenarios, setup.options)
        let widths = ordered.map { ColumnText.width(escapedForDisplay($0.path)) }
        let column = min(widths.max() ?? 0, Self.pathColumnsMax)
        for scenario in ordered {
            let tags = scenario.tags.map { "#" + escapedForDisplay($0) }.joined(separator: " ")
            let title = escapedForDisplay(scenario.title)
            let path = ColumnText.padded(escapedForDisplay(scenario.path), to: column)
            let rows = scenario.data.map { "  (\(counted($0.rows.count, "row")))" } ?? ""
            let line = path + "  " + style(title, .bold) + rows
            Output.standard.write(line + (tags.isEmpty ? "" : "  " + style(tags, .dim)) + "\n")
        }
        if setup.options.shuffleSeed != nil {
            let seed = setup.options.seed
            Output.error.write(
                "shuffled with seed \(seed); repeat this order with --shuffle --seed \(seed)\n")
        }
        return showErrors(of: scenarios)
    }

    /// Checks the scenarios without running them (`--dry-run`).
    package func check(_ scenarios: [LoadedScenario]) -> ExitCode {
        let invalid = scenarios.count { $0.program == nil }
        let valid = scenarios.count - invalid
        let runs = RunPlan.count(scenarios, setup.options) - invalid
        let errors = invalid == 0 ? "" : ", \(invalid) with errors"
        Output.standard.write(
            "\(counted(valid, "scenario")) would run (\(counted(runs, "run")))"
                + "\(errors)\n")
        return showErrors(of: scenarios, all: true)
    }

    /// - Parameter all: True to show warnings and notes as well.
    private func showErrors(of scenarios: [LoadedScenario], all: Bool = false) -> ExitCode {
        let diagnostics = scenarios.flatMap(\.diagnostics)
            .filter { $0.severity == .error || all }
        output.show(diagnostics)
        return scenarios.allSatisfy { $0.program != nil } ? .ok : .unparsable
    }

    // MARK: Running

    /// Runs the scenarios, writes the reports, and returns the exit code.
    package func run(_ scenarios: [LoadedScenario]) async throws -> ExitCode {
        try setup.options.command?.checkProgram()
        let security = try setup.security(for: scenarios)
        try output.reports.prepare()
        if let signal = await waitForServer(scenarios) { return signal.ending }
        let console = RunConsole(output: output.people, report: pretty, log: output.log)
        let runs = RunPlan.count(scenarios, setup.options)
        let events = Multicast<RunEvent> { Output.error.write("\($0)\n") }
        try events.add(console.listener(runs: runs))
        let interim = InterimReports(
            output.reports,
            RunResults(
                toolVersion: setup.options.toolVersion, seed: setup.options.seed,
                server: ServerDescription(endpoint: ""), startedAt: setup.options.startedAt,
                interruption: .unfinished))
        let queue = ListenerQueue(eventsMax: RunEvent.countMax(runs: runs))
        try events.add(
            Listener(named: "the interim reports", on: .pool, queue: queue) { event in
                guard case .settled(let result) = event else { return }
                interim.update { results, elapsed in
                    results.scenarios.append(result)
                    results.duration = elapsed
                }
            })
        let results = try await results(of: scenarios, security, console, events, interim)
        events.broadcast(.finished(results))
        await events.finishAndWait()
        keepFailures(results)
        try output.finish(results)
        return results.exitCode
    }

    /// Waits until the server accepts connections (`--wait`). If it never does, each scenario
    /// reports that the server is unreachable.
    ///
    /// - Returns: The signal that ended the wait; nil if none did.
    private func waitForServer(_ scenarios: [LoadedScenario]) async -> Int32? {
        let port = scenarios.lazy.compactMap(\.defaultPort).first
        guard let limit = display.wait,
            let endpoint = setup.options.endpoint?.withDefaultPort(port), endpoint.isComplete
        else { return nil }
        return await ServerWait(limit: limit, interruptions: interruptions).reach(endpoint).signal
    }

    private func results(
        of scenarios: [LoadedScenario], _ security: (any ConnectionSecurity)?,
        _ console: RunConsole, _ events: Multicast<RunEvent>,
        _ interim: InterimReports<ReportFormat>
    ) async throws -> RunResults {
        let executor = executor(console, security)
        // An `exec` line in any scenario takes precedence over the reference server.
        let startOwn = scenarios.contains { $0.file?.header.command != nil }
        guard isBuiltIn, !startOwn else {
            return await execute(scenarios, setup.options, executor, console, events, interim)
        }
        let dialect = try BuiltInServer.dialect(of: scenarios)
        return try await BuiltInServer.run(speaking: dialect) { endpoint in
            var options = setup.options
            options.endpoint = endpoint
            options.software = options.software ?? Software(name: "linejudge", version: toolVersion)
            return await execute(scenarios, options, executor, console, events, interim)
        }
    }

    /// Runs all scenarios, stopping if a signal arrives.
    private func execute(
        _ scenarios: [LoadedScenario], _ options: RunOptions, _ executor: any ScenarioExecutor,
        _ console: RunConsole, _ events: Multicast<RunEvent>,
        _ interim: InterimReports<ReportFormat>
    ) async -> RunResults {
        let runner = ScenarioRunner(options, executor: executor)
        let description = ServerDescription(
            endpoint: options.endpoint?.description ?? "", software: options.software?.name,
            version: options.software?.version, command: options.command?.text)
        interim.update { results, _ in results.server = description }
        console.begin(
            server: description, scenarioCount: scenarios.count,
            runCount: RunPlan.count(scenarios, options), seed: options.seed)
        let found = await Job.run(
            until: interruptions, helpers: [{ await console.tick() }, { await interim.tick() }]
        ) { await runner.run(scenarios, reportingTo: events) }
        var results = found.value
        if found.signal == SIGTERM, results.interruption == .interrupted {
            results.interruption = .terminated
        }
        return results
    }

    private func executor(
        _ console: RunConsole, _ security: (any ConnectionSecurity)?
    ) -> any ScenarioExecutor {
        let driver = SessionDriver(security: security)
        guard display.detail > 1 else { return driver }
        return TracingExecutor(
            executor: driver, console: console, style: output.colours.style(for: .error))
    }

    // MARK: Output

    private var pretty: PrettyReport {
        var report = PrettyReport(
            style: output.style, columns: output.people.columns,
            verbosity: output.isQuiet ? .quiet : display.detail > 0 ? .verbose : .normal,
            showsTranscripts: display.showsTranscripts,
            rerunCommand: RerunCommand.text(
                Array(CommandLine.arguments.dropFirst()), seed: setup.options.seed))
        report.foldsTranscripts = output.log.hasCommands
        return report
    }

    /// Saves the failures for `--last-failed`. Errors are only shown with `-v`.
    private func keepFailures(_ results: RunResults) {
        guard let folder = StateFolder.path else { return }
        let before = LastFailed(folder: folder)
        var after = before
        after.update(with: results)
        guard after != before else { return }
        do {
            try after.write(folder: folder)
        } catch {
            if display.detail > 0 {
                Output.error.write(DiagnosticRenderer().text(error.diagnostics))
            }
        }
    }
}
