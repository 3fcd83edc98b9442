/// The outcome of a scenario, a check, a load test or a threshold.
package enum Verdict: String, Sendable, Hashable, CaseIterable, Codable {
    /// Every expectation was met, or the check's requirement is met.
    case passed
    /// An expectation was not met, or the check's requirement is not met.
    case failed
    /// The outcome varies from run to run.
    case flaky
    /// For checks: the requirement is met, but answers were delayed.
    case delayed
    /// The outcome could not be decided, for example because there was no connection, the run was
    /// interrupted, or the generator was the bottleneck.
    case inconclusive
    /// For checks: the dialect does not specify the behaviour, so the observed behaviour is only
    /// reported.
    case observed
    /// The scenario or check does not apply to this software or dialect.
    case skipped
    /// A failure that is declared as known for this software.
    case knownFailure
    /// For scenarios: the file cannot be read, does not parse, or has no dialect.
    case error

    /// The verdicts that a scenario can have.
    package static let ofScenarios: [Verdict] = allCases.filter {
        $0 != .delayed && $0 != .observed
    }

    /// If a check has one of these verdicts, reports show the evidence for it.
    package static let explained: [Verdict] = [
        .failed, .flaky, .delayed, .inconclusive, .knownFailure,
    ]
}

/// Counts of scenarios by verdict.
package struct VerdictCounts: Sendable, Equatable {
    private var counts: [Verdict: Int] = [:]

    package init(_ verdicts: some Sequence<Verdict>) {
        for verdict in verdicts { counts[verdict, default: 0] += 1 }
    }

    package subscript(verdict: Verdict) -> Int { counts[verdict] ?? 0 }

    package var total: Int { counts.values.reduce(0, +) }

    /// Number of scenarios whose outcome could be decided.
    package var decided: Int { total - self[.skipped] - self[.inconclusive] - self[.error] }
}
