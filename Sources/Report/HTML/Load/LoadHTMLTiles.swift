import Diagnostics
import Results

extension LoadHTMLPage {
    /// A key figure at the top of the page.
    struct Tile {
        var `class`: String
        var name: String
        var value: String
        var note: String

        /// Returns the key figures of a load or capture.
        static func all(_ results: LoadResults) -> [Self] {
            if results.capture != nil { return times(results) }
            let traffic = results.traffic
            let target = results.ratePercent.map { "\(shortPercent($0)) of the target rate" }
            let isReached = (results.ratePercent ?? 100) >= LoadResults.rateLeast
            var tiles = [
                Self(
                    class: results.operators.failed > 0 ? "failed" : "passed",
                    name: "operators ready",
                    value: grouped(results.operators.ready),
                    note: "of \(grouped(UInt64(clamping: results.asked.operators)))"),
                Self(
                    class: isReached ? "passed" : "inconclusive", name: "sent per second",
                    value: decimal(whole(traffic.rate * 10), per: 10, digits: 1),
                    note: target ?? "\(grouped(traffic.sent)) sent"),
            ]
            if traffic.owed > 0 {
                tiles.append(
                    Self(
                        class: traffic.delivered >= traffic.owed ? "passed" : "failed",
                        name: "deliveries", value: grouped(traffic.delivered),
                        note: "of \(grouped(traffic.owed))"))
            }
            let violations = results.ledger.violations.values.reduce(0, &+)
            tiles.append(
                Self(
                    class: violations > 0 ? "failed" : "passed", name: "violations",
                    value: grouped(violations),
                    note: violations > 0 ? "details below" : "none")
            )
            for measure in [Measure.say, .relay, .probe, .step, .iteration] {
                guard let times = results.response(measure) else { continue }
                tiles.append(
                    Self(
                        class: "plain", name: "p99(\(measure.name))",
                        value: durationText(Int64(clamping: times.p99)),
                        note: "p50 \(durationText(Int64(clamping: times.p50)))"))
            }
            return tiles
        }

        /// Returns the latencies of a capture.
        private static func times(_ results: LoadResults) -> [Self] {
            results.latencies.prefix(6).map { latency in
                Self(
                    class: "plain", name: "p99(\(escapedForDisplay(latency.measure)))",
                    value: durationText(Int64(clamping: latency.response.p99)),
                    note: "p50 \(durationText(Int64(clamping: latency.response.p50)))")
            }
        }
    }
}
