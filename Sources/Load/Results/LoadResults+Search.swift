package import Results

extension LoadResults.SearchStep {
    /// A try and what it measured.
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
    /// A search that is over.
    package init(
        _ search: RateSearch, _ steps: [LoadResults.SearchStep], _ promises: [String]
    ) {
        self.init(
            promises: promises, steps: steps, ratePerSecond: search.best,
            isConfirmed: search.confirmed != nil, brokenPerSecond: search.bound?.rate,
            isBoundByGenerator: search.bound?.outcome == .undecided)
    }
}

extension LoadResults {
    /// A rate that was not found, or not confirmed, is no success.
    package mutating func withholdPass() {
        guard verdict == .passed else { return }
        verdict = .inconclusive
        reasons.append("the rate was not confirmed")
    }
}
