import LineProtocol

/// Determines a load test's verdict.
extension LoadResults {
    /// Maximum 99th percentile of send lateness, in nanoseconds, before the generator counts as the
    /// bottleneck.
    package static let latenessMax: UInt64 = 10_000_000
    /// Minimum percentage of the requested sends that must have been made.
    package static let ratePercentMin = 99.0
    /// Share of CPU time above which the generator may be the bottleneck.
    package static let processorShareMax = 0.95
    /// Maximum delay of a generator's start in a coordinated load test, in nanoseconds.
    package static let startLatenessMax: Int64 = 250_000_000

    /// Determines the verdict: failed if there are forbidden violations or failed thresholds, and
    /// otherwise inconclusive if the figures are unreliable or incomplete.
    package mutating func judge(_ limits: [Threshold]) {
        thresholds = limits.map(result)
        let missing = missingShards
        if missing != nil {
            // Results from only some of the shards may not be representative of all of them.
            for index in thresholds.indices { thresholds[index].verdict = .inconclusive }
        }
        let broken = Violation.Kind.allCases.filter { kind in
            violations(kind) > 0 && !isAllowed(kind, limits)
        }
        reasons = broken.map { "\(violations($0)) \($0.rawValue)" }
        reasons += thresholds.filter { $0.verdict == .failed }.map {
            "threshold failed: \($0.text)"
        }
        let isOursToBlame = operators.unconnected == operators.unconnectedHere
        if operators.failed > 0, !(isOursToBlame && operators.failed == operators.unconnected),
            !limits.contains(where: { $0.quantity == .operators })
        {
            reasons.append(
                operators.failed == 1
                    ? "1 operator did not join its rooms"
                    : "\(operators.failed) operators did not join their rooms")
        }
        if !limits.contains(where: { $0.quantity == .reconnects }) {
            reasons += (behaviours ?? []).filter { $0.returns == 0 && $0.returnsFailed > 0 }.map {
                "no operator of \($0.name) could reconnect"
            }
        }
        if let endReason { reasons.append("ended early because the threshold \(endReason) failed") }
        if !reasons.isEmpty {
            verdict = .failed
            return
        }
        reasons = [missing].compactMap(\.self) + generator.limits
        if traffic.sent == 0 {
            reasons.append("nothing was sent")
        } else if measuresNothing {
            reasons.append("no message had a recipient, so nothing was measured")
        }
        let undecided = (scenarios ?? []).reduce(0) { $0 + $1.undecided }
        if undecided > 0 {
            reasons.append(
                undecided == 1
                    ? "1 scenario run was inconclusive"
                    : "\(undecided) scenario runs were inconclusive")
        }
        if missing == nil {
            reasons += thresholds.filter { $0.verdict == .inconclusive && $0.value == nil }.map {
                "nothing was measured for the threshold \($0.text)"
            }
        }
        verdict = reasons.isEmpty ? .passed : .inconclusive
    }

    /// True if operators sent messages, but no delivery, answer or scenario run was expected.
    private var measuresNothing: Bool {
        let setup = [LatencyMetric.connect, .login].map(\.name)
        return traffic.owed == 0 && traffic.indefinite == 0 && (scenarios ?? []).isEmpty
            && latencies.allSatisfy { $0.response.count == 0 || setup.contains($0.metric) }
    }

    /// Changes the verdict of a load test that exceeded a budget.
    ///
    /// - Parameter isEarly: True if the load test ended early for that reason.
    package mutating func fail(exceeding budget: String, isEarly: Bool) {
        exceededBudget = budget
        let prefix = isEarly ? "ended early because it " : ""
        reasons =
            (verdict == .failed ? reasons : []) + ["\(prefix)exceeded the budget \(budget)"]
        verdict = .failed
    }

    /// Changes the verdict of a load test that passed until a signal ended it.
    package mutating func noteInterruption() {
        guard verdict == .passed else { return }
        verdict = .inconclusive
        reasons = ["the load test was interrupted"]
    }

    /// Fails the load test because its server has ended, such as `exited with 1`.
    package mutating func noteEnd(ofServer end: String) {
        let reason = "the server \(end)"
        reasons = [reason] + (verdict == .failed ? reasons : [])
        interruption = interruption ?? "aborted"
        verdict = .failed
    }

    package var exitCode: ExitCode {
        switch verdict {
        case .passed: .ok
        case .failed: .failed
        default: .inconclusive
        }
    }

    private static let missingNamedMax = 10

