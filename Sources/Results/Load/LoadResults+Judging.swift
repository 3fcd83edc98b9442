import LineProtocol

/// From numbers to a verdict.
extension LoadResults {
    /// A generator whose 99th percentile of lateness is longer than this was itself the limit.
    package static let latenessMax: UInt64 = 10_000_000
    /// The least of what was asked for that has to be sent, in percent.
    package static let rateLeast = 99.0
    /// A generator that has so much of its cores to do may be what is measured.
    package static let processorShareMax = 0.95
    /// A load that began so much later than was agreed on, in nanoseconds, did not begin with the others.
    package static let startLatenessMax: Int64 = 250_000_000

    /// Judges: what the server did wrong first, then whether the numbers can be relied on, then what was asked of
    /// them.
    package mutating func judge(_ promises: [Threshold]) {
        thresholds = promises.map(result)
        let missing = missingShards
        if missing != nil {
            // What holds for a part may not hold for all, and the other way round.
            for place in thresholds.indices { thresholds[place].verdict = .inconclusive }
        }
        let broken = Violation.Kind.allCases.filter { kind in
            violations(kind) > 0 && !isAllowed(kind, promises)
        }
        reasons = broken.map { "\(violations($0)) \($0.rawValue)" }
        reasons += thresholds.filter { $0.verdict == .failed }.map { "not kept: \($0.text)" }
        let isOursToBlame = operators.unconnected == operators.unconnectedHere
        if operators.failed > 0, !(isOursToBlame && operators.failed == operators.unconnected),
            !promises.contains(where: { $0.metric == .operators })
        {
            reasons.append("\(operators.failed) operators did not get into their rooms")
        }
        if let endReason { reasons.append("ended early, because \(endReason) was not kept") }
        if !reasons.isEmpty {
            verdict = .failed
            return
        }
        reasons = [missing].compactMap(\.self) + generator.limits
        if traffic.sent == 0 { reasons.append("nothing was sent") }
        let undecided = (scenarios ?? []).reduce(0) { $0 + $1.undecided }
        if undecided > 0 { reasons.append("\(undecided) plays could not be decided") }
        if missing == nil, thresholds.contains(where: { $0.verdict == .inconclusive }) {
            reasons.append("a threshold could not be decided")
        }
        verdict = reasons.isEmpty ? .passed : .inconclusive
    }

    /// How the process ends.
    package var exitCode: ExitCode {
        switch verdict {
        case .passed: .ok
        case .failed: .failed
        default: .inconclusive
        }
    }

    /// The most missing shards that are named.
    private static let missingNamedMax = 10

    /// In a sentence, which shards are not here; nil if all are.
    package var missingShards: String? {
        guard let shards else { return nil }
        let missing = shards.missing
        if missing.isEmpty { return nil }
        if shards.isOneAlone {
            return "this is shard \(shards.indices[0])/\(shards.count) alone: "
                + "`linejudge report` judges it together with the others"
        }
        let named = missing.prefix(Self.missingNamedMax).map { "\($0)/\(shards.count)" }
        let more = missing.count - named.count
        let list = named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return missing.count == 1 ? "shard \(list) is missing" : "shards \(list) are missing"
    }

    /// How many violations of a kind there are.
    package func violations(_ kind: Violation.Kind) -> UInt64 {
        ledger.violations[kind.rawValue] ?? 0
    }

    /// The response times of a measure; nil where nothing was timed.
    package func response(_ measure: Measure) -> Distribution? {
        latencies.first { $0.measure == measure.name }.map(\.response)
            .flatMap { $0.count > 0 ? $0 : nil }
    }

    /// How many lines of the server broke the dialect's command table; nil if nobody looked.
    package var brokenLines: Double? { commandTable.map { Double($0.report.brokenLines) } }

    /// Whether lines that break it fail the load.
    package var brokenLinesFail: Bool {
        thresholds.contains { (try? Threshold($0.text))?.metric == .brokenLines }
    }

    /// Whether a threshold says how many violations there may be, instead of none.
    private func isAllowed(_ kind: Violation.Kind, _ thresholds: [Threshold]) -> Bool {
        thresholds.contains {
            $0.metric == .violations(kind) || kind == .unmet && $0.metric == .passed
        }
    }

    /// What a promise is held against, and what came of it.
    package func result(_ threshold: Threshold) -> ThresholdResult {
        guard let value = value(threshold.metric) else {
            return ThresholdResult(text: threshold.text, verdict: .inconclusive)
        }
        let holds = threshold.comparison.holds(value, threshold.limit)
        // A slow generator makes latencies longer, never shorter; but it also asks less of the server.
        let isBlurred = threshold.isTiming && !generator.limits.isEmpty
        return ThresholdResult(
            text: threshold.text, value: value,
            verdict: isBlurred ? .inconclusive : holds ? .passed : .failed)
    }

    private func value(_ metric: Threshold.Metric) -> Double? {
        switch metric {
        case .percentile(let percent, let measure):
            return response(measure).flatMap { $0.percentile(percent) }.map { Double($0) }
        case .mean(let measure): return response(measure)?.mean
        case .least(let measure): return response(measure).map { Double($0.min) }
        case .most(let measure): return response(measure).map { Double($0.max) }
        case .violations(let kind): return Double(violations(kind))
        case .brokenLines: return brokenLines
        case .cuts(nil): return Double((personas ?? []).reduce(0) { $0 + $1.cut })
        case .cuts(let name):
            return (personas ?? []).first { $0.name == name }.map { Double($0.cut) }
        case .passed:
            let (passed, failed) = (scenarios ?? []).reduce((0.0, 0.0)) {
                ($0.0 + Double($1.passed), $0.1 + Double($1.failed))
            }
            return passed + failed > 0 ? passed * 100 / (passed + failed) : nil
        case .operators:
            return asked.operators > 0
                ? Double(operators.ready) * 100 / Double(asked.operators) : nil
        case .rate: return ratePercent
        }
    }

    /// What was sent of what was asked for; nil in the closed model, which asks for nothing.
    package var ratePercent: Double? {
        guard let rate = asked.ratePerSecond, rate > 0, traffic.measuredNanoseconds > 0 else {
            return nil
        }
        return traffic.rate * 100 / rate
    }
}
