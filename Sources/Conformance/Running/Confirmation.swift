import Results
import Session

/// A failed check that has not been confirmed yet.
struct Failure: Sendable {
    let result: CheckResult
    let check: Check
    let failed: CaseOutcome
    let finding: Finding

    init?(_ result: CheckResult, _ check: Check, _ failed: CaseOutcome) {
        guard case .failed(let finding) = failed.judgement else { return nil }
        self.result = result
        self.check = check
        self.failed = failed
        self.finding = finding
    }

    /// The key that groups failures with the same probable cause.
    struct Cause: Hashable {
        /// The rule; nil if the kind of finding alone determines the cause.
        var rule: String?
        var kind: String
    }

    var cause: Cause {
        Cause(rule: finding.kind == StaleSession.kind ? nil : check.id.rule, kind: finding.kind)
    }
}

/// The confirmation of failures: each failed check is repeated to measure its failure rate, then
/// shrunk.
struct Confirmation {
    var judge: CaseJudge
    var options: CheckOptions

    /// Repeats a failure once, without shrinking it. If it does not recur, runs all repetitions,
    /// and shrinks the case if enabled.
    func repeated(_ failure: Failure) async -> CheckResult {
        var once = self
        once.options.repetitions = min(options.repetitions, 1)
        once.options.shrinks = false
        let result = await once.confirmed(failure)
        return result.verdict == .failed ? result : await confirmed(failure)
    }

    func confirmed(_ failure: Failure) async -> CheckResult {
        let (check, finding) = (failure.check, failure.finding)
        var result = failure.result
        var rate = FailureRate(runs: 1, failures: 1)
        var last = failure.failed
        for round in 0..<options.repetitions {
            if Task.isCancelled { break }
            // Each repetition uses new names, so that stale sessions do not interfere.
            let seed = options.seed &+ UInt64(round + 1) &* 7919
            let again = check.cases(judge.subject, seed: seed)
                .first { $0.title == failure.failed.testCase.title }
            guard var again else { break }
            // If the run has a shorter timeout, the first repetition still waits for the full time
            // that the dialect allows.
            if round > 0 || options.patience == nil {
                again.patience = min(again.patience, patience(for: finding))
            }
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
        var failsAsScenario = await failsAsWritten(smallest.testCase, check)
        // As a scenario file, the shrunk case may no longer fail.
        if !failsAsScenario, options.shrinks, await failsAsWritten(last.testCase, check) {
            (smallest, failsAsScenario) = (last, true)
        }
        // The dialect's receiving behaviour skips extra lines before the expected one. Try the form
        // that does not.
        if !failsAsScenario, let exact = smallest.testCase.exact(judge.subject),
            await failsAsWritten(exact, check)
        {
            smallest.testCase = exact
            failsAsScenario = true
        }
        result.stimulus = smallest.sent
        result.transcript = smallest.result.transcript
        result.write(
            FailureText.scenario(
                smallest.testCase, check, result, judge.subject, options,
                failsAsScenario: failsAsScenario))
        return result
    }

    /// Returns whether the case's scenario file fails on its own, without the check's judge. If so,
    /// the file reproduces the finding.
    private func failsAsWritten(_ testCase: CheckCase, _ check: Check) async -> Bool {
        guard !Task.isCancelled else { return true }
        let fresh = testCase.renamed(seed: options.seed &+ 0x5A1D)
        let outcome = await judge.outcome(of: fresh, check, seed: options.seed, isWritten: true)
        return outcome.result.outcome == .failed
    }

    /// Returns the maximum timeout, in nanoseconds, for repeating a finding. It is limited only if
    /// the finding is that nothing arrived.
    private func patience(for finding: Finding) -> Int64 {
        ["wedged", "lost"].contains(finding.kind) ? 3_000_000_000 : .max
    }
}