    /// A phrase that lists the missing shards; nil if none is missing.
    package var missingShards: String? {
        guard let shards else { return nil }
        let missing = shards.missing
        if missing.isEmpty { return nil }
        if shards.isOneAlone {
            return "this is only shard \(shards.indices[0])/\(shards.count): "
                + "use `linejudge report` to merge it with the others"
        }
        let named = missing.prefix(Self.missingNamedMax).map { "\($0)/\(shards.count)" }
        let more = missing.count - named.count
        let list = named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return missing.count == 1 ? "shard \(list) is missing" : "shards \(list) are missing"
    }

    package func violations(_ kind: Violation.Kind) -> UInt64 {
        ledger.violations[kind.rawValue] ?? 0
    }

    /// Returns the response times of a metric; nil if it has no samples.
    package func response(_ metric: LatencyMetric) -> LatencyDistribution? {
        latencies.first { $0.metric == metric.name }.map(\.response)
            .flatMap { $0.count > 0 ? $0 : nil }
    }

    /// Number of received lines that violated the dialect's command table; nil if lines were not
    /// checked.
    package var brokenLines: Double? { commandTable.map { Double($0.report.brokenLines) } }

    /// True if lines that violate the command table cause the load test to fail.
    package var brokenLinesFail: Bool {
        thresholds.contains { (try? Threshold($0.text))?.quantity == .brokenLines }
    }

    /// True if there are violations of a kind that no threshold limits, or more than a threshold
    /// allows.
    package var hasForbiddenViolations: Bool {
        let limits = thresholds.compactMap { result in
            (try? Threshold(result.text)).map { ($0, result.verdict) }
        }
        return Violation.Kind.allCases.contains { kind in
            guard violations(kind) > 0 else { return false }
            let own = limits.filter {
                $0.0.quantity == .violations(kind) || kind == .unmet && $0.0.quantity == .passed
            }
            return own.isEmpty || own.contains { $0.1 == .failed }
        }
    }

    /// Returns true if a threshold limits this kind of violation. If none does, any such violation
    /// is a failure.
    private func isAllowed(_ kind: Violation.Kind, _ thresholds: [Threshold]) -> Bool {
        thresholds.contains {
            $0.quantity == .violations(kind) || kind == .unmet && $0.quantity == .passed
        }
    }

    package func result(_ threshold: Threshold) -> ThresholdResult {
        guard let value = value(threshold.quantity) else {
            return ThresholdResult(text: threshold.text, verdict: .inconclusive)
        }
        let holds = threshold.comparison.holds(value, threshold.limit)
        // A slow generator increases the measured latencies but reduces the load on the server, so
        // neither a pass nor a failure would be reliable.
        let isUnreliable = threshold.isTiming && !generator.limits.isEmpty
        return ThresholdResult(
            text: threshold.text, value: value,
            verdict: isUnreliable ? .inconclusive : holds ? .passed : .failed)
    }

    private func value(_ quantity: Threshold.Quantity) -> Double? {
        switch quantity {
        case .percentile(let percent, let metric):
            return response(metric).flatMap { $0.percentile(percent) }.map { Double($0) }
        case .mean(let metric): return response(metric)?.mean
        case .minimum(let metric): return response(metric).map { Double($0.min) }
        case .maximum(let metric): return response(metric).map { Double($0.max) }
        case .violations(let kind): return Double(violations(kind))
        case .brokenLines: return brokenLines
        case .disconnected(nil):
            return Double((behaviours ?? []).reduce(0) { $0 + $1.disconnected })
        case .disconnected(let name):
            return (behaviours ?? []).first { $0.name == name }.map { Double($0.disconnected) }
        case .passed:
            let (passed, failed) = (scenarios ?? []).reduce((0.0, 0.0)) {
                ($0.0 + Double($1.passed), $0.1 + Double($1.failed))
            }
            return passed + failed > 0 ? passed * 100 / (passed + failed) : nil
        case .operators:
            return requested.operators > 0
                ? Double(operators.ready) * 100 / Double(requested.operators) : nil
        case .rate: return sentPercent
        case .reconnects:
            let (departures, returns) = (behaviours ?? []).reduce((0.0, 0.0)) {
                ($0.0 + Double($1.departures), $0.1 + Double($1.returns))
            }
            return departures > 0 ? returns * 100 / departures : nil
        }
    }

    /// Percentage of the scheduled messages that were sent; nil in the closed model. With random
    /// arrivals, the number of scheduled messages differs from the requested rate.
    private var sentPercent: Double? {
        let scheduled = Double(traffic.sent) + Double(traffic.unsent)
        guard ratePercent != nil, scheduled > 0 else { return ratePercent }
        return Double(traffic.sent) * 100 / scheduled
    }

    /// Percentage of the requested rate that was achieved; nil in the closed model, which has no
    /// requested rate.
    package var ratePercent: Double? {
        guard let rate = requested.ratePerSecond, rate > 0, traffic.measuredNanoseconds > 0 else {
            return nil
        }
        return traffic.rate * 100 / rate
    }
}
