import Diagnostics
import Foundation
import Glibc
import Load
import MetricsEndpoint
import Report
import Results
import Runner
import Transport

/// Runs a load, shows its progress, and writes the results.
struct LoadJob {
    let command: LoadCommand
    let setup: LoadSetup
    let reports: ReportOutputs<LoadReportFormat>
    let gauge = LoadStatus()

    /// Interval between updates of the progress line.
    static let redrawMilliseconds = 200

    func run(_ interruptions: Interruptions) async throws -> Ending {
        if let endpoint = setup.endpoint { return try await run(against: endpoint, interruptions) }
        return try await BuiltInServer.run(speaking: setup.dialect) { endpoint in
            try await run(against: endpoint, interruptions)
        }
    }

    private func run(
        against endpoint: Endpoint, _ interruptions: Interruptions
    ) async throws -> Ending {
        let output = reports.outputForPeople
        var summary = LoadSummary(style: command.display.colours.style(for: output))
        if !command.display.quiet { output.write(summary.heading(description(setup))) }
        let metrics = try await LoadMetrics.start(command.display.metrics?.address, gauge)
        if let metrics, !command.display.quiet {
            output.write("metrics at http://\(metrics.address)/metrics\n")
        }
        showStart(output)
        let found: Measured
        do {
            if command.thresholds.findRate.isEmpty {
                found = try await measure(setup, against: endpoint, interruptions)
            } else {
                found = try await RateFinding(job: self, summary: summary)
                    .run(against: endpoint, interruptions)
            }
        } catch {
            await metrics?.shutdown()
            throw error
        }
        await metrics?.shutdown()
        summary.showsSearchSteps = command.display.quiet
        output.write(summary.text(found.results))
        try reports.write(found.results)
        return ending(found)
    }

    /// Results of a load, the signal that ended it early, and whether no part is missing.
    typealias Measured = (results: LoadResults, signal: Int32?, isWhole: Bool)

    /// Prints a warning about shared report files, and when the load starts.
    private func showStart(_ output: Output) {
        guard !command.display.quiet else { return }
        if let path = ShardPaths.shared(command.display.report, setup.shard) {
            output.write(
                "every shard writes `\(escapedForDisplay(path))`; if they share a disk, name it "
                    + "load-\(ShardPaths.placeholder).json\n")
        }
        guard let start = setup.startsAt else { return }
        let rest = durationText(max(start - Clocks.now.wall, 0))
        output.write("sending starts in \(rest); operators connect before\n")
    }

    private func description(_ setup: LoadSetup) -> LoadDescription {
        var description = LoadDescription(
            toolVersion: toolVersion, startedAt: Int64(Date().timeIntervalSince1970),
            server: setup.endpoint?.description ?? "built-in", plan: setup.plan,
            options: setup.options, thresholds: setup.thresholds)
        description.environment = Machine.environment
        description.planName = setup.name
        description.processes = setup.processes
        description.shard = setup.shard
        return description
    }

    /// Runs one load.
    func measure(
        _ setup: LoadSetup, against endpoint: Endpoint, _ interruptions: Interruptions
    ) async throws -> Measured {
        let fleet = try fleet(setup, against: endpoint)
        var description = description(setup)
        let overflowsBefore = ListenOverflows.count
        let isOne = setup.processes == 1
        let watch = LoadMonitor(workers: isOne ? setup.options.workers : setup.processes)
        gauge.show(watch)
        let (report, signal) = await run(fleet, watch, interruptions)
        if let failure = watch.failure {
            throw CommandFailure(
                .unavailable, "load.unreachable", "\(endpoint.description): \(failure)",
                help: "is the server running?")
        }
        if let before = overflowsBefore, let after = ListenOverflows.count {
            description.listenOverflows = UInt64(max(0, after - before))
        }
        description.startLateness = watch.startLateness
        if watch.start > 0 {
            description.measuredFrom = Clocks.wall(watch.start + setup.options.warmup)
        }
        description.interruption = signal?.interruption
        description.rateChanges = watch.rateChanges
        description.endReason = watch.endReason
        if watch.endReason != nil { description.interruption = "aborted" }
        let results = LoadResults(
            description, report, seconds: watch.seconds, ramp: watch.ramp)
        return (results, signal, report.troubles.isEmpty)
    }

