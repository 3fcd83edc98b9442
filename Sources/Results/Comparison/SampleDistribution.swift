/// A distribution of values, stored as sorted distinct values with their counts.
package struct SampleDistribution: Sendable {
    private(set) var values: [UInt64]
    /// Cumulative counts: the number of samples up to and including the value at the same index.
    private var reached: [UInt64]

    /// Creates a distribution from sorted values and their counts.
    package init(_ entries: [(value: UInt64, count: UInt64)]) {
        values = []
        reached = []
        var total: UInt64 = 0
        for (value, count) in entries where count > 0 {
            total &+= count
            values.append(value)
            reached.append(total)
        }
    }

    package var count: UInt64 { reached.last ?? 0 }

    /// Returns the value with the given rank. Ranks start at 1 and are clamped to the valid range.
    package func value(rank: Double) -> Double {
        guard let last = values.last else { return 0 }
        var (low, high) = (0, values.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if Double(reached[middle]) >= rank { high = middle } else { low = middle + 1 }
        }
        return Double(Swift.min(values[low], last))
    }

    /// Returns the quantile for `share`, a fraction of the samples from 0 to 1.
    package func quantile(_ share: Double) -> Double {
        value(rank: (share * Double(count)).rounded(.up))
    }

    /// Returns the confidence interval of a quantile, based on order statistics. The number of
    /// samples below the quantile follows a binomial distribution, which gives the ranks of two
    /// samples that enclose the quantile. The samples must be independent, but may have any
    /// distribution.
    package func interval(_ share: Double, deviations: Double) -> Interval {
        let number = Double(count)
        let half = deviations * (number * share * (1 - share)).squareRoot()
        return Interval(
            low: value(rank: (number * share - half).rounded(.down)),
            high: value(rank: (number * share + half).rounded(.up) + 1))
    }
}

/// A confidence interval.
package struct Interval: Sendable, Hashable {
    package var low: Double
    package var high: Double

    package init(low: Double, high: Double) {
        self.low = low
        self.high = high
    }

    /// Returns the confidence interval of a difference, given the intervals of the two values
    /// (MOVER, also known as Newcombe's square-and-add method).
    static func difference(
        from first: (value: Double, interval: Interval),
        to second: (value: Double, interval: Interval)
    ) -> Interval {
        let difference = second.value - first.value
        func root(_ one: Double, _ other: Double) -> Double {
            (one * one + other * other).squareRoot()
        }
        return Interval(
            low: difference
                - root(second.value - second.interval.low, first.interval.high - first.value),
            high: difference
                + root(second.interval.high - second.value, first.value - first.interval.low))
    }
}
