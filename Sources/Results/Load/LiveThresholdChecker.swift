/// A checker that evaluates thresholds while a load test is running, so that a failing load test
/// can be ended early.
package struct LiveThresholdChecker: Sendable {
    private let thresholds: [Threshold]
    /// Time that a threshold must fail continuously before it ends the load test, in nanoseconds.
    private let grace: Int64
    private var times: [LatencyMetric: LatencyHistogram] = [:]
    /// The failing thresholds, each with the time it started to fail.
    private var brokenSince: [String: Int64] = [:]

    package init(_ thresholds: [Threshold], grace: Int64) {
        self.thresholds = thresholds
        self.grace = grace
    }

    package mutating func add(_ second: LoadSecond) {
        for (metric, histogram) in second.latencies {
            times[metric, default: LatencyHistogram()].merge(histogram)
        }
    }

    /// Returns the threshold that ends the load test at `now`; nil if the load test should
    /// continue. `now` may be a time on any monotonic clock.
    package mutating func reasonToEnd(_ snapshot: LoadSnapshot, at now: Int64) -> String? {
        let broken = broken(snapshot)
        brokenSince = brokenSince.filter { broken.contains($0.key) }
        for threshold in broken where brokenSince[threshold] == nil { brokenSince[threshold] = now }
        return broken.first { now - (brokenSince[$0] ?? now) >= grace }
    }

    /// Returns the thresholds that are currently failing, starting with delivery violations.
    private func broken(_ snapshot: LoadSnapshot) -> [String] {
        var result: [String] = []
        let allowsFailedRuns = thresholds.contains { $0.quantity == .passed }
        for kind in Violation.Kind.allCases {
            let count = snapshot.kinds[kind] ?? 0
            let own = thresholds.filter { $0.quantity == .violations(kind) }
            if own.isEmpty {
                if count > 0, !(allowsFailedRuns && kind == .unmet) {
                    result.append("\(kind.rawValue) == 0")
                }
                continue
            }
            // The count may still grow, so only upper limits can fail before the end of the load
            // test.
            result += own.filter {
                [.less, .lessOrEqual, .equal].contains($0.comparison) && Double(count) > $0.limit
            }.map(\.text)
        }
        result += thresholds.filter { $0.isTiming }.filter { threshold in
            value(threshold.quantity).map { !threshold.comparison.holds($0, threshold.limit) }
                ?? false
        }.map(\.text)
        result += thresholds.filter {
            $0.quantity == .disconnected(nil) && Double(snapshot.disconnected) > $0.limit
        }.map(\.text)
        return result
    }

    private func value(_ quantity: Threshold.Quantity) -> Double? {
        switch quantity {
        case .percentile(let percent, let metric):
            times[metric].map { Double($0.percentile(percent)) }
        case .mean(let metric): times[metric].map(\.mean)
        case .minimum(let metric): times[metric].map { Double($0.minimum) }
        case .maximum(let metric): times[metric].map { Double($0.maximum) }
        case .violations, .disconnected, .passed, .rate, .operators, .reconnects, .brokenLines: nil
        }
    }
}
