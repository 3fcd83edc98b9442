import Results
import Session

/// Plays by itself what has failed: how often it fails (R), and how little of it still does.
struct Confirmation {
    let judge: CaseJudge
    let options: CheckOptions

    func confirmed(
        _ result: CheckResult, _ check: Check, _ failed: CaseOutcome
    ) async -> CheckResult {
        var result = result
        guard case .failed(let finding) = failed.judgement else { return result }
        var rate = FailureRate(plays: 1, failures: 1)
        var last = failed
        for round in 0..<options.repetitions {
            if Task.isCancelled { break }
            // Other names each time, so that no staleSession of the time before is in the way.
            let seed = options.seed &+ UInt64(round + 1) &* 7919
            let again = check.cases(judge.subject, seed: seed)
                .first { $0.title == failed.play.title }
            guard var again else { break }
            again.patience = min(again.patience, patience(for: finding))
            let outcome = await judge.outcome(of: again, check, seed: seed, isAlone: true)
            // What cannot be told does not count either way.
            if case .inconclusive = outcome.judgement { continue }
            rate.plays += 1
            if case .failed = outcome.judgement {
                rate.failures += 1
                last = outcome
            }
        }
        result.rate = rate
        result.take(last, judge.subject)
        if rate.failures < rate.plays { result.verdict = .flaky }
        var smallest = last
        if options.shrinks, rate.failures == rate.plays, !Task.isCancelled {
            smallest = await Shrinker(judge: judge, check: check, options: options)
                .shrunk(last)
        }
        var isSaid = await failsAsWritten(smallest.play, check)
        // What is left may be too little for expectations to tell.
        if !isSaid, options.shrinks, await failsAsWritten(last.play, check) {
            (smallest, isSaid) = (last, true)
        }
        // A line too many before an expected one is skipped by the dialect's own expectation.
        if !isSaid, let exact = smallest.play.exact(judge.subject),
            await failsAsWritten(exact, check)
        {
            smallest.play = exact
            isSaid = true
        }
        result.stimulus = smallest.sent
        result.transcript = smallest.result.transcript
        result.scenario = FailureText.text(
            smallest.play, check, result, judge.subject, options, isSaid: isSaid)
        return result
    }

    /// Whether the scenario that is written down fails: what was found is said by its expectations.
    private func failsAsWritten(_ play: CheckCase, _ check: Check) async -> Bool {
        guard !Task.isCancelled else { return true }
        let fresh = play.renamed(seed: options.seed &+ 0x5A1D)
        let outcome = await judge.outcome(of: fresh, check, seed: options.seed, isStrict: true)
        return outcome.result.outcome == .failed
    }

    /// What never came is not waited for as long again.
    private func patience(for finding: Finding) -> Int64 {
        ["wedged", "lost"].contains(finding.kind) ? 3_000_000_000 : .max
    }
}
