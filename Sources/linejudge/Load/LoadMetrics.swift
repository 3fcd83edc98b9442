import Load
import MetricsEndpoint
import Results
import Runner
import Synchronization
import Transport

/// The load that is under way, for those who ask.
final class LoadStatus: Sendable {
    private let watch = Mutex<LoadMonitor?>(nil)

    /// From now on it is this one.
    func show(_ watch: LoadMonitor) { self.watch.withLock { $0 = watch } }

    /// Its numbers in Prometheus' text format.
    var page: String {
        guard let watch = watch.withLock(\.self) else { return "" }
        return LoadMetrics.page(watch.moment, watch.lastSecond(after: -1)?.second)
    }
}

/// A load in Prometheus' text exposition format.
enum LoadMetrics {
    /// The quantiles of the last second.
    static let quantiles = [50.0, 90, 99, 99.9]

    /// Answers questions at an address, if there is one.
    static func start(
        _ address: ListenAddress?, _ gauge: LoadStatus
    ) async throws(CommandFailure) -> MetricsServer? {
        guard let address else { return nil }
        do {
            return try await MetricsServer.start(at: address) { gauge.page }
        } catch {
            throw CommandFailure(.unavailable, .badOption, error.message)
        }
    }

    static func page(_ moment: LoadSnapshot, _ second: LoadSecond?) -> String {
        var text = MetricsText(prefix: "linejudge_load_")
        func add(_ name: String, _ kind: MetricsText.Kind, _ help: String, _ value: UInt64) {
            text.add(name, kind, help, [MetricsText.Sample(value: "\(value)")])
        }
        func count(_ number: Int) -> UInt64 { UInt64(max(number, 0)) }
        add("operators_connected", .gauge, "Operators that are connected.", count(moment.connected))
        add("operators_ready", .gauge, "Operators in their rooms.", count(moment.ready))
        add("operators_failed", .gauge, "Operators that did not get there.", count(moment.failed))
        add("sent_total", .counter, "Texts and probes that were sent.", moment.sent)
        add("arrived_total", .counter, "Deliveries and answers that arrived.", moment.arrived)
        add("violations_total", .counter, "Promises that were broken.", moment.violations)
        add("cut_total", .counter, "Connections of personas that the server closed.", moment.cut)
        add("under_way", .gauge, "Messages that have not arrived everywhere.", count(moment.open))
        guard let second else { return text.text }
        add("sent_per_second", .gauge, "What was sent in the last second.", second.sent)
        add("arrived_per_second", .gauge, "What arrived in the last second.", second.arrived)
        text.add(
            "response_seconds", .gauge,
            "Response times of the last second, from the intended send time.", samples(second))
        return text.text
    }

    private static func samples(_ second: LoadSecond) -> [MetricsText.Sample] {
        second.latencies.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { measure, times in
            quantiles.map { percent in
                MetricsText.Sample(
                    labels: [("measure", measure.name), ("quantile", "\(percent / 100)")],
                    value: "\(Double(times.percentile(percent)) / 1e9)")
            }
        }
    }
}
