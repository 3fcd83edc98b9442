import Results
import Session

/// Repeats a failure on its own to measure how often it occurs, and shrinks it.
struct Confirmation {
    let judge: CaseJudge
    let options: CheckOptions

    func confirmed(
        _ result: CheckResult, _ check: Check, _ failed: CaseOutcome
    ) async -> CheckResult {
        var result = result
        guard case .failed(let finding) = failed.judgement else { return result }
        var rate = FailureRate(runs: 1, failures: 1)
        var last = failed
        for round in 0..<options.repetitions {
            if Task.isCancelled { break }
            // Names are new each time, so that stale sessions do not interfere.
            let seed = options.seed &+ UInt64(round + 1) &* 7919
            let again = check.cases(judge.subject, seed: seed)
                .first { $0.title == failed.testCase.title }
            guard var again else { break }
            again.patience = min(again.patience, patience(for: finding))
            let outcome = await judge.outcome(of: again, check, seed: seed, isAlone: true)
            // Inconclusive runs do not count.
            if case .inconclusive = outcome.judgement { continue }
            rate.runs += 1
            if case .failed = outcome.judgement {
                rate.failures += 1
                last = outcome
            }
        }
        result.rate = rate
        result.take(last, judge.subject)
        if rate.failures < rate.runs { result.verdict = .flaky }
        var smallest = last
        if options.shrinks, rate.failures == rate.runs, !Task.isCancelled {
            smallest = await Shrinker(judge: judge, check: check, options: options)
                .shrunk(last)
        }
        var isSaid = await failsAsWritten(smallest.testCase, check)
        // The expectations of the shrunk case may no longer fail.
        if !isSaid, options.shrinks, await failsAsWritten(last.testCase, check) {
            (smallest, isSaid) = (last, true)
        }
        // The dialect's own expectation would skip an extra line before the expected one.
        if !isSaid, let exact = smallest.testCase.exact(judge.subject),
            await failsAsWritten(exact, check)
        {
            smallest.testCase = exact
            isSaid = true
        }
        result.stimulus = smallest.sent
        result.transcript = smallest.result.transcript
        result.scenario = FailureText.text(
            smallest.testCase, check, result, judge.subject, options, isSaid: isSaid)
        return result
    }

    /// Returns whether the written scenario fails, so that its expectations state the finding.
    private func failsAsWritten(_ testCase: CheckCase, _ check: Check) async -> Bool {
        guard !Task.isCancelled else { return true }
        let fresh = testCase.renamed(seed: options.seed &+ 0x5A1D)
        let outcome = await judge.outcome(of: fresh, check, seed: options.seed, isStrict: true)
        return outcome.result.outcome == .failed
    }

    /// Returns the longest useful wait, which is shorter if the finding is that nothing arrived.
    private func patience(for finding: Finding) -> Int64 {
        ["wedged", "lost"].contains(finding.kind) ? 3_000_000_000 : .max
    }
}
