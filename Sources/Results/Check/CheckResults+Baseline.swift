extension CheckResult {
    /// Returns a copy that also includes the behaviour from another run of the check.
    package func including(_ other: CheckResult) -> CheckResult {
        var result = self
        if other.measured.isDecided { result.otherClasses.append(other.measured) }
        return result
    }
}

extension CheckResults {
    /// Compares the results with a baseline. A failure that is in the baseline becomes a known
    /// failure; a class that differs is reported as drift.
    ///
    /// - Parameters:
    ///   - name: Name of the baseline file.
    ///   - catalogue: IDs of all checks that exist for the dialect, so that checks that were not
    ///     selected are not reported as missing.
    package mutating func compare(
        with baseline: CheckBaseline, named name: String, catalogue: Set<CheckID>
    ) {
        let executed = Set(checks.filter { $0.verdict != .skipped }.map(\.id))
        let skipped = Set(checks.filter { $0.verdict == .skipped }.map(\.id))
        var part = baseline
        part.keep { executed.contains($0) || skipped.contains($0) || !catalogue.contains($0) }
        drift = Drift(baseline: name, comparison: BaselineComparison(part, CheckBaseline(self)))
        for index in checks.indices {
            guard [.failed, .flaky, .delayed].contains(checks[index].verdict),
                baseline[checks[index].id]?.measured.agrees(with: checks[index].measured) == true
            else { continue }
            checks[index].verdict = .knownFailure
            checks[index].reason = "as recorded in \(name)"
        }
    }
}
