/// Looks while a load goes on whether a promise is broken, so that one that has failed need not go on to its end.
package struct LiveJudge: Sendable {
    private let thresholds: [Threshold]
    /// How long a promise has to be broken without a break, in nanoseconds.
    private let grace: Int64
    private var times: [Measure: LatencyHistogram] = [:]
    /// Since when each promise is broken.
    private var brokenSince: [String: Int64] = [:]

    /// A judge of these promises.
    package init(_ thresholds: [Threshold], grace: Int64) {
        self.thresholds = thresholds
        self.grace = grace
    }

    /// Takes a second that is over.
    package mutating func add(_ second: LoadSecond) {
        for (measure, histogram) in second.latencies {
            times[measure, default: LatencyHistogram()].merge(histogram)
        }
    }

    /// Why the load should end at `now`; nil if it should go on. Any clock will do.
    package mutating func reasonToEnd(_ moment: LoadSnapshot, at now: Int64) -> String? {
        let broken = broken(moment)
        brokenSince = brokenSince.filter { broken.contains($0.key) }
        for promise in broken where brokenSince[promise] == nil { brokenSince[promise] = now }
        return broken.first { now - (brokenSince[$0] ?? now) >= grace }
    }

    /// The promises that are broken by now, those of the ledger first.
    private func broken(_ moment: LoadSnapshot) -> [String] {
        var result: [String] = []
        let allowsPlays = thresholds.contains { $0.metric == .passed }
        for kind in Violation.Kind.allCases {
            let count = moment.kinds[kind] ?? 0
            let own = thresholds.filter { $0.metric == .violations(kind) }
            if own.isEmpty {
                if count > 0, !(allowsPlays && kind == .unmet) {
                    result.append("\(kind.rawValue) == 0")
                }
                continue
            }
            // Fewer than promised there can only be in the end.
            result += own.filter {
                [.less, .lessOrEqual, .equal].contains($0.comparison) && Double(count) > $0.limit
            }.map(\.text)
        }
        result += thresholds.filter { $0.isTiming }.filter { threshold in
            value(threshold.metric).map { !threshold.comparison.holds($0, threshold.limit) }
                ?? false
        }.map(\.text)
        result += thresholds.filter {
            $0.metric == .cuts(nil) && Double(moment.cut) > $0.limit
        }.map(\.text)
        return result
    }

    private func value(_ metric: Threshold.Metric) -> Double? {
        switch metric {
        case .percentile(let percent, let measure):
            times[measure].map { Double($0.percentile(percent)) }
        case .mean(let measure): times[measure].map(\.mean)
        case .least(let measure): times[measure].map { Double($0.least) }
        case .most(let measure): times[measure].map { Double($0.most) }
        case .violations, .cuts, .passed, .rate, .operators, .brokenLines: nil
        }
    }
}
