import Glibc

/// Two results side by side, figure by figure.
package struct Comparison: Sendable {
    /// What is compared to what, in two words: files.
    package var names: (String, String)
    /// One line about each of them.
    package var abouts: (String, String)
    package var figures: [Figure]
    /// What makes the comparison less than it seems, in sentences.
    package var notes: [String] = []
    /// Why nothing can be concluded from the figures; empty where it can.
    package var doubts: [String] = []
    /// How much worse a figure may be, as a share.
    package var tolerance: Double
    /// How sure an interval is, as a share.
    package var confidence: Double

    /// One figure of both.
    package struct Figure: Sendable, Hashable {
        /// What it belongs to: `say`, `delivery`.
        package var group: String
        package var name: String
        package var unit: Unit
        /// nil where one of them has it not.
        package var values: [Double?]
        /// Of the difference; nil for what was counted and not sampled.
        package var interval: Interval?
        package var finding: Finding

        package init(
            group: String, name: String, unit: Unit, values: [Double?], interval: Interval? = nil,
            finding: Finding = .same
        ) {
            self.group = group
            self.name = name
            self.unit = unit
            self.values = values
            self.interval = interval
            self.finding = finding
        }

        /// How much more the second has, as a share of the first.
        package var change: Double? {
            guard let first = values.first ?? nil, let second = values.last ?? nil else {
                return nil
            }
            if first == second { return 0 }
            return first != 0 ? (second - first) / abs(first) : nil
        }
    }

    /// In what a figure is given.
    package enum Unit: String, Sendable, Hashable {
        case nanoseconds, perSecond, percent, count, ratio
    }

    /// What a difference means.
    package enum Finding: String, Sendable, Hashable {
        /// Certainly, and by more than is tolerated.
        case worse
        case better
        /// By more than is tolerated, but it may be chance.
        case unsure
        /// Within what is tolerated.
        case same
        /// It is shown and decides nothing.
        case shown
    }

    /// Whether the second is worse.
    package var isWorse: Bool { figures.contains { $0.finding == .worse } }

    package init(
        names: (String, String), abouts: (String, String), figures: [Figure] = [],
        tolerance: Double, confidence: Double
    ) {
        self.names = names
        self.abouts = abouts
        self.figures = figures
        self.tolerance = tolerance
        self.confidence = confidence
    }

    /// What the difference of a figure means of which less is better, or more.
    package func finding(
        _ first: Double, _ second: Double, _ interval: Interval, moreIsBetter: Bool = false
    ) -> Finding {
        let sign = moreIsBetter ? -1.0 : 1.0
        let change = sign * (second - first)
        let (low, high) =
            moreIsBetter ? (-interval.high, -interval.low) : (interval.low, interval.high)
        let allowed = tolerance * abs(first)
        if change > allowed { return low > 0 ? .worse : .unsure }
        if change < -allowed { return high < 0 ? .better : .unsure }
        return .same
    }
}

/// How many standard deviations on both sides of the mean enclose this share of a normal distribution.
package func deviations(confidence: Double) -> Double {
    var (low, high) = (0.0, 10.0)
    for _ in 0..<60 {
        let middle = (low + high) / 2
        if erf(middle / 2.0.squareRoot()) < confidence {
            low = middle
        } else {
            high = middle
        }
    }
    return (low + high) / 2
}
