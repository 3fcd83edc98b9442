import Diagnostics
import Results

/// Checks that the load test can measure everything that its thresholds and budgets limit.
extension LoadSetup {
    /// Throws an error if a threshold limits a latency that has no samples in this load test.
    func checkThresholds() throws(CommandFailure) {
        let measured = measuredLatencies
        for threshold in thresholds {
            guard let metric = threshold.metric, !measured.contains(metric) else { continue }
            let known = LatencyMetric.allCases.filter(measured.contains).map(\.name)
            let advice = metric.source.map { "\($0) to measure \(metric.name); " } ?? ""
            throw CommandFailure(
                .usage, .badOption,
                "the threshold `\(threshold.text)` limits \(metric.name), which this load test does not measure",
                help: advice + "this one measures \(known.joined(separator: ", "))")
        }
    }

    /// The latencies that have samples, if the server answers.
    private var measuredLatencies: Set<LatencyMetric> {
        var metrics: Set<LatencyMetric> = [.connect]
        if !plan.scripts.isEmpty { metrics.formUnion([.step, .iteration]) }
        if plan.layout.operators > 0 { metrics.insert(.login) }
        let mixes = [plan.mix] + plan.kinds.compactMap(\.mix)
        for (action, _) in mixes.flatMap(\.weights) {
            switch action {
            case .say: metrics.formUnion([.say, .sayFirst, .sayMedian, .sayLast, .saySpread])
            case .relay: metrics.insert(.relay)
            case .probe: metrics.insert(.probe)
            case .keepalive: break
            }
        }
        return metrics
    }

    /// Throws an error if a budget limits the server's resources, but no process is observed.
    func checkBudgets() throws(CommandFailure) {
        let budget = budgets.first { $0.metric != .errors }
        guard let budget, watched.isEmpty, command == nil else { return }
        throw CommandFailure(
            .usage, .badOption, "the budget `\(budget.text)` requires the server's process",
            help: "pass --watch PID, or start the server with --exec")
    }
}

extension LatencyMetric {
    /// What a load test needs to measure this latency, as advice; nil if it is always measured.
    fileprivate var source: String? {
        switch self {
        case .connect, .login: nil
        case .probe: "pass --mix probe=1"
        case .relay: "pass --mix relay=1"
        case .say, .sayFirst, .sayMedian, .sayLast, .saySpread: "pass --mix say=1"
        case .step, .iteration: "pass a scenario"
        }
    }
}
