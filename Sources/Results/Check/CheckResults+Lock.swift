extension CheckResult {
    /// The same with what another play of the check showed.
    package func noting(_ other: CheckResult) -> CheckResult {
        var result = self
        if other.measured.isDecided { result.otherClasses.append(other.measured) }
        return result
    }
}

extension CheckResults {
    /// Holds the results against a lock: what fails as it was pinned is known, and what is another class is
    /// drift.
    ///
    /// - Parameters:
    ///   - name: what the lock file is called.
    ///   - catalogue: the names of all checks that there are for the dialect; what is not selected is not gone.
    package mutating func hold(
        against lock: CheckBaseline, named name: String, catalogue: Set<CheckID>
    ) {
        let played = Set(checks.filter { $0.verdict != .skipped }.map(\.id))
        let skipped = Set(checks.filter { $0.verdict == .skipped }.map(\.id))
        var part = lock
        part.keep { played.contains($0) || skipped.contains($0) || !catalogue.contains($0) }
        drift = Drift(lock: name, comparison: BaselineComparison(part, CheckBaseline(self)))
        for place in checks.indices {
            guard [.failed, .flaky, .delayed].contains(checks[place].verdict),
                lock[checks[place].id]?.measured.agrees(with: checks[place].measured) == true
            else { continue }
            checks[place].verdict = .knownFailure
            checks[place].reason = "as pinned in \(name)"
        }
    }
}