    /// The function that runs the load: in threads of this process, or in several processes.
    private func fleet(
        _ setup: LoadSetup, against endpoint: Endpoint
    ) throws(CommandFailure) -> @Sendable (LoadMonitor) async -> OperatorPool.Report {
        let one: Fleet
        do {
            one = try Fleet(
                setup.knowing(endpoint).plan, setup.options, against: endpoint,
                security: setup.security)
        } catch {
            throw CommandFailure(.unavailable, .badOption, "\(error)")
        }
        if setup.processes == 1 { return { await one.run($0) } }
        let several = ProcessFleet(
            setup.job(against: endpoint), setup.options, processes: setup.processes,
            path: Machine.executable, arguments: [LoadWorkerCommand.name])
        return { await several.run($0) }
    }

    private func ending(_ found: Measured) -> Ending {
        if let signal = found.signal { return signal.ending }
        // The load is judged when its shards are merged; an orchestrator would restart a shard that
        // exits with another code, or end all of them.
        if let shard = setup.shard, !shard.share.isAll {
            return found.isWhole ? .ok : .inconclusive
        }
        return found.results.exitCode
    }

    private func run(
        _ fleet: @escaping @Sendable (LoadMonitor) async -> OperatorPool.Report,
        _ watch: LoadMonitor,
        _ interruptions: Interruptions
    ) async -> (OperatorPool.Report, Int32?) {
        let found = await Job.run(
            until: interruptions,
            helpers: [{ await showProgress(watch) }, { await watchThresholds(watch) }],
            stop: { watch.stop() }
        ) { await fleet(watch) }
        return (found.value, found.signal)
    }

    // MARK: Progress

    /// Updates a line on a terminal, or prints a line every ten seconds elsewhere.
    private func showProgress(_ watch: LoadMonitor) async {
        guard !command.display.quiet else { return }
        let output = reports.outputForPeople
        let style = command.display.colours.style(for: output)
        let begin = ContinuousClock.now
        var progress = LoadProgressText(
            operators: setup.plan.layout.operators(setup.options.share).count)
        var second = -1
        let keyboard = isOpenModel && output.isTerminal ? Keyboard() : nil
        defer { keyboard?.restore() }
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
            progress.rateFactor = watch.rateChanges.reduce(1) { $0 * $1.factor }
            let elapsed = Self.nanoseconds(since: begin)
            if let columns = output.columns {
                isShown = true
                output.write(
                    progress.liveLine(
                        watch.snapshot, elapsed: elapsed, columns: columns, style: style))
            } else if elapsed / ProgressText.plainInterval > plainLineCount {
                plainLineCount = elapsed / ProgressText.plainInterval
                Output.error.write(progress.plainLine(watch.snapshot, elapsed: elapsed))
            }
        }
        if isShown { output.write(ProgressText.erase) }
    }

    /// Factor by which `+` raises the rate, and `-` lowers it.
    static let rateStep = 1.1

    private var isOpenModel: Bool {
        if case .open = setup.plan.model { true } else { false }
    }

    /// Ends the load if a threshold is violated for longer than `--abort-on-fail`.
    private func watchThresholds(_ watch: LoadMonitor) async {
        guard let grace = setup.abortGrace else { return }
        var judge = LiveThresholdChecker(setup.thresholds, grace: grace)
        let begin = ContinuousClock.now
        var second = -1
        while (try? await Task.sleep(for: .milliseconds(Self.redrawMilliseconds))) != nil {
            for next in watch.seconds(after: second) {
                second = next.number
                judge.add(next.second)
            }
            let now = Self.nanoseconds(since: begin)
            if let reason = judge.reasonToEnd(watch.snapshot, at: now) {
                watch.stop(because: reason)
                return
            }
        }
    }

    private static func nanoseconds(since begin: ContinuousClock.Instant) -> Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - begin).components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}

/// Overflows of listen queues on this machine.
enum ListenOverflows {
    /// nil if the system does not report them.
    static var count: Int? {
        guard let text = try? String(contentsOfFile: "/proc/net/netstat", encoding: .utf8) else {
            return nil
        }
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("TcpExt:") }
            .map { $0.split(separator: " ") }
        guard rows.count >= 2, let column = rows[0].firstIndex(of: "ListenOverflows"),
            column < rows[1].count
        else { return nil }
        return Int(rows[1][column])
    }
}

/// The machine that this process runs on.
enum Machine {
    static var environment: LoadResults.Environment {
        var names = utsname()
        unsafe uname(&names)
        func text<Field>(_ field: Field) -> String {
            unsafe withUnsafeBytes(of: field) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        return LoadResults.Environment(
            system: "\(text(names.sysname)) \(text(names.release)) \(text(names.machine))",
            processors: ProcessInfo.processInfo.activeProcessorCount)
    }

    /// Path of this program.
    static var executable: String {
        let link = "/proc/self/exe"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
    }
}
