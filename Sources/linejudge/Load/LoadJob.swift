import Console
import Diagnostics
import HTTPEndpoint
import Load
import Report
import Results
import Runner
import Transport

/// A job that runs a load test, shows its progress and writes the results.
struct LoadJob {
    let command: LoadCommand
    var setup: LoadSetup
    let reports: ReportOutputs<LoadReportFormat>
    let interruptions: Interruptions
    let log: CILog

    /// Interval between updates of the progress line, in milliseconds.
    static let redrawMilliseconds = 200

    func run() async throws -> Ending {
        if let server = setup.command { return try await run(starting: server) }
        if let endpoint = setup.endpoint {
            showHeading()
            let wait = ServerWait(
                limit: command.target.start.wait?.nanoseconds, interruptions: interruptions,
                security: setup.security)
            if let signal = try await wait.require(endpoint, "load.unreachable") {
                return signal.ending
            }
            return try await run(against: endpoint)
        }
        return try await BuiltInServer.run(speaking: setup.dialect) { endpoint in
            showHeading()
            return try await run(against: endpoint)
        }
    }

    /// Starts the server and runs the load test against it.
    private func run(starting command: ServerCommand) async throws -> Ending {
        var command = command
        command.endpoint = setup.endpoint
        do {
            return try await ServerUnderTest.run(command) { server in
                var job = self
                job.setup.endpoint = server.endpoint
                job.setup.watched.append(ObservedTarget(.server, pid: server.processID))
                job.showHeading()
                let ending = try await job.run(against: server.endpoint)
                if let end = server.earlyEnd {
                    self.command.display.colours.show([
                        Diagnostic(.note, "load.server-ended", "the server \(end)")
                    ])
                }
                return ending
            }
        } catch let error as Diagnosed {
            throw CommandFailure(.unavailable, error)
        }
    }

    /// If no operator could log in, shows which protocol the server speaks.
    private func hintAtProtocol(_ results: LoadResults, _ endpoint: Endpoint) async {
        guard results.operators.ready == 0,
            setup.plan.layout.operators(setup.options.share).count > 0,
            !endpoint.needsHandshake, let found = await ProtocolProbe.identify(endpoint)
        else { return }
        command.display.colours.show([
            Diagnostic(.note, "load.other-protocol", found.hint(at: endpoint))
        ])
    }

