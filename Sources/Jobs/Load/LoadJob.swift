package import Console
import Diagnostics
import HTTPEndpoint
package import Load
package import Report
package import Results
import Runner
import Transport

/// A job that runs a load test, shows its progress and writes the results.
package struct LoadJob: Sendable {
    private var setup: LoadSetup
    private let output: JobOutput<LoadReportFormat>
    private let display: LoadDisplay
    private let interruptions: Interruptions

    package init(
        _ setup: LoadSetup, _ output: JobOutput<LoadReportFormat>, _ display: LoadDisplay,
        until interruptions: Interruptions
    ) {
        self.setup = setup
        self.output = output
        self.display = display
        self.interruptions = interruptions
    }

    /// Runs the load test and returns the exit code.
    package func run() async throws -> ExitCode {
        try output.reports.prepare()
        let server = JobServer(setup.command, at: setup.endpoint, speaking: setup.dialect)
        if case .running(let endpoint) = server {
            showHeading()
            let wait = ServerWait(
                limit: display.wait, interruptions: interruptions, security: setup.security)
            if let signal = try await wait.require(endpoint, "load.unreachable") {
                return signal.ending
            }
        }
        return try await server.use { endpoint, started in
            var job = self
            if let started {
                job.setup.endpoint = endpoint
                job.setup.watched.append(ObservedTarget(.server, pid: started.processID))
            }
            if case .running = server {} else { job.showHeading() }
            return try await job.run(against: endpoint, started)
        }
    }

    /// If no operator could log in, shows which protocol the server speaks.
    private func hintAtProtocol(_ results: LoadResults, _ endpoint: Endpoint) async {
        guard results.operators.ready == 0,
            setup.plan.layout.operators(setup.options.share).count > 0,
            let note = await ProtocolProbe.note(endpoint, "load.other-protocol")
        else { return }
        output.show([note])
    }

    private func run(against endpoint: Endpoint, _ server: RunningServer?) async throws -> ExitCode
    {
        let setup = try await setup.checkingNeeds(at: endpoint)
        var summary = LoadSummary(style: output.style)
        let status = LoadStatus()
        let metrics = try await LoadMetrics.start(display.metrics, status)
        if let metrics {
            if !output.isQuiet {
                output.people.write("metrics at http://\(metrics.address)/metrics\n")
            }
            MetricsWarning.show(for: metrics.address)
        }
        let live = try await LiveView.serve(at: display.live)
        if let live { announce(live) }
        let measurement = LoadMeasurement(
            setup, status: status, until: interruptions,
            workerArguments: [Self.workerCommand], serverEnd: { server?.earlyEnd }
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
            output.log.endGroup()
            await metrics?.shutdown()
            await live?.end(nil)
            throw error
        }
        await metrics?.shutdown()
        await live?.end(found.results)
        summary.showsSearchSteps = output.isQuiet
        output.log.endGroup()
        output.people.write(summary.text(found.results))
        await hintAtProtocol(found.results, endpoint)
        try output.finish(found.results)
        return ending(found)
    }

    private func measure(
        _ measurement: LoadMeasurement, _ summary: LoadSummary, against endpoint: Endpoint
    ) async throws -> MeasuredLoad {
        if !display.findsRate {
            return try await measurement.run(against: endpoint)
        }
        let search = RateFinding(measurement) { step in
            if !output.isQuiet { output.people.write(summary.searchLine(step)) }
        }
        return try await search.run(against: endpoint)
    }

    /// Prints the address of the live page.
    private func announce(_ live: LiveView.Served) {
        // The address is shown even with `--quiet`, because it contains the token that clients
        // need.
        let target = output.isQuiet ? Output.error : output.people
        target.write("live page at \(live.url)\n")
        guard live.isPublic else { return }
        output.show([
            Diagnostic(
                .warning, "load.live-public",
                "anyone who knows this address can change and stop the load test"
            ).help("to allow only this machine, use --live 127.0.0.1:0")
        ])
    }

    /// Prints what the load test will do, a warning if shards share a report file, and the start
    /// time.
    private func showHeading() {
        guard !output.isQuiet else { return }
        let summary = LoadSummary(style: output.style)
        output.people.write(summary.heading(setup.description))
        if let path = display.sharedReport {
            output.people.write(
                "every shard writes `\(escapedForDisplay(path))`; if the shards share a disk, use a name "
                    + "such as load-\(ShardPaths.placeholder).json\n")
        }
        guard let start = setup.startsAt else { return }
        let rest = durationText(max(start - Clocks.now.wall, 0))
        output.people.write("sending starts in \(rest); operators connect before then\n")
    }

    private func ending(_ found: MeasuredLoad) -> ExitCode {
        if let signal = found.signal { return signal.ending }
        // A sharded load test is judged when the shards' results are merged. If a shard exited with
        // a failure code, an orchestrator might restart it or stop all shards.
        if let shard = setup.shard, !shard.share.isAll {
            return found.isWhole ? .ok : .inconclusive
        }
        return found.results.exitCode
    }

    // MARK: Progress

    private func showProgress(_ setup: LoadSetup, _ watch: LoadMonitor) async {
        guard !output.isQuiet else { return }
        let (people, style) = (output.people, output.style)
        let keyboard = isOpenModel && people.isTerminal ? Keyboard() : nil
        defer { keyboard?.restore() }
        if keyboard != nil {
            people.write(style("press + or - to change the rate by 10%", .dim) + "\n")
        }
        await LoadProgressView(people, style, output.log).follow(setup, watch) {
            keyboard?.pressed().forEach { key in
                if key == UInt8(ascii: "+") { watch.changeRate(by: Self.rateStep) }
                if key == UInt8(ascii: "-") { watch.changeRate(by: 1 / Self.rateStep) }
            }
        }
    }

    /// Name of the command that each process of a load test runs.
    package static let workerCommand = "load-worker"

    /// Factor for raising the rate with `+` and lowering it with `-`.
    static let rateStep = 1.1

    private var isOpenModel: Bool {
        if case .open = setup.plan.model { true } else { false }
    }
}
