import Diagnostics
import Results

extension LoadHTMLPage {
    /// A key figure at the top of the page.
    struct Tile {
        var `class`: String
        var name: String
        var value: String
        var note: String

        /// Returns the key figures of a load test or a capture.
        static func all(_ results: LoadResults, _ live: LoadHTMLPage.Live? = nil) -> [Self] {
            if results.capture != nil { return times(results) }
            let traffic = results.traffic
            let target = results.ratePercent.map { "\(shortPercent($0)) of the target rate" }
            let isReached = (results.ratePercent ?? 100) >= LoadResults.ratePercentMin
            var tiles = [
                Self(
                    class: results.operators.failed > 0 ? "failed" : "passed",
                    name: "operators ready",
                    value: grouped(results.operators.ready),
                    note: "of \(grouped(UInt64(clamping: results.requested.operators)))"),
                Self(
                    class: isReached ? "passed" : "inconclusive", name: "sent per second",
                    value: decimal(whole(traffic.rate * 10), per: 10, digits: 1),
                    note: target ?? "\(grouped(traffic.sent)) sent"),
            ]
            if let live { tiles += running(live) }
            if traffic.owed > 0 {
                tiles.append(
                    Self(
                        class: traffic.delivered >= traffic.owed ? "passed" : "failed",
                        name: "deliveries", value: grouped(traffic.delivered),
                        note: "of \(grouped(traffic.owed))" + results.verifiedPeriod))
            }
            let violations = results.ledger.violations.values.reduce(0, &+)
            let areAllowed = !results.hasForbiddenViolations
            tiles.append(
                Self(
                    class: areAllowed ? "passed" : "failed", name: "violations",
                    value: grouped(violations),
                    note: violations == 0
                        ? "none" : areAllowed ? "allowed by thresholds" : "details below")
            )
            return tiles + latencies(results)
        }

        /// Maximum number of tiles for thresholds on latencies other than 99th percentiles.
        private static let limitsMax = 6

        /// Returns the 99th percentile of each metric, and other latencies that have a threshold.
        /// A latency with a threshold has the colour of the threshold's verdict.
        private static func latencies(_ results: LoadResults) -> [Self] {
            let limits = results.thresholds.compactMap { result in
                (try? Threshold(result.text)).flatMap { threshold in
                    threshold.isTiming ? (threshold, result) : nil
                }
            }
            var tiles: [Self] = []
            for metric in [LatencyMetric.say, .relay, .probe, .step, .iteration] {
                guard let times = results.response(metric) else { continue }
                let own = limits.filter { $0.0.quantity == .percentile(99, metric) }
                tiles.append(
                    Self(
                        class: look(own.map(\.1.verdict)), name: "p99(\(metric.name))",
                        value: durationText(Int64(clamping: times.p99)),
                        note: (["p50 \(durationText(Int64(clamping: times.p50)))"]
                            + own.map { limit($0.0) }).joined(separator: ", ")))
            }
            let shown = Set(tiles.map(\.name))
            let others = limits.filter { !shown.contains($0.0.left) }
            return tiles
                + others.prefix(limitsMax).map { threshold, result in
                    Self(
                        class: look([result.verdict]), name: escapedForDisplay(threshold.left),
                        value: LoadSummary.shown(result) ?? "no samples", note: limit(threshold))
                }
        }

        /// Returns the CSS class for the verdicts of thresholds; `plain` if there are none.
        private static func look(_ verdicts: [Verdict]) -> String {
            if verdicts.isEmpty { return "plain" }
            if verdicts.contains(.failed) { return "failed" }
            return verdicts.allSatisfy { $0 == .passed } ? "passed" : "inconclusive"
        }

        private static func limit(_ threshold: Threshold) -> String {
            "limit \(threshold.comparison.rawValue) \(durationText(whole(threshold.limit)))"
        }

        /// Returns the key figures for the latencies in a capture.
        private static func times(_ results: LoadResults) -> [Self] {
            results.latencies.prefix(6).map { latency in
                Self(
                    class: "plain", name: "p99(\(escapedForDisplay(latency.metric)))",
                    value: durationText(Int64(clamping: latency.response.p99)),
                    note: "p50 \(durationText(Int64(clamping: latency.response.p50)))")
            }
        }
    }
}
