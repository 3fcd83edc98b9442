/// What is said of one scenario in the end.
package enum Verdict: String, Sendable, Hashable, CaseIterable, Codable {
    /// Every expectation was met.
    case passed
    /// An expectation was not met.
    case failed
    /// Failed, and then passed when it was tried again.
    case flaky
    /// It could not be decided: no connection, or interrupted.
    case inconclusive
    /// It does not apply to the software under test.
    case skipped
    /// It failed, as its file says that it does on that software.
    case knownFailure
    /// The file cannot be read, does not parse, or has no dialect.
    case error
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
