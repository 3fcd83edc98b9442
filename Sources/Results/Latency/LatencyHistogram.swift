package import Histogram

/// A histogram of latencies in nanoseconds, with three significant digits from 1 ns to 1 hour.
package struct LatencyHistogram: Sendable {
    /// Maximum value. Longer latencies are recorded as this value.
    package static let nanosecondsMax: UInt64 = 3_600_000_000_000

    package private(set) var histogram = Histogram<UInt64>(
        lowestDiscernibleValue: 1, highestTrackableValue: nanosecondsMax,
        numberOfSignificantValueDigits: .three)
    /// Number of recorded values above ``nanosecondsMax``.
    package var clamped: UInt64 = 0

    package init() {}

    package init(clamped: UInt64) { self.clamped = clamped }

    /// Records a latency. A negative value, which only a clock error can cause, is recorded as 0.
    package mutating func record(_ nanoseconds: Int64) {
        let value = UInt64(max(nanoseconds, 0))
        if value > Self.nanosecondsMax { clamped += 1 }
        histogram.record(min(value, Self.nanosecondsMax))
    }

    /// Records a value `count` times.
    package mutating func record(_ value: UInt64, count: UInt64) {
        histogram.record(min(value, Self.nanosecondsMax), count: count)
    }

    /// Records `count` values in the histogram step that contains `value`. If the exact `minimum` or
    /// the exact `maximum` lies in that step, one of the values is recorded as exactly that.
    package mutating func record(
        stepOf value: UInt64, count: UInt64, minimum: UInt64, maximum: UInt64
    ) {
        var rest = count
        for exact in [minimum, maximum] where rest > 0 {
            guard HistogramCodec.index(of: exact) == HistogramCodec.index(of: value) else {
                continue
            }
            record(exact, count: 1)
            rest -= 1
        }
        if rest > 0 { record(min(value, maximum), count: rest) }
    }

    package mutating func merge(_ other: LatencyHistogram) {
        histogram.add(other.histogram)
        clamped += other.clamped
    }

    package var count: UInt64 { histogram.totalCount }

    /// Returns the given percentile of the samples; 0 if there are none.
    package func percentile(_ percent: Double) -> UInt64 {
        guard count > 0 else { return 0 }
        return min(histogram.valueAtPercentile(percent), histogram.maxRecorded)
    }

    /// The smallest recorded value; 0 if there are no samples.
    package var minimum: UInt64 { count > 0 ? histogram.min : 0 }

    /// The largest recorded value; 0 if there are no samples.
    package var maximum: UInt64 { count > 0 ? histogram.maxRecorded : 0 }

    /// The mean of the samples; 0 if there are none.
    package var mean: Double { count > 0 ? histogram.mean : 0 }

    /// The standard deviation of the samples; 0 if there are none.
    package var deviation: Double { count > 0 ? histogram.stdDeviation : 0 }

    /// The recorded values with their counts, in ascending order.
    package var values: [(value: UInt64, count: UInt64)] {
        histogram.recordedValues().map { ($0.value, $0.count) }
    }
}
