import Glibc

/// Figure-by-figure comparison of two results.
package struct Comparison: Sendable {
    /// Names of the two results, usually their file names.
    package var names: (String, String)
    /// Labels of the two results in tables.
    package var letters = ("A", "B")
    /// One-line descriptions of the two results.
    package var abouts: (String, String)
    package var figures: [Figure]
    /// Caveats about the comparison, as complete sentences.
    package var notes: [String] = []
    /// Reasons why no conclusion can be drawn from the figures; empty if one can.
    package var doubts: [String] = []
    /// Reasons why differences may be due to the machine instead of the server; empty if that would
    /// not change the finding for any figure.
    package var noiseDoubts: [String] = []
    /// Largest of the smallest changes that repeated load tests could have detected, as a fraction;
    /// nil if load tests were not repeated.
    package var detectableChange: Double?
    /// Largest accepted deterioration of a figure, as a fraction of its first value.
    package var tolerance: Double
    /// Confidence level of the intervals, from 0 to 1.
    package var confidence: Double

    /// A compared figure, such as a latency percentile or a violation count.
    package struct Figure: Sendable, Hashable {
        /// Group that the figure belongs to, such as `say` or `delivery`.
        package var group: String
        package var name: String
        package var unit: Unit
        /// The figure's value in each of the two results; nil if a result does not contain it.
        package var values: [Double?]
        /// Confidence interval of the difference; nil for counts.
        package var interval: Interval?
        package var finding: Finding
        /// Change estimated from several load tests, as a fraction of the first value; nil to
        /// derive the change from the values.
        package var estimatedChange: Double?

        package init(
            group: String, name: String, unit: Unit, values: [Double?], interval: Interval? = nil,
            finding: Finding = .same, estimatedChange: Double? = nil
        ) {
            self.group = group
            self.name = name
            self.unit = unit
            self.values = values
            self.interval = interval
            self.finding = finding
            self.estimatedChange = estimatedChange
        }

        /// Relative change from the first to the second value; nil if undefined.
        package var change: Double? {
            if let estimatedChange { return estimatedChange }
            guard let first = values.first ?? nil, let second = values.last ?? nil else {
                return nil
            }
            if first == second { return 0 }
            return first != 0 ? (second - first) / abs(first) : nil
        }
    }

    /// Unit of a figure's values.
    package enum Unit: String, Sendable, Hashable {
        case nanoseconds, perSecond, percent, count, ratio, bytes
    }

    /// Significance of the change in a figure.
    package enum Finding: String, Sendable, Hashable {
        /// The figure is significantly worse, by more than the tolerance.
        case worse
        case better
        /// The change exceeds the tolerance but is not statistically significant.
        case unsure
        /// The change is within the tolerance.
        case same
        /// The figure is shown for information and does not affect the outcome.
        case shown
    }

    /// Failed if any figure is worse; otherwise inconclusive if there are doubts.
    package var verdict: Verdict {
        if figures.contains(where: { $0.finding == .worse }) { return .failed }
        return doubts.isEmpty && noiseDoubts.isEmpty ? .passed : .inconclusive
    }

    /// All doubts and notes, the most important ones first.
    package var allNotes: [String] { doubts + noiseDoubts + notes }

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

    /// Classifies the difference between two values of a figure.
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

/// Returns the number of standard deviations around the mean that enclose the given share of a
/// normal distribution.
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
