import CEpoll
package import Console
import Diagnostics
import FoundationEssentials
package import Results
package import Transport

/// A load test's results, and how it ended.
package struct MeasuredLoad: Sendable {
    package var results: LoadResults
    /// The signal that ended the load test early; nil if none did.
    package var signal: Int32?
    /// True if the load test ran to its end, so that the results are complete.
    package var isWhole: Bool
}

/// A runner that performs load tests and creates their results.
package struct LoadMeasurement: Sendable {
    /// Interval between threshold checks.
    private static let checkMilliseconds = 200

    package let setup: LoadSetup
    let status: LoadStatus
    let interruptions: Interruptions
    /// Command-line arguments for starting a worker process.
    let workerArguments: [String]
    /// Returns how the server that was started for the load test ended; nil if it is running.
    let serverEnd: @Sendable () -> String?
    /// Shows the load test's progress until the task is cancelled.
    let showProgress: @Sendable (LoadSetup, LoadMonitor) async -> Void

    package init(
        _ setup: LoadSetup, status: LoadStatus, until interruptions: Interruptions,
        workerArguments: [String], serverEnd: @escaping @Sendable () -> String? = { nil },
        showProgress: @escaping @Sendable (LoadSetup, LoadMonitor) async -> Void
    ) {
        self.setup = setup
        self.status = status
        self.interruptions = interruptions
        self.workerArguments = workerArguments
        self.serverEnd = serverEnd
        self.showProgress = showProgress
    }

    package func run(against endpoint: Endpoint) async throws -> MeasuredLoad {
        try await run(setup, against: endpoint)
    }

    /// Runs the load test with the given setup instead of the stored one.
    func run(_ setup: LoadSetup, against endpoint: Endpoint) async throws -> MeasuredLoad {
        let fleet = try fleet(setup, against: endpoint)
        var description = setup.description
        let overflowsBefore = ListenOverflows.count
        let isOne = setup.processes == 1
        let observer = ProcessObserver(setup.observed, port: Self.localPort(endpoint))
        let scraper = MetricsScraper(setup.metricsSources)
        try await scraper.check()
        let watch = LoadMonitor(
            workers: isOne ? setup.options.workers : setup.processes, observer: observer,
            scraper: scraper)
        status.show(watch)
        let (report, signal) = await Job.run(
            until: interruptions,
            helpers: [
                { await showProgress(setup, watch) }, { await watchThresholds(watch) },
                { await watchBudgets(watch, observer) }, { await watchServer(watch) },
                { await observer.run() }, { await scraper.run() },
                { await Self.sampleEdges(watch, observer, setup.options) },
            ],
            stop: { watch.stop() }
        ) { await fleet(watch) }
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
        description.interruption =
            signal?.interruption ?? (watch.isStoppedByUser ? "stopped" : nil)
        description.measured = report.measured
        description.rateChanges = watch.rateChanges
        description.endReason = watch.endReason
        if watch.endReason != nil || watch.exceededBudget != nil {
            description.interruption = "aborted"
        }
        var results = LoadResults(description, report, seconds: watch.seconds, ramp: watch.ramp)
        if let budget = watch.exceededBudget {
            results.fail(exceeding: budget, isEarly: true)
        } else if let budget = setup.budgets.first(where: { $0.isExceeded(by: results) }) {
            // Messages that are lost are known only now.
            results.fail(exceeding: budget.text, isEarly: false)
        }
        if signal != nil { results.noteInterruption() }
        if let end = serverEnd() { results.noteEnd(ofServer: end) }
        results.processes = watch.observed(setup.options)
        results.metrics = watch.metrics(setup.options)
        if watch.start > 0, report.measured > 0 {
            let begin = watch.start + setup.options.warmup
            results.machine = observer.machine(
                in: begin...begin + report.measured,
                isServerObserved: !setup.watched.isEmpty || setup.endpoint == nil
                    || Self.localPort(endpoint) == nil)
        }
        return MeasuredLoad(results: results, signal: signal, isWhole: report.troubles.isEmpty)
    }

    /// Samples the processes at the start and the end of the measurement period, so that their CPU
    /// use is exact even if the period is short.
    private static func sampleEdges(
        _ watch: LoadMonitor, _ observer: ProcessObserver, _ options: FleetOptions
    ) async {
        while watch.start == 0 {
            guard (try? await Task.sleep(for: .milliseconds(checkMilliseconds / 10))) != nil else {
                return
            }
        }
        for time in [options.warmup, options.warmup + options.duration] {
            let rest = watch.start + time - lj_now()
            guard (try? await Task.sleep(for: .nanoseconds(max(rest, 0)))) != nil else { return }
            observer.sample(isEdge: true)
        }
    }

    /// Returns the server's port; nil if the server may be on another machine.
    private static func localPort(_ endpoint: Endpoint) -> Int? {
        guard case .host(let host, let port?) = endpoint.address,
            host == "localhost" || host == "::1" || host.hasPrefix("127.")
        else { return nil }
        return port
    }

    /// Returns a function that runs the load test, either in threads of this process or in several
    /// processes.
    private func fleet(
        _ setup: LoadSetup, against endpoint: Endpoint
    ) throws(CommandFailure) -> @Sendable (LoadMonitor) async -> WorkerReport {
        let one: Fleet
        do {
            one = try setup.fleet(against: endpoint)
        } catch {
            throw CommandFailure(.unavailable, .badOption, "\(error)")
        }
        if setup.processes == 1 { return { await one.run($0) } }
        let several = ProcessFleet(
            setup.job(against: endpoint), setup.options, processes: setup.processes,
            path: Machine.executable, arguments: workerArguments)
        return { await several.run($0) }
    }

    /// Ends the load test when its server has ended.
    private func watchServer(_ watch: LoadMonitor) async {
        while (try? await Task.sleep(for: .milliseconds(Self.checkMilliseconds))) != nil {
            if serverEnd() != nil { return watch.stop() }
        }
    }

    /// Ends the load test when it exceeds a budget.
    private func watchBudgets(_ watch: LoadMonitor, _ observer: ProcessObserver) async {
        guard !setup.budgets.isEmpty else { return }
        var checker = BudgetChecker(setup.budgets)
        while (try? await Task.sleep(for: ProcessObserver.interval)) != nil {
            guard let budget = checker.exceeded(watch.snapshot, observer.server) else { continue }
            watch.stop(exceeding: budget.text)
            return
        }
    }

    /// Ends the load test when a threshold has been violated for longer than `--abort-on-fail`.
    private func watchThresholds(_ watch: LoadMonitor) async {
        guard let grace = setup.abortGrace else { return }
        var judge = LiveThresholdChecker(setup.thresholds, grace: grace)
        let begin = ContinuousClock.now
        var second = -1
        while (try? await Task.sleep(for: .milliseconds(Self.checkMilliseconds))) != nil {
            for next in watch.seconds(after: second) {
                second = next.number
                judge.add(next.second)
            }
            let now = (ContinuousClock.now - begin).nanoseconds
            if let reason = judge.reasonToEnd(watch.snapshot, at: now) {
                watch.stop(because: reason)
                return
            }
        }
    }
}

extension LoadSetup {
    /// The requested settings, for the report heading and the results.
    package var description: LoadDescription {
        var description = LoadDescription(
            toolVersion: toolVersion, startedAt: Int64(Date().timeIntervalSince1970),
            server: endpoint?.description ?? "built-in", plan: plan, options: options,
            thresholds: thresholds)
        description.environment = Machine.environment
        description.planName = name
        description.processes = processes
        description.shard = shard
        return description
    }

    /// Returns this process's fleet of operators.
    package func fleet(against endpoint: Endpoint) throws -> Fleet {
        try Fleet(
            knowing(endpoint).plan, options, against: endpoint.speaking(dialect),
            security: security)
    }

    /// Returns the job for the worker processes.
    func job(against endpoint: Endpoint) -> WorkerJob {
        WorkerJob(
            arguments: Array(CommandLine.arguments.dropFirst()), plan: planText,
            server: endpoint.url, dialect: dialectName, seed: plan.seed, run: plan.run,
            rate: heldRate, duration: options.duration, connectAt: options.connectAt,
            offers: offers)
    }
}
