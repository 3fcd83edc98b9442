package import Results

/// One worker's latency histograms.
///
/// Response time is measured from when a send was *due*, service time from when it actually
/// happened. The two differ when the generator or the server stalls, and only response times show
/// what users experience.
package struct LatencyRecorder: Sendable, Codable {
    private var responses: [LatencyHistogram?]
    private var services: [LatencyHistogram?]
    private var interval: [LatencyHistogram?]

    package init() {
        let empty = [LatencyHistogram?](repeating: nil, count: LatencyMetric.allCases.count)
        responses = empty
        services = empty
        interval = empty
    }

    /// Records an operation, given its intended, actual and completion times.
    package mutating func record(_ metric: LatencyMetric, intended: Int64, sent: Int64, over: Int64)
    {
        Self.record(over - intended, metric, &responses)
        Self.record(over - sent, metric, &services)
        if metric.isPerSecond { Self.record(over - intended, metric, &interval) }
    }

    /// Records a latency without a due time.
    package mutating func record(_ metric: LatencyMetric, _ nanoseconds: Int64) {
        Self.record(nanoseconds, metric, &responses)
    }

    /// Adds counts collected by a ``LatencyAccumulator``.
    mutating func add(
        _ responses: borrowing BucketCounts, _ services: borrowing BucketCounts,
        to metric: LatencyMetric
    ) {
        Self.add(responses, metric, &self.responses)
        Self.add(services, metric, &self.services)
        if metric.isPerSecond { Self.add(responses, metric, &interval) }
    }

    /// Adds latencies without a due time, collected in ``BucketCounts``.
    mutating func add(_ counts: borrowing BucketCounts, to metric: LatencyMetric) {
        Self.add(counts, metric, &responses)
    }

    private static func add(
        _ counts: borrowing BucketCounts, _ metric: LatencyMetric,
        _ histograms: inout [LatencyHistogram?]
    ) {
        guard !counts.isEmpty else { return }
        if histograms[metric.rawValue] == nil { histograms[metric.rawValue] = LatencyHistogram() }
        histograms[metric.rawValue]?.add(counts)
    }

    private static func record(
        _ nanoseconds: Int64, _ metric: LatencyMetric, _ histograms: inout [LatencyHistogram?]
    ) {
        if histograms[metric.rawValue] == nil { histograms[metric.rawValue] = LatencyHistogram() }
        histograms[metric.rawValue]?.record(nanoseconds)
    }

    /// Returns the response times recorded since the last call.
    package mutating func takeInterval() -> [LatencyMetric: LatencyHistogram] {
        var result: [LatencyMetric: LatencyHistogram] = [:]
        for metric in LatencyMetric.allCases {
            if let histogram = interval[metric.rawValue] { result[metric] = histogram }
            interval[metric.rawValue] = nil
        }
        return result
    }

    /// Returns the response times; nil if none were recorded.
    package func response(_ metric: LatencyMetric) -> LatencyHistogram? {
        responses[metric.rawValue]
    }

    /// Returns the service times; nil if none were recorded.
    package func service(_ metric: LatencyMetric) -> LatencyHistogram? { services[metric.rawValue] }

    /// Adds another worker's latencies.
    package mutating func merge(_ other: LatencyRecorder) {
        for index in responses.indices {
            Self.merge(other.responses[index], into: &responses[index])
            Self.merge(other.services[index], into: &services[index])
        }
    }

    private static func merge(_ other: LatencyHistogram?, into target: inout LatencyHistogram?) {
        guard let other else { return }
        if target == nil { target = LatencyHistogram() }
        target?.merge(other)
    }
}
