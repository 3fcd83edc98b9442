package import Results

/// A search for the highest sustainable rate, by doubling, bisection and confirmation.
///
/// It does not generate load itself: it proposes rates and receives their outcomes. The number of
/// steps is limited.
package struct RateSearch: Sendable {
    package static let stepsMax = 24
    /// Relative difference below which two rates count as equal.
    package static let precision = 0.05
    package static let rateMin = 1.0

    /// The reason for trying a rate.
    package enum Purpose: String, Sendable, Codable {
        case doubling, halving, bisection, confirmation
    }

    package typealias Outcome = RateSearchResults.Outcome

    /// One rate that the search has tried, and its outcome.
    package struct Step: Sendable, Hashable {
        package var rate: Double
        package var purpose: Purpose
        package var outcome: Outcome
    }

    package private(set) var steps: [Step] = []
    /// Highest rate the server sustained twice; nil until there is one.
    package private(set) var confirmed: Double?

    private let start: Double
    private let maximum: Double
    /// Rates the server sustained, in ascending order.
    private var sustained: [Double] = []
    private var broken: Step?

    /// Creates a search that starts at a given rate and never exceeds `maximum`.
    package init(start: Double, maximum: Double = PlanText.rateMax) {
        self.start = min(max(start, Self.rateMin), maximum)
        self.maximum = maximum
    }

    /// The confirmed rate or, until there is one, the highest rate that the server sustained; nil
    /// if it has sustained none.
    package var best: Double? { confirmed ?? sustained.last }

    /// The step with the lowest rate that was not sustained; nil if all rates were. Its outcome
    /// shows whether the server or the generator was the limit.
    package var bound: Step? { broken }

    /// The next rate to try; nil when the search is over.
    package var next: (rate: Double, purpose: Purpose)? {
        if confirmed != nil || steps.count >= Self.stepsMax { return nil }
        guard let best = sustained.last else {
            guard let broken else { return (start, .doubling) }
            let lower = max(broken.rate / 2, Self.rateMin)
            return lower < broken.rate ? (lower, .halving) : nil
        }
        // One step is reserved for the confirmation.
        let isLastTry = steps.count == Self.stepsMax - 1
        guard let broken else {
            if best >= maximum || isLastTry { return (best, .confirmation) }
            return (min(best * 2, maximum), .doubling)
        }
        if broken.rate <= best * (1 + Self.precision) || isLastTry { return (best, .confirmation) }
        return ((best + broken.rate) / 2, .bisection)
    }

    /// Records the outcome of the current step.
    package mutating func note(_ outcome: Outcome) {
        guard let (rate, purpose) = next else { return }
        let step = Step(rate: rate, purpose: purpose, outcome: outcome)
        steps.append(step)
        switch (purpose, outcome) {
        case (.confirmation, .passed): confirmed = rate
        case (_, .passed): sustained.append(rate)
        case (.confirmation, _):
            // The rate was sustained only by chance: fall back to the next lower sustained rate.
            sustained.removeAll { $0 >= rate }
            broken = step
        default: broken = step
        }
    }
}