    private func run(against endpoint: Endpoint) async throws -> Ending {
        let setup = try await setup.checkingNeeds(at: endpoint)
        let output = reports.outputForPeople
        var summary = LoadSummary(style: command.display.colours.style(for: output))
        let status = LoadStatus()
        let metrics = try await LoadMetrics.start(command.display.metrics?.address, status)
        if let metrics, !command.display.quiet {
            output.write("metrics at http://\(metrics.address)/metrics\n")
        }
        let live = try await LiveView.serve(at: command.display.live?.address)
        if let live { announce(live) }
        let measurement = LoadMeasurement(
            setup, status: status, until: interruptions,
            workerArguments: [LoadWorkerCommand.name]
        ) { setup, monitor in
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask { await showProgress(setup, monitor) }
                if let view = live?.view { tasks.addTask { await view.follow(setup, monitor) } }
            }
        }
        let found: MeasuredLoad
        do {
            found = try await measure(measurement, summary, against: endpoint)
        } catch {
            log.endGroup()
            await metrics?.shutdown()
            await live?.end(nil)
            throw error
        }
        await metrics?.shutdown()
        await live?.end(found.results)
        summary.showsSearchSteps = command.display.quiet
        log.endGroup()
        output.write(summary.text(found.results))
        await hintAtProtocol(found.results, endpoint)
        try reports.write(found.results)
        if !reports.annotates {
            try log.annotate(in: output) { _ in
                try LoadReportFormat.github.text(found.results)
            }
        }
        try log.summarise { try LoadReportFormat.markdown.text(found.results) }
        return ending(found)
    }

    private func measure(
        _ measurement: LoadMeasurement, _ summary: LoadSummary, against endpoint: Endpoint
    ) async throws -> MeasuredLoad {
        if command.thresholds.findRate.isEmpty {
            return try await measurement.run(against: endpoint)
        }
        let search = RateFinding(measurement) { step in
            if !command.display.quiet { reports.outputForPeople.write(summary.searchLine(step)) }
        }
        return try await search.run(against: endpoint)
    }

    /// Prints the address of the live page.
    private func announce(_ live: LiveView.Served) {
        // The address is shown even with `--quiet`, because it contains the token that clients
        // need.
        let output = command.display.quiet ? Output.error : reports.outputForPeople
        output.write("live page at \(live.url)\n")
        guard live.isPublic else { return }
        command.display.colours.show([
            Diagnostic(
                .warning, "load.live-public",
                "anyone who knows this address can change and stop the load test"
            ).help("to allow only this machine, use --live 127.0.0.1:0")
        ])
    }

    /// Prints what the load test will do, a warning if shards share a report file, and the start
    /// time.
    private func showHeading() {
        guard !command.display.quiet else { return }
        let output = reports.outputForPeople
        let summary = LoadSummary(style: command.display.colours.style(for: output))
        output.write(summary.heading(setup.description))
        if let path = ShardPaths.shared(command.display.report, setup.shard) {
            output.write(
                "every shard writes `\(escapedForDisplay(path))`; if the shards share a disk, use a name "
                    + "such as load-\(ShardPaths.placeholder).json\n")
        }
        guard let start = setup.startsAt else { return }
        let rest = durationText(max(start - Clocks.now.wall, 0))
        output.write("sending starts in \(rest); operators connect before then\n")
    }

    private func ending(_ found: MeasuredLoad) -> Ending {
        if let signal = found.signal { return signal.ending }
        // A sharded load test is judged when the shards' results are merged. If a shard exited with
        // a failure code, an orchestrator might restart it or stop all shards.
        if let shard = setup.shard, !shard.share.isAll {
            return found.isWhole ? .ok : .inconclusive
        }
        return found.results.exitCode
    }

    // MARK: Progress

    /// Shows progress: on a terminal, updates a line; otherwise, prints a line every ten seconds.
    private func showProgress(_ setup: LoadSetup, _ watch: LoadMonitor) async {
        guard !command.display.quiet else { return }
        let output = reports.outputForPeople
        let style = command.display.colours.style(for: output)
        let begin = ContinuousClock.now
        var progress = LoadProgressText()
        var second = -1
        let keyboard = isOpenModel && output.isTerminal ? Keyboard() : nil
        defer { keyboard?.restore() }
        if keyboard != nil {
            output.write(style("press + or - to change the rate by 10%", .dim) + "\n")
        }
        var plainLineCount: Int64 = 0
        var isShown = false
        while (try? await Task.sleep(for: .milliseconds(Self.redrawMilliseconds))) != nil {
            if let last = watch.lastSecond(after: second) {
                second = last.number
                progress.add(last.second)
            }
            keyboard?.pressed().forEach { key in
                if key == UInt8(ascii: "+") { watch.changeRate(by: Self.rateStep) }
                if key == UInt8(ascii: "-") { watch.changeRate(by: 1 / Self.rateStep) }
            }
            let state = watch.progress(of: setup)
            let elapsed = (ContinuousClock.now - begin).nanoseconds
            if let columns = output.columns {
                isShown = true
                output.write(
                    progress.liveLine(
                        watch.snapshot, state, columns: columns, style: style))
            } else if elapsed / ProgressText.plainInterval > plainLineCount {
                plainLineCount = elapsed / ProgressText.plainInterval
                log.beginGroup("progress", in: .error)
                Output.error.write(progress.plainLine(watch.snapshot, state))
            }
        }
        if isShown { output.write(ProgressText.erase) }
    }

    /// Factor for raising the rate with `+` and lowering it with `-`.
    static let rateStep = 1.1

    private var isOpenModel: Bool {
        if case .open = setup.plan.model { true } else { false }
    }
}
