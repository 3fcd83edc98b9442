import ChatModel
import Console
import Diagnostics
import Glibc
import Report
import Results
import Runner
import Scenario
import SessionTransport
import Transport

/// Execution of the `run` command, from scenario files to exit code.
struct RunJob {
    let command: RunCommand
    var setup: RunSetup
    let interruptions: Interruptions

    private var display: RunOutputOptions { command.display }

    /// Loads the selected scenarios.
    func scenarios(_ words: [String]) throws -> [LoadedScenario] {
        let selected = try setup.scenarios(words, usesBuiltIn: isBuiltIn)
        display.colours.show(selected.notes)
        return selected.scenarios
    }

    /// True to use the reference server.
    private var isBuiltIn: Bool { setup.options.endpoint == nil && setup.options.command == nil }

    // MARK: Without running

    /// Maximum width of the path column. Longer paths extend beyond it.
    private static let pathColumnsMax = 60

    /// Lists the scenarios (`--list`).
    func list(_ scenarios: [LoadedScenario]) -> Ending {
        let style = display.colours.style(for: .standard)
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
    func check(_ scenarios: [LoadedScenario]) -> Ending {
        let invalid = scenarios.count { $0.program == nil }
        let valid = scenarios.count - invalid
        let runs = RunPlan.count(scenarios, setup.options) - invalid
        let errors = invalid == 0 ? "" : ", \(invalid) with errors"
        Output.standard.write(
            "\(counted(valid, "scenario")) would run (\(counted(runs, "run")))"
                + "\(errors)\n")
        return showErrors(of: scenarios)
    }

    private func showErrors(of scenarios: [LoadedScenario]) -> Ending {
        let diagnostics = scenarios.flatMap(\.diagnostics)
            .filter { $0.severity == .error || command.selection.dryRun }
        display.colours.show(diagnostics)
        return scenarios.allSatisfy { $0.program != nil } ? .ok : .unparsable
    }

    // MARK: Running

    /// Runs the scenarios, writes the reports, and returns the exit code.
    func run(_ scenarios: [LoadedScenario]) async throws -> Ending {
        let security = try setup.security(for: scenarios)
        let reports = ReportOutputs(
            display.report,
            standard: display.format == .pretty ? nil : display.format.reportFormat)
        try reports.prepare()
        if let signal = await waitForServer(scenarios) { return signal.ending }
        let output = reports.outputForPeople
        let log = display.ci.log
        let console = RunConsole(output: output, report: pretty(for: output, log), log: log)
        let runs = RunPlan.count(scenarios, setup.options)
        let events = Multicast<RunEvent> { Output.error.write("\($0)\n") }
        try events.add(console.listener(runs: runs))
        let results = try await results(of: scenarios, security, console, events)
        events.broadcast(.finished(results))
        await events.finishAndWait()
        keepFailures(results)
        try reports.write(results)
        if !reports.annotates {
            log.annotate(in: output) { GitHubReport.text(results, prefix: $0) }
        }
        try log.summarise { try ReportFormat.markdown.text(results) }
        return results.exitCode
    }

    /// Waits until the server accepts connections (`--wait`). If it never does, each scenario
    /// reports that the server is unreachable.
    ///
    /// - Returns: The signal that ended the wait; nil if none did.
    private func waitForServer(_ scenarios: [LoadedScenario]) async -> Int32? {
        let port = scenarios.lazy.compactMap(\.defaultPort).first
        guard let limit = command.target.start.wait?.nanoseconds,
            let endpoint = setup.options.endpoint?.withDefaultPort(port), endpoint.isComplete
        else { return nil }
        return await ServerWait(limit: limit, interruptions: interruptions).reach(endpoint).signal
    }

    private func results(
        of scenarios: [LoadedScenario], _ security: (any ConnectionSecurity)?,
        _ console: RunConsole, _ events: Multicast<RunEvent>
    ) async throws -> RunResults {
        let executor = executor(console, security)
        // An `exec` line in any scenario takes precedence over the reference server.
        let startOwn = scenarios.contains { $0.file?.header.command != nil }
        guard isBuiltIn, !startOwn else {
            return await execute(scenarios, setup.options, executor, console, events)
        }
        let dialect = try BuiltInServer.dialect(of: scenarios)
        return try await BuiltInServer.run(speaking: dialect) { endpoint in
            var options = setup.options
            options.endpoint = endpoint
            options.software = options.software ?? Software(name: "linejudge", version: toolVersion)
            return await execute(scenarios, options, executor, console, events)
        }
    }

    /// Runs all scenarios, stopping if a signal arrives.
    private func execute(
        _ scenarios: [LoadedScenario], _ options: RunOptions, _ executor: any ScenarioExecutor,
        _ console: RunConsole, _ events: Multicast<RunEvent>
    ) async -> RunResults {
        let runner = ScenarioRunner(options, executor: executor)
        let description = ServerDescription(
            endpoint: options.endpoint?.description ?? "", software: options.software?.name,
            version: options.software?.version, command: options.command?.text)
        console.begin(
            server: description, scenarioCount: scenarios.count,
            runCount: RunPlan.count(scenarios, options), seed: options.seed)
        let found = await Job.run(
            until: interruptions, helpers: [{ await console.tick() }]
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
        guard display.verbose > 1 else { return driver }
        return TracingExecutor(
            executor: driver, console: console, style: display.colours.style(for: .error))
    }

    // MARK: Output

    private func pretty(for output: Output, _ log: CILog) -> PrettyReport {
        var report = PrettyReport(
            style: display.colours.style(for: output), columns: output.columns,
            verbosity: display.quiet ? .quiet : display.verbose > 0 ? .verbose : .normal,
            showsTranscripts: display.transcript,
            rerunCommand: RerunCommand.text(
                Array(CommandLine.arguments.dropFirst()), seed: setup.options.seed))
        report.foldsTranscripts = log.hasCommands
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
            if display.verbose > 0 {
                Output.error.write(DiagnosticRenderer().text(error.diagnostics))
            }
        }
    }
}
