/// A histogram of latencies in nanoseconds, with three significant digits from 1 ns to 1 hour.
///
/// Values are counted in the same steps as in HdrHistogram. Only steps with values are stored,
/// because a load test keeps one histogram per second and metric, most of them small.
package struct LatencyHistogram: Sendable {
    /// Maximum value. Longer latencies are recorded as this value.
    package static let nanosecondsMax: UInt64 = 3_600_000_000_000

    private struct Step: Sendable {
        let index: Int
        var count: UInt64
    }

    /// Steps with values, in ascending order.
    private var steps: [Step] = []
    /// Number of recorded values.
    package private(set) var count: UInt64 = 0
    /// The smallest recorded value; 0 if there are no samples.
    package private(set) var minimum: UInt64 = 0
    /// The largest recorded value; 0 if there are no samples.
    package private(set) var maximum: UInt64 = 0
    /// Number of recorded values above ``nanosecondsMax``.
    package var clamped: UInt64 = 0

    package init() {}

    package init(clamped: UInt64) { self.clamped = clamped }

    // MARK: Recording

    /// Records a latency. A negative value, which only a clock error can cause, is recorded as 0.
    package mutating func record(_ nanoseconds: Int64) {
        let value = UInt64(max(nanoseconds, 0))
        if value > Self.nanosecondsMax { clamped.grow(by: 1) }
        record(value, count: 1)
    }

    /// Records a value `count` times. Ascending values are the fastest to record.
    package mutating func record(_ value: UInt64, count: UInt64) {
        guard count > 0 else { return }
        let value = min(value, Self.nanosecondsMax)
        noteRange(value, value)
        self.count.grow(by: count)
        let index = HistogramCodec.index(of: value)
        let position = position(of: index)
        if position < steps.count, steps[position].index == index {
            steps[position].count.grow(by: count)
        } else {
            steps.insert(Step(index: index, count: count), at: position)
        }
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
        clamped.grow(by: other.clamped)
        guard other.count > 0 else { return }
        noteRange(other.minimum, other.maximum)
        count.grow(by: other.count)
        var merged: [Step] = []
        merged.reserveCapacity(steps.count + other.steps.count)
        var next = 0
        for step in other.steps {
            while next < steps.count, steps[next].index < step.index {
                merged.append(steps[next])
                next += 1
            }
            if next < steps.count, steps[next].index == step.index {
                merged.append(
                    Step(index: step.index, count: step.count.grown(by: steps[next].count)))
                next += 1
            } else {
                merged.append(step)
            }
        }
        merged += steps[next...]
        steps = merged
    }

    /// Returns the position of the first step that does not precede `index`.
    private func position(of index: Int) -> Int {
        guard let last = steps.last, last.index >= index else { return steps.count }
        var (low, high) = (0, steps.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if steps[middle].index < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Extends the range of recorded values; call it before ``count`` changes.
    private mutating func noteRange(_ least: UInt64, _ most: UInt64) {
        minimum = count == 0 ? least : min(minimum, least)
        maximum = max(maximum, most)
    }

    // MARK: Reading

    /// Returns the given percentile of the samples: the highest value of the step that contains it,
    /// as in HdrHistogram; 0 if there are no samples.
    package func percentile(_ percent: Double) -> UInt64 {
        guard percent > 0 else { return minimum }
        guard percent < 100 else { return maximum }
        // Rounding errors must not lead to the next step.
        let rank = max(1, UInt64((percent.nextDown * Double(count) / 100).rounded(.up)))
        var passed: UInt64 = 0
        for step in steps {
            passed.grow(by: step.count)
            if passed >= rank {
                return max(minimum, min(HistogramCodec.value(at: step.index), maximum))
            }
        }
        return maximum
    }

    /// The mean of the samples; 0 if there are none.
    package var mean: Double {
        guard count > 0 else { return 0 }
        let sum = steps.reduce(0.0) { sum, step in
            sum + HistogramCodec.middle(of: step.index) * Double(step.count)
        }
        return sum / Double(count)
    }

    /// The standard deviation of the samples; 0 if there are none.
    package var deviation: Double {
        guard count > 0 else { return 0 }
        let mean = mean
        let sum = steps.reduce(0.0) { sum, step in
            let distance = HistogramCodec.middle(of: step.index) - mean
            return sum + distance * distance * Double(step.count)
        }
        return (sum / Double(count)).squareRoot()
    }

    /// The recorded values with their counts, in ascending order. Each value is the highest of its
    /// step.
    package var values: [(value: UInt64, count: UInt64)] {
        steps.map { (HistogramCodec.value(at: $0.index), $0.count) }
    }
}
