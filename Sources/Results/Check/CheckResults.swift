package import LineProtocol

/// Everything that the checks found: the one value that every report is made from.
package struct CheckResults: Sendable {
    /// The name and version of the form in which it is written to a file.
    package static let schema = "linejudge.check/1"

    /// The version of Linejudge.
    package var toolVersion: String
    /// What everything random was derived from.
    package var seed: UInt64
    /// The dialect, as it was named.
    package var dialect: String
    /// Where the server listens: `tcp://127.0.0.1:6667`.
    package var endpoint: String
    /// What it is: `ngircd 26.1`.
    package var software: String?
    /// When it began, in seconds of Unix time.
    package var startedAt: Int64
    /// How long it took, in nanoseconds.
    package var duration: Int64
    /// Whether findings count that otherwise would not: see ``exitCode``.
    package var isStrict: Bool
    /// What ended it early: `interrupted`, `terminated`.
    package var interruption: String?
    /// The checks, in the catalogue's order.
    package var checks: [CheckResult]
    /// How they differ from what a lock file pins, if they were held against one.
    package var drift: Drift?

    /// What came of holding results against a lock file.
    package struct Drift: Sendable, Hashable {
        /// The file.
        package var lock: String
        /// What was pinned, and what is found now.
        package var comparison: BaselineComparison

        /// A drift from its parts.
        package init(lock: String, comparison: BaselineComparison) {
            self.lock = lock
            self.comparison = comparison
        }
    }
    /// X: how the lines that were seen stand to the dialect's command table.
    package var commandTable: SchemaReport?

    /// Results from their parts.
    package init(
        toolVersion: String, seed: UInt64, dialect: String, endpoint: String,
        software: String? = nil, startedAt: Int64, duration: Int64 = 0, isStrict: Bool = false,
        checks: [CheckResult] = []
    ) {
        self.toolVersion = toolVersion
        self.seed = seed
        self.dialect = dialect
        self.endpoint = endpoint
        self.software = software
        self.startedAt = startedAt
        self.duration = duration
        self.isStrict = isStrict
        self.checks = checks
    }

    /// How many checks there are of a verdict.
    package func count(_ verdict: Verdict) -> Int { checks.count { $0.verdict == verdict } }

    /// Whether everything could be told.
    package var isWhole: Bool { !checks.isEmpty && count(.inconclusive) == 0 }

    /// A failure is a fact about the server and is said before all else. What a clause only allows (MAY),
    /// what was late and what does not happen every time count in strict mode alone. What has another class
    /// than the one that a lock file pins has drifted, whether it fails now or not.
    package var exitCode: ExitCode {
        let changed = Set((drift?.comparison.changed ?? []).map(\.id))
        let fails = checks.contains { check in
            switch check.verdict {
            case .failed: (isStrict || check.level != .may) && !changed.contains(check.id)
            case .delayed, .flaky: isStrict
            default: false
            }
        }
        if fails { return .failed }
        if drift?.comparison.hasDrift == true { return .drift }
        let undecided = checks.filter { $0.verdict == .inconclusive }
        let decided = checks.count { $0.verdict != .inconclusive && $0.verdict != .skipped }
        if !undecided.isEmpty {
            return decided == 0 && undecided.allSatisfy(\.isUnreachable)
                ? .unavailable : .inconclusive
        }
        return decided > 0 ? .ok : .inconclusive
    }
}
