package import Histogram

/// Latencies in nanoseconds with three significant digits, from 1 ns to an hour.
package struct LatencyHistogram: Sendable {
    /// The longest that is told apart; what took longer counts as this.
    package static let nanosecondsMax: UInt64 = 3_600_000_000_000

    package private(set) var histogram = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: nanosecondsMax,
        numberOfSignificantValueDigits: .three)
    /// How many were longer than ``nanosecondsMax``.
    package var clamped: UInt64 = 0

    /// An empty one.
    package init() {}

    package init(clamped: UInt64) { self.clamped = clamped }

    /// Counts one; a negative one, which only a clock could be to blame for, counts as 0.
    package mutating func record(_ nanoseconds: Int64) {
        let value = UInt64(max(nanoseconds, 0))
        if value > Self.nanosecondsMax { clamped += 1 }
        histogram.record(min(value, Self.nanosecondsMax))
    }

    /// Counts `count` of the same value.
    package mutating func record(_ value: UInt64, count: UInt64) {
        histogram.record(min(value, Self.nanosecondsMax), count: count)
    }

    /// Counts `count` of the step in which `value` lies, where the shortest and the longest time of all are known
    /// exactly.
    package mutating func record(stepOf value: UInt64, count: UInt64, least: UInt64, most: UInt64) {
        var rest = count
        for exact in [least, most] where rest > 0 {
            guard HistogramCodec.place(of: exact) == HistogramCodec.place(of: value) else {
                continue
            }
            record(exact, count: 1)
            rest -= 1
        }
        if rest > 0 { record(min(value, most), count: rest) }
    }

    /// Adds all that another one has counted.
    package mutating func merge(_ other: LatencyHistogram) {
        histogram.add(other.histogram)
        clamped += other.clamped
    }

    /// How many were counted.
    package var count: UInt64 { histogram.totalCount }

    /// The value that `percent` of all are not over; 0 where nothing was counted.
    package func percentile(_ percent: Double) -> UInt64 {
        guard count > 0 else { return 0 }
        return min(histogram.valueAtPercentile(percent), histogram.maxRecorded)
    }

    /// The shortest.
    package var least: UInt64 { count > 0 ? histogram.min : 0 }

    /// The longest.
    package var most: UInt64 { count > 0 ? histogram.maxRecorded : 0 }

    /// The mean.
    package var mean: Double { count > 0 ? histogram.mean : 0 }

    /// The standard deviation.
    package var deviation: Double { count > 0 ? histogram.stdDeviation : 0 }

    /// Every value that occurs, with how often, in rising order.
    package var values: [(value: UInt64, count: UInt64)] {
        histogram.recordedValues().map { ($0.value, $0.count) }
    }
}
