import CEpoll
import Console
import Diagnostics
import DialectFiles
import HTTPEndpoint
package import Results
import Synchronization
import Transport

/// A reader of the server's own metrics, once per second while a load test runs.
package final class MetricsScraper: Sendable {
    /// Maximum number of samples per metric. When it is exceeded, every other sample is dropped.
    static let samplesMax = 20_000
    /// Number of attempts to read the endpoint before the load test, and the pause between them. A
    /// server may start listening there after it has started listening for clients.
    static let attempts = 10
    static let pause = Duration.milliseconds(200)
    /// Maximum number of names in an error message.
    static let namesShown = 12

    fileprivate struct Observed {
        var metric: ServerMetric
        /// The last value of a counter, and its time.
        var last: (time: Int64, value: Double)?
    }

    private let sources: [MetricsSource]
    /// The metrics of each source.
    private let state: Mutex<[[Observed]]>

    package init(_ sources: [MetricsSource]) {
        self.sources = sources
        state = Mutex(
            sources.map { source in
                source.names.map {
                    Observed(metric: ServerMetric(name: $0, source: source.url))
                }
            })
    }

    /// Throws an error if an endpoint does not respond or lacks one of the metrics.
    func check() async throws(CommandFailure) {
        for source in sources {
            let page = try await Self.firstPage(of: source)
            let known = PrometheusPage(page).metrics.keys.sorted()
            let list = known.prefix(Self.namesShown).map { escapedForDisplay(shortened($0)) }
                .joined(separator: ", ")
            let rest =
                known.count > Self.namesShown ? " and \(known.count - Self.namesShown) more" : ""
            guard let missing = source.names.first(where: { !known.contains($0) }) else {
                if !source.names.isEmpty { continue }
                throw CommandFailure(
                    .usage, .badOption,
                    "--watch \(escapedForDisplay(source.url)): no metrics named",
                    help: "add names after a #, such as \(source.url)#\(known.first ?? "NAME"); "
                        + "metrics: \(list)\(rest)")
            }
            throw CommandFailure(
                .usage, .badOption,
                "\(escapedForDisplay(source.url)) has no metric `\(escapedForDisplay(missing))`",
                help: didYouMean(missing, among: known).map { "did you mean `\($0)`?" }
                    ?? (known.isEmpty
                        ? "the page is not in the Prometheus text format"
                        : "metrics: \(list)\(rest)"))
        }
    }

    private static func firstPage(of source: MetricsSource) async throws(CommandFailure) -> [UInt8]
    {
        for attempt in 1... {
            do {
                return try await page(of: source)
            } catch {
                if attempt < attempts, (try? await Task.sleep(for: pause)) != nil { continue }
                throw CommandFailure(
                    .unavailable, .badOption, "cannot read metrics: \(error.reason)",
                    help: "check the URL of --watch")
            }
        }
        return []
    }

    private static func page(of source: MetricsSource) async throws(ConnectFailure) -> [UInt8] {
        try await HTTPFetch.page(host: source.host, port: source.port, path: source.path)
    }

    /// Reads the metrics until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            for index in sources.indices {
                group.addTask {
                    repeat {
                        await self.sample(index)
                    } while (try? await Task.sleep(
                        for: ProcessObserver.interval)) != nil
                }
            }
        }
    }

    private func sample(_ index: Int) async {
        let source = sources[index]
        let start = lj_now()
        let bytes = try? await Self.page(of: source)
        let now = lj_now()
        // The time of a value in a late answer is unknown.
        let isLate = now - start > ProcessObserver.interval.nanoseconds
        let page = isLate ? nil : bytes.map { PrometheusPage($0, only: Set(source.names)) }
        state.withLock { state in
            for position in state[index].indices {
                state[index][position].add(
                    page?.metrics[state[index][position].metric.name], at: now)
            }
        }
    }

    /// Returns the metrics; nil if none were read. Sample times are relative to `start`, a time on
    /// the monotonic clock.
    package func metrics(since start: Int64) -> [ServerMetric]? {
        let all = state.withLock { $0.joined().map(\.metric) }
        if all.isEmpty { return nil }
        return all.map { metric in
            var metric = metric
            for index in metric.samples.indices { metric.samples[index].timeNanoseconds -= start }
            return metric
        }
    }
}

extension MetricsScraper.Observed {
    fileprivate mutating func add(_ value: PrometheusPage.Metric?, at now: Int64) {
        guard let value else {
            metric.missed += 1
            last = nil
            return
        }
        metric.isCounter = value.isCounter
        var sample = ServerMetricSample(timeNanoseconds: now, value: value.sum)
        if value.isCounter {
            defer { last = (now, value.sum) }
            guard let last, now > last.time else { return }
            // A counter that has shrunk was reset, which happens when the server restarts.
            let growth = value.sum >= last.value ? value.sum - last.value : value.sum
            sample.value = growth * 1e9 / Double(now - last.time)
        }
        metric.samples.append(sample)
        if metric.samples.count > MetricsScraper.samplesMax {
            metric.samples = metric.samples.enumerated().filter { $0.offset % 2 == 0 }
                .map(\.element)
        }
    }
}
