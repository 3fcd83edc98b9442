import CEpoll
package import Results

/// Results so far of a load test that is still running, taken from its monitor.
package final class LiveLoad {
    private let monitor: LoadMonitor
    private let setup: LoadSetup
    private let description: LoadDescription
    private var latencies: [LatencyMetric: LatencyHistogram] = [:]
    private var sent: UInt64 = 0
    private var lastSecond = -1

    package init(_ setup: LoadSetup, _ monitor: LoadMonitor) {
        self.setup = setup
        self.monitor = monitor
        description = setup.description
    }

    /// Returns the statistics of the seconds completed since the last call, and adds them to the
    /// results.
    package func takeSeconds() -> [(number: Int, second: LoadSecond)] {
        let seconds = monitor.seconds(after: lastSecond)
        for (number, second) in seconds {
            lastSecond = max(lastSecond, number)
            sent += second.sent
            for (metric, times) in second.latencies {
                latencies[metric, default: LatencyHistogram()].merge(times)
            }
        }
        return seconds
    }

    package var progress: LoadProgress { monitor.progress(of: setup) }

    /// The results so far, without per-second statistics. They have no verdict yet and lack all
    /// figures that are known only at the end.
    package var results: LoadResults {
        let snapshot = monitor.snapshot
        var description = description
        description.rateChanges = monitor.rateChanges
        let seconds = Int64(lastSecond + 1) * 1_000_000_000
        let measured = min(seconds, setup.options.duration)
        description.measured = measured
        var results = LoadResults(
            description, WorkerReport(), seconds: [], ramp: monitor.ramp)
        results.operators.ready += UInt64(max(snapshot.ready, 0))
        results.operators.failed = UInt64(max(snapshot.failed, 0))
        results.traffic.measuredNanoseconds = measured
        results.traffic.sent = sent
        results.traffic.sentEver = snapshot.sent
        results.latencies = LatencyMetric.allCases.compactMap { metric in
            latencies[metric].map {
                LoadResults.Latency(
                    metric: metric.name, response: LatencyDistribution($0))
            }
        }
        for (kind, count) in snapshot.kinds { results.ledger.violations[kind.rawValue] = count }
        results.ledger.evidence = LoadResults.evidence(monitor.evidence)
        results.processes = monitor.observed(setup.options)
        results.metrics = monitor.metrics(setup.options)
        results.judge(setup.thresholds)
        if !monitor.isSetUp { results.withholdOperators() }
        results.verdict = .inconclusive
        results.reasons = []
        return results
    }
}

extension LoadMonitor {
    /// Returns the observed processes, with times relative to the measurement period; nil if there
    /// are none.
    func observed(_ options: FleetOptions) -> [ObservedProcess]? {
        let processes = observer?.processes(since: measurementStart(options)) ?? []
        return processes.isEmpty ? nil : processes
    }

    /// Returns the server's metrics, with times relative to the measurement period; nil if none are
    /// read.
    func metrics(_ options: FleetOptions) -> [ServerMetric]? {
        scraper?.metrics(since: measurementStart(options))
    }

    private func measurementStart(_ options: FleetOptions) -> Int64 {
        start > 0 ? start + options.warmup : lj_now()
    }

    /// Returns the progress of a load test with these settings.
    package func progress(of setup: LoadSetup) -> LoadProgress {
        let options = setup.options
        let rate = RateFactor(rateChanges)
        var progress = LoadProgress(
            phase: .connecting, duration: options.duration,
            operators: setup.plan.layout.operators(options.share).count,
            rateFactor: rate.factor, isPaused: rate.isPaused)
        if case .open = setup.plan.model { progress.canChangeRate = true }
        let now = lj_now()
        guard start > 0, now >= start else { return progress }
        let elapsed = now - start - options.warmup
        progress.elapsed = min(max(elapsed, 0), options.duration)
        progress.phase =
            elapsed < 0 ? .warmup : elapsed < options.duration ? .measuring : .draining
        return progress
    }
}

extension LoadResults {
    /// Marks failed thresholds on the number of operators as inconclusive, because operators are
    /// still connecting.
    fileprivate mutating func withholdOperators() {
        for index in thresholds.indices where thresholds[index].verdict == .failed {
            if (try? Threshold(thresholds[index].text))?.quantity == .operators {
                thresholds[index].verdict = .inconclusive
            }
        }
    }
}
