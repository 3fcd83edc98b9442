package import Results

extension CheckRunner {
    /// Difference between the seeds of two complete runs of the checks.
    static let seedStep: UInt64 = 15_485_863

    /// Runs all checks a second time and adds the outcome class of the second run to each result,
    /// because only classes that do not vary can be recorded.
    package func steadied(
        _ results: [CheckResult], _ entries: [CatalogueEntry],
        onEvent: @escaping @Sendable (CheckEvent) -> Void = { _ in }
    ) async -> [CheckResult] {
        let again = await again().run(entries, onEvent: onEvent)
        let byID = Dictionary(again.map { ($0.id, $0) }) { $1 }
        return results.map { result in
            guard let second = byID[result.id], second.verdict != .skipped else { return result }
            // If the first result was inconclusive, the second one replaces it.
            if result.verdict == .inconclusive { return second }
            return result.including(second)
        }
    }

    /// Repeats the checks whose outcome class differs from the baseline. If a class varies from run
    /// to run, the difference is not drift.
    package func confirmingDrift(
        of results: [CheckResult], from baseline: CheckBaseline, _ entries: [CatalogueEntry],
        onEvent: @escaping @Sendable (CheckEvent) -> Void = { _ in }
    ) async -> [CheckResult] {
        let byID = Dictionary(entries.map { ($0.id, $0) }) { $1 }
        var results = results
        for index in results.indices {
            guard let recorded = baseline[results[index].id], let entry = byID[recorded.id] else {
                continue
            }
            for round in 0..<options.repetitions {
                let now = results[index].measured
                guard recorded.measured.isDecided, now.isDecided,
                    !recorded.measured.agrees(with: now), !Task.isCancelled
                else { break }
                onEvent(.repeating(recorded.id))
                guard let again = await self.again(round + 1).run([entry]).first else { break }
                results[index] = results[index].including(again)
            }
        }
        return results
    }

    /// Returns a runner that uses different names and neither repeats nor shrinks failures.
    private func again(_ round: Int = 1) -> CheckRunner {
        var options = options
        options.seed = options.seed &+ UInt64(round) &* Self.seedStep
        options.repetitions = 0
        options.shrinks = false
        return CheckRunner(subject, options, judge)
    }
}
