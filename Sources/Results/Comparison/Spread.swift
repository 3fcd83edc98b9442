/// Many times as values with how often each occurs, in rising order.
package struct Spread: Sendable {
    private(set) var values: [UInt64]
    /// How many are not over the value at the same place.
    private var reached: [UInt64]

    /// A spread of these.
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

    /// How many there are.
    package var count: UInt64 { reached.last ?? 0 }

    /// The one with this place in the order, from 1; places outside are those at the ends.
    package func value(rank: Double) -> Double {
        guard let last = values.last else { return 0 }
        var (low, high) = (0, values.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if Double(reached[middle]) >= rank { high = middle } else { low = middle + 1 }
        }
        return Double(Swift.min(values[low], last))
    }

    /// The value that a share (0 to 1) of all are not over.
    package func quantile(_ share: Double) -> Double {
        value(rank: (share * Double(count)).rounded(.up))
    }

    /// Where the quantile of what was sampled lies, by order statistics: the number of samples below it is
    /// binomial, so that two ranks of the sample itself enclose it. Nothing is assumed of the distribution,
    /// but that the samples do not depend on each other.
    package func interval(_ share: Double, deviations: Double) -> Interval {
        let number = Double(count)
        let half = deviations * (number * share * (1 - share)).squareRoot()
        return Interval(
            low: value(rank: (number * share - half).rounded(.down)),
            high: value(rank: (number * share + half).rounded(.up) + 1))
    }
}

/// Between what and what a figure lies, with the confidence asked for.
package struct Interval: Sendable, Hashable {
    package var low: Double
    package var high: Double

    package init(low: Double, high: Double) {
        self.low = low
        self.high = high
    }

    /// The interval of a difference, made of those of its two sides (Newcombe's square-and-add; MOVER).
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
