import Diagnostics
import FoundationEssentials
import Results

/// CSV with one row per second of a load test. Latencies are in microseconds.
enum LoadTable {
    static func text(_ results: LoadResults) -> String {
        let metrics = Set(results.seconds.flatMap(\.latencies.keys)).sorted()
        let numbers = ["count", "p50_us", "p90_us", "p99_us", "max_us"]
        let columns = metrics.flatMap { metric in numbers.map { "\(metric)_\($0)" } }
        var lines = [
            (["second", "sent", "arrived", "violations"] + columns).joined(separator: ",")
        ]
        for second in results.seconds {
            var cells = [
                String(second.second), String(second.sent), String(second.arrived),
                String(second.violations),
            ]
            for metric in metrics {
                guard let times = second.latencies[metric] else {
                    cells += ["0", "", "", "", ""]
                    continue
                }
                cells.append(String(times.count))
                cells += [times.p50, times.p90, times.p99, times.max].map {
                    decimal(Int64(clamping: $0), per: 1_000, digits: 1)
                }
            }
            lines.append(cells.joined(separator: ","))
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
