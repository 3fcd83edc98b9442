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
        let empty = [LatencyHistogram?](repeating: nil, count: Measure.allCases.count)
        responses = empty
        services = empty
        interval = empty
    }

    /// Records an operation, given its intended, actual and completion times.
    package mutating func record(_ measure: Measure, intended: Int64, sent: Int64, over: Int64) {
        Self.record(over - intended, measure, &responses)
        Self.record(over - sent, measure, &services)
        if measure.isPerSecond { Self.record(over - intended, measure, &interval) }
    }

    /// Records a latency without a due time.
    package mutating func record(_ measure: Measure, _ nanoseconds: Int64) {
        Self.record(nanoseconds, measure, &responses)
    }

    /// Adds counts collected by a ``LatencyAccumulator``.
    mutating func add(
        _ responses: borrowing BucketCounts, _ services: borrowing BucketCounts, to measure: Measure
    ) {
        Self.add(responses, measure, &self.responses)
        Self.add(services, measure, &self.services)
        if measure.isPerSecond { Self.add(responses, measure, &interval) }
    }

    private static func add(
        _ counts: borrowing BucketCounts, _ measure: Measure,
        _ histograms: inout [LatencyHistogram?]
    ) {
        if histograms[measure.rawValue] == nil { histograms[measure.rawValue] = LatencyHistogram() }
        histograms[measure.rawValue]?.add(counts)
    }

    private static func record(
        _ nanoseconds: Int64, _ measure: Measure, _ histograms: inout [LatencyHistogram?]
    ) {
        if histograms[measure.rawValue] == nil { histograms[measure.rawValue] = LatencyHistogram() }
        histograms[measure.rawValue]?.record(nanoseconds)
    }

    /// Returns the response times recorded since the last call.
    package mutating func takeInterval() -> [Measure: LatencyHistogram] {
        var result: [Measure: LatencyHistogram] = [:]
        for measure in Measure.allCases {
            if let histogram = interval[measure.rawValue] { result[measure] = histogram }
            interval[measure.rawValue] = nil
        }
        return result
    }

    /// Returns the response times; nil if none were recorded.
    package func response(_ measure: Measure) -> LatencyHistogram? { responses[measure.rawValue] }

    /// Returns the service times; nil if none were recorded.
    package func service(_ measure: Measure) -> LatencyHistogram? { services[measure.rawValue] }

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
