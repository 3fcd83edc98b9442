/// How a scenario, a check, a load or a threshold came out.
package enum Verdict: String, Sendable, Hashable, CaseIterable, Codable {
    /// Every expectation was met; the claim holds.
    case passed
    /// An expectation was not met; the claim does not hold.
    case failed
    /// It does not come out the same every time.
    case flaky
    /// Of a check: the claim holds, but answers were held back.
    case delayed
    /// It could not be decided: no connection, interrupted, or the generator was the limit.
    case inconclusive
    /// Of a check: the dialect leaves it open, and the server's behaviour is reported.
    case observed
    /// It does not apply to the software or the dialect.
    case skipped
    /// It failed, as it is known to do on that software.
    case knownFailure
    /// Of a scenario: the file cannot be read, does not parse, or has no dialect.
    case error

    /// The verdicts that a scenario can have.
    package static let ofScenarios: [Verdict] = allCases.filter {
        $0 != .delayed && $0 != .observed
    }

    /// The verdicts of checks of which reports show the evidence.
    package static let explained: [Verdict] = [
        .failed, .flaky, .delayed, .inconclusive, .knownFailure,
    ]
}

/// How many scenarios there are of each verdict.
package struct VerdictCounts: Sendable, Equatable {
    private var counts: [Verdict: Int] = [:]

    /// Counts verdicts.
    package init(_ verdicts: some Sequence<Verdict>) {
        for verdict in verdicts { counts[verdict, default: 0] += 1 }
    }

    /// How many there are of one.
    package subscript(verdict: Verdict) -> Int { counts[verdict] ?? 0 }

    /// How many there are.
    package var total: Int { counts.values.reduce(0, +) }

    /// How many were played to a decision.
    package var decided: Int { total - self[.skipped] - self[.inconclusive] - self[.error] }
}
