import Diagnostics
package import HTTPEndpoint
package import Results
import Synchronization
package import Transport

/// The load test in progress, for the metrics endpoint.
package final class LoadStatus: Sendable {
    private let watch = Mutex<LoadMonitor?>(nil)

    package init() {}

    func show(_ watch: LoadMonitor) { self.watch.withLock { $0 = watch } }

    /// The metrics in Prometheus text format.
    var page: String {
        guard let watch = watch.withLock(\.self) else { return "" }
        return LoadMetrics.page(watch.snapshot, watch.lastSecond(after: -1)?.second)
    }
}

/// A load test's metrics in the Prometheus text format.
package enum LoadMetrics {
    /// Reported percentiles of the last second's latency.
    static let quantiles = [
        (percent: 50.0, label: "0.5"), (90, "0.9"), (99, "0.99"), (99.9, "0.999"),
    ]

    /// Starts the metrics endpoint if an address is given; otherwise returns nil.
    package static func start(
        _ address: ListenAddress?, _ gauge: LoadStatus
    ) async throws(CommandFailure) -> HTTPServer? {
        guard let address else { return nil }
        do {
            return try await MetricsServer.start(at: address) { gauge.page }
        } catch {
            throw CommandFailure(.unavailable, .badOption, error.message)
        }
    }

    static func page(_ snapshot: LoadSnapshot, _ second: LoadSecond?) -> String {
        var text = MetricsText(prefix: "linejudge_load_")
        func add(_ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: UInt64) {
            text.add(name, kind, help, [MetricsText.Sample(value: "\(value)")])
        }
        func count(_ number: Int) -> UInt64 { UInt64(max(number, 0)) }
        add("operators_connected", .gauge, "Connected operators.", count(snapshot.connected))
        add(
            "operators_ready", .gauge, "Operators that have logged in and entered their rooms.",
            count(snapshot.ready))
        add("operators_failed", .gauge, "Operators that failed to log in.", count(snapshot.failed))
        add("sent_total", .counter, "Messages and probes sent.", snapshot.sent)
        add("arrived_total", .counter, "Deliveries and answers received.", snapshot.arrived)
        add("violations_total", .counter, "Delivery violations.", snapshot.violations)
        add(
            "cut_total", .counter, "Connections of misbehaving operators closed by the server.",
            snapshot.disconnected)
        add("under_way", .gauge, "In-flight messages.", count(snapshot.open))
        guard let second else { return text.text }
        add("sent_per_second", .gauge, "Messages sent in the last second.", second.sent)
        add("arrived_per_second", .gauge, "Deliveries received in the last second.", second.arrived)
        text.add(
            "response_seconds", .gauge,
            "Latency in the last second, from the scheduled send time.", samples(second))
        return text.text
    }

    private static func samples(_ second: LoadSecond) -> [MetricsText.Sample] {
        second.latencies.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { metric, times in
            quantiles.map { percent, label in
                MetricsText.Sample(
                    labels: [("measure", metric.name), ("quantile", label)],
                    value: "\(Double(times.percentile(percent)) / 1e9)")
            }
        }
    }
}
