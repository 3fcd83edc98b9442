package import Results

/// All that one worker times.
///
/// Response times count from when a send was *intended*, service times from when it was carried out: where
/// the generator or the server stands still, the two part, and only the first tells what users feel.
package struct LatencyRecorder: Sendable, Codable {
    private var responses: [LatencyHistogram?]
    private var services: [LatencyHistogram?]
    private var interval: [LatencyHistogram?]

    /// An empty one.
    package init() {
        let empty = [LatencyHistogram?](repeating: nil, count: Measure.allCases.count)
        responses = empty
        services = empty
        interval = empty
    }

    /// Counts what was intended, sent and over at these times.
    package mutating func record(_ measure: Measure, intended: Int64, sent: Int64, over: Int64) {
        Self.record(over - intended, measure, &responses)
        Self.record(over - sent, measure, &services)
        if measure.isPerSecond { Self.record(over - intended, measure, &interval) }
    }

    /// Counts what has only one time.
    package mutating func record(_ measure: Measure, _ nanoseconds: Int64) {
        Self.record(nanoseconds, measure, &responses)
    }

    /// Adds what was counted by steps.
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

    /// Hands over what was counted since the last call.
    package mutating func takeInterval() -> [Measure: LatencyHistogram] {
        var result: [Measure: LatencyHistogram] = [:]
        for measure in Measure.allCases {
            if let histogram = interval[measure.rawValue] { result[measure] = histogram }
            interval[measure.rawValue] = nil
        }
        return result
    }

    /// The response times; nil where nothing was counted.
    package func response(_ measure: Measure) -> LatencyHistogram? { responses[measure.rawValue] }

    /// The service times.
    package func service(_ measure: Measure) -> LatencyHistogram? { services[measure.rawValue] }

    /// Adds all that another worker has counted.
    package mutating func merge(_ other: LatencyRecorder) {
        for place in responses.indices {
            Self.merge(other.responses[place], into: &responses[place])
            Self.merge(other.services[place], into: &services[place])
        }
    }

    private static func merge(_ other: LatencyHistogram?, into target: inout LatencyHistogram?) {
        guard let other else { return }
        if target == nil { target = LatencyHistogram() }
        target?.merge(other)
    }
}
