import Diagnostics
import Results

/// Checks that the load test can measure everything that its thresholds and budgets limit.
extension LoadSetup {
    /// Throws an error if a threshold limits a latency that has no samples in this load test.
    func checkThresholds() throws(CommandFailure) {
        let mixes = [plan.mix] + plan.kinds.compactMap(\.mix)
        let actions = Set(mixes.flatMap(\.weights).map(\.action))
        let measured = LatencyMetric.allCases.filter { measures($0, with: actions) }
        for threshold in thresholds {
            try checkKind(of: threshold)
            guard let metric = threshold.metric, !measured.contains(metric) else { continue }
            let advice = metric.source.map { "\($0) to measure \(metric.name); " } ?? ""
            throw CommandFailure(
                .usage, .badOption,
                "the threshold `\(threshold.text)` limits \(metric.name), which this load test does not measure",
                help: advice + "this one measures \(measured.map(\.name).joined(separator: ", "))")
        }
    }

    /// Throws an error if a threshold limits a kind of badly behaved operators that does not exist.
    private func checkKind(of threshold: Threshold) throws(CommandFailure) {
        let isReconnects = threshold.quantity == .reconnects
        let kinds = plan.kinds.filter {
            let role = $0.behaviour?.role ?? .ordinary
            return isReconnects ? role == .reconnecting : role != .ordinary
        }.map(\.name)
        switch threshold.quantity {
        case .disconnected(let name?) where !kinds.contains(name): break
        case .reconnects where kinds.isEmpty: break
        default: return
        }
        throw CommandFailure(
            .usage, .badOption,
            "the threshold `\(threshold.text)` limits operators that do not exist",
            help: kinds.isEmpty
                ? "add them with --kind, such as --kind reconnecting=1"
                : "this load test has \(kinds.joined(separator: ", "))")
    }

    /// Throws an error if there are too few operators for one of each kind.
    func checkKinds() throws(CommandFailure) {
        let weights = plan.kinds.reduce(0) { $0 + $1.weight }
        let numbers = Set((0..<min(plan.layout.operators, weights)).map(plan.kindNumber))
        guard let missing = plan.kinds.indices.first(where: { !numbers.contains($0) }) else {
            return
        }
        throw CommandFailure(
            .usage, .badOption,
            "none of the \(counted(plan.layout.operators, "operator")) is a "
                + plan.kinds[missing].name,
            help: "use --operators \(weights) or more, or a higher weight")
    }

    /// Returns true if a latency has samples, provided that the server answers.
    private func measures(_ metric: LatencyMetric, with actions: Set<LoadAction>) -> Bool {
        if let action = metric.action { return actions.contains(action) }
        return switch metric {
        case .login: plan.layout.operators > 0
        case .step, .iteration: !plan.scripts.isEmpty
        default: true
        }
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
    /// What a load test needs to measure this latency, as advice; nil if there is none.
    fileprivate var source: String? {
        if let action { return "pass --mix \(action.name)=1" }
        return self == .step || self == .iteration ? "pass a scenario" : nil
    }
}
