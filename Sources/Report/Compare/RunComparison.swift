import Diagnostics
package import Results

extension Comparison {
    /// Maximum number of scenarios listed in each direction, better or worse. The rest are only
    /// counted.
    static let scenariosMax = 50

    /// Compares the verdicts and durations of two runs.
    ///
    /// Verdicts have no confidence interval. Each duration is a single sample, so only the median
    /// of all duration ratios is judged, if there are enough. Its interval is based on order
    /// statistics.
    package static func of(
        _ first: RunResults, _ second: RunResults, names: (String, String), tolerance: Double,
        confidence: Double
    ) -> Comparison {
        var comparison = Comparison(
            names: names, abouts: (about(first), about(second)), tolerance: tolerance,
            confidence: confidence)
        comparison.addVerdicts(first, second)
        comparison.addScenarios(first, second)
        for (results, name) in [(first, names.0), (second, names.1)] {
            if let interruption = results.interruption {
                comparison.notes.append("\(name) ended early: \(interruption.rawValue)")
            }
        }
        return comparison
    }

    private static func about(_ results: RunResults) -> String {
        let words = [results.server.software, results.server.version].compactMap(\.self)
        let server = words.isEmpty ? results.server.endpoint : words.joined(separator: " ")
        return (["run"] + [escapedForDisplay(server)].filter { !$0.isEmpty })
            .joined(separator: ", ") + ", " + results.counts.summary
    }

    private mutating func addVerdicts(_ first: RunResults, _ second: RunResults) {
        for verdict in Verdict.byUrgency {
            let counts = [first, second].map { Double($0.counts[verdict]) }
            guard counts.contains(where: { $0 > 0 }) else { continue }
            figures.append(
                Figure(
                    group: "scenarios", name: VerdictStyle(verdict).plural, unit: .count,
                    values: counts, finding: .shown))
        }
    }

    private mutating func addScenarios(_ first: RunResults, _ second: RunResults) {
        var earlier: [String: ScenarioResult] = [:]
        for scenario in first.scenarios { earlier[Self.key(scenario)] = scenario }
        var (worse, better, added) = ([String](), [String](), 0)
        var ratios: [Double] = []
        for scenario in second.scenarios {
            guard let before = earlier.removeValue(forKey: Self.key(scenario)) else {
                added += 1
                if Self.isBad(scenario.verdict) { worse.append(Self.line(nil, scenario)) }
                continue
            }
            let (was, isNow) = (Self.isBad(before.verdict), Self.isBad(scenario.verdict))
            if isNow, !was { worse.append(Self.line(before, scenario)) }
            if was, !isNow { better.append(Self.line(before, scenario)) }
            if before.verdict == .passed, scenario.verdict == .passed, before.duration > 0 {
                ratios.append(Double(scenario.duration) / Double(before.duration))
            }
        }
        for (name, lines) in [("regressed", worse), ("improved", better)] {
            figures.append(
                Figure(
                    group: "scenarios", name: name, unit: .count,
                    values: [nil, Double(lines.count)],
                    finding: lines.isEmpty ? .same : name == "regressed" ? .worse : .better))
            notes += lines.prefix(Self.scenariosMax).map { "\(name): \($0)" }
            if lines.count > Self.scenariosMax {
                notes.append("\(name): \(lines.count - Self.scenariosMax) more")
            }
        }
        if added > 0 { notes.append("\(counted(added, "scenario")) only in \(names.1)") }
        if !earlier.isEmpty {
            notes.append("\(counted(earlier.count, "scenario")) only in \(names.0)")
        }
        addDurations(ratios)
    }

    private static func key(_ scenario: ScenarioResult) -> String {
        "\(scenario.path)\0\(scenario.fullTitle)\0\(scenario.dialect)"
    }

    private static func isBad(_ verdict: Verdict) -> Bool {
        switch verdict {
        case .failed, .error, .inconclusive, .flaky: true
        case .passed, .delayed, .observed, .skipped, .knownFailure: false
        }
    }

    private static func line(_ before: ScenarioResult?, _ now: ScenarioResult) -> String {
        let was = before.map { VerdictStyle($0.verdict).singular } ?? "new"
        let title = escapedForDisplay(now.fullTitle)
        return "\(title) (\(escapedForDisplay(now.location))): \(was) → "
            + VerdictStyle(now.verdict).singular
    }

    private mutating func addDurations(_ ratios: [Double]) {
        guard !ratios.isEmpty else { return }
        let sorted = ratios.sorted()
        let number = Double(sorted.count)
        let half = deviations(confidence: confidence) * number.squareRoot() / 2
        func ranked(_ rank: Double) -> Double {
            sorted[Int(min(max(rank, 1), number)) - 1]
        }
        let median = ranked((number / 2).rounded(.up))
        // Even the interval from the lowest to the highest ratio contains the true median with a
        // probability of only 1 − 2 ^ (1 − n).
        let chance = Double(sign: .plus, exponent: 1 - sorted.count, significand: 1)
        let interval =
            1 - chance < confidence
            ? nil
            : Interval(
                low: ranked((number / 2 - half).rounded(.down)) - 1,
                high: ranked((number / 2 + half).rounded(.up) + 1) - 1)
        figures.append(
            Figure(
                group: "scenarios", name: "median duration ratio", unit: .ratio,
                values: [1, median], interval: interval,
                finding: interval.map { finding(1, median, $0) } ?? .shown))
    }
}
