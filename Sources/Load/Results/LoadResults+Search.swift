package import Results

extension LoadResults.SearchStep {
    /// Creates a step of a rate search, with its measurements.
    package init(
        _ results: LoadResults, _ rate: Double, _ purpose: RateSearch.Purpose,
        _ outcome: RateSearch.Outcome
    ) {
        self.init(
            ratePerSecond: rate, purpose: purpose.rawValue, outcome: outcome.rawValue,
            achievedPerSecond: results.traffic.rate, thresholds: results.thresholds,
            reasons: results.reasons)
    }
}

extension LoadResults.Search {
    /// Creates the results of a finished search.
    package init(
        _ search: RateSearch, _ steps: [LoadResults.SearchStep], _ thresholds: [String]
    ) {
        self.init(
            thresholds: thresholds, steps: steps, ratePerSecond: search.best,
            isConfirmed: search.confirmed != nil, brokenPerSecond: search.bound?.rate,
            isBoundByGenerator: search.bound?.outcome == .undecided)
    }
}

extension LoadResults {
    /// Fails the load if no rate was found, or if it was not confirmed.
    package mutating func withholdPass() {
        guard verdict == .passed else { return }
        verdict = .inconclusive
        reasons.append("the rate was not confirmed")
    }
}
