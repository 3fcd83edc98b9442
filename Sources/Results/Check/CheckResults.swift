package import LineProtocol

/// Results of checking one server. All reports are generated from this value.
package struct CheckResults: Sendable {
    package static let schema = "linejudge.check/2"

    package var toolVersion: String
    package var seed: UInt64
    /// Name of the dialect, as given by the user.
    package var dialect: String
    /// Address of the server, such as `tcp://127.0.0.1:6667`.
    package var endpoint: String
    /// Name of the capture that was judged; nil if a server was checked.
    package var capture: String?
    /// Name and version of the server software, such as `ngircd 26.1`; nil if unknown.
    package var software: String?
    /// Start time in seconds since 1970.
    package var startedAt: Int64
    /// Duration in nanoseconds.
    package var duration: Int64
    /// True if slow, flaky and MAY-level findings also count as failures; see ``exitCode``.
    package var isStrict: Bool
    /// Reason the run ended early: `interrupted` or `terminated`; `unfinished` if the results were
    /// saved while checks were still running; nil if all checks have run.
    package var interruption: String?
    /// The checks, in catalogue order.
    package var checks: [CheckResult]
    /// Number of times that a new server was started because the previous one no longer served
    /// clients or kept using the CPU.
    package var replacements = 0
    /// Path of the file with the server's output; nil if there is none.
    package var serverLog: String?
    /// Differences from a baseline; nil if the results were not compared with one.
    package var drift: Drift?

    /// Differences between check results and a baseline file.
    package struct Drift: Sendable, Hashable {
        /// Name of the baseline file.
        package var baseline: String
        package var comparison: BaselineComparison

        package init(baseline: String, comparison: BaselineComparison) {
            self.baseline = baseline
            self.comparison = comparison
        }
    }
    /// Result of checking received lines against the dialect's command table; nil if lines were not
    /// checked.
    package var commandTable: SchemaReport?

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

    package func count(_ verdict: Verdict) -> Int { checks.count { $0.verdict == verdict } }

    /// True if every check was conclusive.
    package var isWhole: Bool { !checks.isEmpty && count(.inconclusive) == 0 }

    /// Exit code of the process. A failure takes precedence over everything else. Failures of MAY
    /// clauses, delays and flaky checks count only in strict mode. A check whose class differs from
    /// the baseline counts as drift, whether or not it fails.
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
        return decided > 0 && interruption == nil ? .ok : .inconclusive
    }
}
