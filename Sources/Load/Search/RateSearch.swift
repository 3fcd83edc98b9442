/// Looks for the highest rate that holds: doubling, bisection, confirmation.
///
/// It knows nothing of loads: it says which rate is to be tried next, and is told whether it held. The number
/// of tries is bounded.
package struct RateSearch: Sendable {
    /// The most tries.
    package static let stepsMax = 24
    /// Two rates that differ by no more than this are as good as one.
    package static let precision = 0.05
    /// Lower is not looked for.
    package static let rateLeast = 1.0

    /// Why a rate is tried.
    package enum Purpose: String, Sendable, Codable {
        case doubling, halving, bisection, confirmation
    }

    /// What came of a try.
    package enum Outcome: String, Sendable, Codable {
        case held
        case broke
        /// The generator was the limit: it did not hold, but that says nothing of the server.
        case undecided
    }

    /// A try.
    package struct Step: Sendable, Hashable {
        package var rate: Double
        package var purpose: Purpose
        package var outcome: Outcome
    }

    /// All tries in their order.
    package private(set) var steps: [Step] = []
    /// The highest rate that held when it was tried again; nil until there is one.
    package private(set) var confirmed: Double?

    private let start: Double
    private let most: Double
    /// Rates that held, in rising order; and the lowest that did not.
    private var held: [Double] = []
    private var broken: Step?
    private var isOver = false

    /// A search that begins with a rate and goes no higher than `most`.
    package init(start: Double, most: Double = PlanText.rateMax) {
        self.start = min(max(start, Self.rateLeast), most)
        self.most = most
    }

    /// The highest rate that held at least once.
    package var best: Double? { confirmed ?? held.last }

    /// The lowest rate that did not hold, and whether the server was to blame; nil if all held.
    package var bound: Step? { broken }

    /// What is to be tried next; nil: the search is over.
    package var next: (rate: Double, purpose: Purpose)? {
        if isOver || confirmed != nil || steps.count >= Self.stepsMax { return nil }
        guard let best = held.last else {
            guard let broken else { return (start, .doubling) }
            let lower = max(broken.rate / 2, Self.rateLeast)
            return lower < broken.rate ? (lower, .halving) : nil
        }
        // One try is kept for the confirmation.
        let isLastTry = steps.count == Self.stepsMax - 1
        guard let broken else {
            if best >= most || isLastTry { return (best, .confirmation) }
            return (min(best * 2, most), .doubling)
        }
        if broken.rate <= best * (1 + Self.precision) || isLastTry { return (best, .confirmation) }
        return ((best + broken.rate) / 2, .bisection)
    }

    /// Takes down what came of what was to be tried next.
    package mutating func note(_ outcome: Outcome) {
        guard let (rate, purpose) = next else { return }
        let step = Step(rate: rate, purpose: purpose, outcome: outcome)
        steps.append(step)
        switch (purpose, outcome) {
        case (.confirmation, .held): confirmed = rate
        case (_, .held): held.append(rate)
        case (.confirmation, _):
            // It held by luck: the next lower one that held is the best there is.
            held.removeAll { $0 >= rate }
            broken = step
        default: broken = step
        }
    }

    /// Ends the search as it stands.
    package mutating func end() { isOver = true }
}
