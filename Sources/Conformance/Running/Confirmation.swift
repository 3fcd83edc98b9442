import Results
import Session

/// The confirmation of failures: each failed check is repeated to measure its failure rate, then
/// shrunk.
struct Confirmation {
    /// Maximum time for repeating a failure that did not recur.
    private static let flakyTimeMax = Duration.seconds(10)

    var judge: CaseJudge
    var options: CheckOptions
    /// True if the server is known not to delay clients. All repetitions but the first, which waits
    /// as long as the dialect allows, are then hurried.
    var isHurried = false
    /// True if the repetitions of a failure run at the same time, and while it is shrunk and written
    /// as a scenario.
    var overlaps = false

    /// Repeats a failure once, without shrinking it. If it does not recur, runs the other
    /// repetitions as well.
    func repeated(_ failure: Failure) async -> CheckResult {
        var options = options
        options.repetitions = min(options.repetitions, 1)
        options.shrinks = false
        let once = Confirmation(
            judge: judge, options: options, isHurried: isHurried, overlaps: overlaps)
        async let early = overlaps ? once.reproduction(of: failure.failed, failure.check) : nil
        let first = await firstRepetition(failure)
        if let first, !first.hasFailed, !first.isInconclusive {
            return await confirmed(failure, first: first)
        }
        if let first, first.isInconclusive, isHurried {
            var all = self
            all.options.shrinks = false
            return await all.confirmed(failure, first: first)
        }
        return await once.confirmed(failure, first: first, early: await early)
    }

    /// Repeats a failure and, if it recurs every time, shrinks the case.
    ///
    /// - Parameters:
    ///   - first: Outcome of the first repetition; nil if it has not run yet.
    ///   - known: The smallest failing case, if it has been found already.
    func confirmed(
        _ failure: Failure, first: CaseOutcome? = nil, early known: Reproduction? = nil
    ) async -> CheckResult {
        let check = failure.check
        // If the failure turns out to be flaky, this is cancelled.
        async let early =
            known == nil && overlaps && first?.hasFailed != false
            ? reproduction(of: failure.failed, check) : known
        var rate = FailureRate(runs: 1, failures: 1)
        var last = failure.failed
        for (round, outcome) in await repetitions(failure, first) {
            // Inconclusive runs do not count.
            if outcome.isInconclusive { continue }
            rate.runs += 1
            guard outcome.hasFailed else { continue }
            rate.failures += 1
            // A hurried run does not show how long the server really takes, and only `first` shows
            // the server's state.
            if round == 0 || round >= options.repetitions || !isHurried && first == nil {
                last = outcome
            }
        }
        var result = failure.result
        result.rate = rate
        result.take(last, judge.subject)
        let isFlaky = rate.failures < rate.runs
        if isFlaky { result.verdict = .flaky }
        let found: Reproduction
        if overlaps, !isFlaky, last.finding?.kind == failure.finding.kind, let early = await early {
            found = early
        } else {
            found = await reproduction(of: last, check, shrinks: !isFlaky, part: "confirmed ")
        }
        result.take(found, of: check, in: judge.subject, options)
        return result
    }

    private func shrunk(_ failed: CaseOutcome, _ check: Check) async -> CaseOutcome? {
        guard options.shrinks, !Task.isCancelled else { return nil }
        return await Shrinker(
            judge: judge, check: check, options: options, isHurried: isHurried
        ).shrunk(failed)
    }

    // MARK: Repetitions

    /// Runs the first repetition of a failure, so that the server can be observed if nothing else
    /// runs. Returns nil if there are no repetitions.
    func firstRepetition(_ failure: Failure) async -> CaseOutcome? {
        options.repetitions > 0 ? await repetition(failure, round: 0, waits: true) : nil
    }

    /// Returns the outcomes of the repetitions that count, each with its number, which starts at 0.
    private func repetitions(
        _ failure: Failure, _ first: CaseOutcome?
    ) async -> [(round: Int, outcome: CaseOutcome)] {
        let begin = ContinuousClock.now
        let count = options.repetitions
        var outcomes = first.map { [(round: 0, outcome: $0)] } ?? []
        if overlaps {
            outcomes += await together(failure, rounds: outcomes.count..<max(outcomes.count, count))
        } else if outcomes.isEmpty, count > 0 {
            outcomes = await inTurn(failure, rounds: 0..<1)
        }
        guard let first = outcomes.first else { return [] }
        if !isHurried || first.outcome.hasFailed {
            return overlaps ? outcomes : outcomes + (await inTurn(failure, rounds: 1..<count))
        }
        // The failure did not recur, so hurried repetitions fail only because they do not wait.
        if first.outcome.isInconclusive {
            return await inTurn(failure, rounds: count..<(2 * count), waits: true)
        }
        return [first]
            + (await inTurn(
                failure, rounds: count..<(2 * count - 1), waits: true,
                until: begin + Self.flakyTimeMax))
    }

    private func together(
        _ failure: Failure, rounds: Range<Int>
    ) async -> [(round: Int, outcome: CaseOutcome)] {
        await withTaskGroup(of: (Int, CaseOutcome)?.self) { group in
            for round in rounds where !Task.isCancelled {
                group.addTask {
                    await repetition(failure, round: round, waits: round == 0).map { (round, $0) }
                }
            }
            var outcomes: [(round: Int, outcome: CaseOutcome)] = []
            for await case let (round, outcome)? in group { outcomes.append((round, outcome)) }
            return outcomes.sorted { $0.round < $1.round }
        }
    }

    /// Runs repetitions one after another.
    ///
    /// - Parameters:
    ///   - waits: Whether all of them wait for the full time, and not only the first.
    ///   - end: Latest time to start one; nil for no limit.
    private func inTurn(
        _ failure: Failure, rounds: Range<Int>, waits: Bool = false,
        until end: ContinuousClock.Instant? = nil
    ) async -> [(round: Int, outcome: CaseOutcome)] {
        var outcomes: [(round: Int, outcome: CaseOutcome)] = []
        for round in rounds where !Task.isCancelled {
            if let end, ContinuousClock.now > end { break }
            guard
                let outcome = await repetition(failure, round: round, waits: waits || round == 0)
            else { break }
            outcomes.append((round, outcome))
        }
        return outcomes
    }

    /// Runs a failed case again with new names, so that stale sessions do not interfere. Returns
    /// nil if the check no longer has the case.
    ///
    /// - Parameter waits: Whether to wait for the full time that the dialect allows, if the failure
    ///   was found with a shorter timeout.
    private func repetition(
        _ failure: Failure, round: Int, waits: Bool
    ) async -> CaseOutcome? {
        let seed = options.seed &+ UInt64(round + 1) &* 7919
        let again = failure.check.cases(judge.subject, seed: seed)
            .first { $0.title == failure.failed.testCase.title }
        guard var again else { return nil }
        if !again.isHeavy, !waits || options.patience == nil {
            again.patience = min(
                again.patience, patience(for: failure.finding, loginTime: again.loginTime))
        }
        if !waits, isHurried { again = again.hurried }
        return await judge.outcome(of: again, failure.check, seed: seed, isAlone: true)
    }

    /// Returns the maximum timeout, in nanoseconds, for repeating a finding. It is limited only if
    /// the finding is that nothing arrived.
    private func patience(for finding: Finding, loginTime: Int64) -> Int64 {
        ["wedged", "lost"].contains(finding.kind) ? 3_000_000_000 + loginTime : .max
    }

    // MARK: The scenario file

    /// Kinds of findings that expectations cannot express, so that the scenario file always passes.
    private static let inexpressibleKinds: Set<String> = [
        "amplified", "held-up", "leak", "memory", "spins",
    ]

    /// Returns the smallest failing case, in a form that fails as a scenario on its own if
    /// possible.
    ///
    /// - Parameter part: Prefix of the words that select client names.
    private func reproduction(
        of last: CaseOutcome, _ check: Check, shrinks: Bool = true, part: String = ""
    ) async -> Reproduction {
        let shrinks = shrinks && options.shrinks
        var smallest = shrinks ? await shrunk(last, check) ?? last : last
        guard !Self.inexpressibleKinds.contains(smallest.finding?.kind ?? "") else {
            return Reproduction(outcome: smallest, failsAsScenario: false)
        }
        if await failsAsWritten(smallest.testCase, check, "\(part)smallest") {
            return Reproduction(outcome: smallest, failsAsScenario: true)
        }
        // As a scenario file, the shrunk case may no longer fail.
        if shrinks, await failsAsWritten(last.testCase, check, "\(part)last") {
            return Reproduction(outcome: last, failsAsScenario: true)
        }
        // The dialect's receiving behaviour skips extra lines before the expected one, and
        // expectations of one client do not see refusals of another one's lines. Try the forms that
        // do not.
        let forms = [
            ("exact", smallest.testCase.exact(judge.subject)),
            ("unrefused", smallest.testCase.forbiddingRefusals(judge.subject)),
        ]
        for case (let form, let stricter?) in forms {
            guard await failsAsWritten(stricter, check, part + form) else { continue }
            smallest.testCase = stricter
            return Reproduction(outcome: smallest, failsAsScenario: true)
        }
        return Reproduction(outcome: smallest, failsAsScenario: false)
    }

    /// Returns whether the case's scenario file fails on its own, without the check's judge. If so,
    /// the file reproduces the finding.
    ///
    /// - Parameter form: Word for the form of the case; each form has its own client names.
    private func failsAsWritten(
        _ testCase: CheckCase, _ check: Check, _ form: String
    ) async -> Bool {
        guard !Task.isCancelled else { return true }
        var fresh = testCase.renamed(seed: options.seed, part: "\(check.id) \(form)")
        if isHurried {
            // The first repetition shows whether anything arrives if the wait is longer.
            let patience = fresh.patience
            fresh.setPatience(ThrottleSurvey.patience)
            fresh.patience = min(fresh.patience, patience)
        }
        let outcome = await judge.outcome(of: fresh, check, seed: options.seed, isWritten: true)
        return outcome.result.outcome == .failed
    }
}

/// The smallest failing case that was found, with its last outcome.
struct Reproduction {
    var outcome: CaseOutcome
    var failsAsScenario: Bool
}

extension CheckResult {
    /// Adds the smallest failing case, as a scenario.
    fileprivate mutating func take(
        _ found: Reproduction, of check: Check, in subject: Subject, _ options: CheckOptions
    ) {
        stimulus = found.outcome.sent
        transcript = found.outcome.result.transcript
        scenarioPasses = !found.failsAsScenario
        write(
            FailureText.scenario(
                found.outcome.testCase, check, self, subject, options,
                failsAsScenario: found.failsAsScenario))
    }
}

extension CaseOutcome {
    fileprivate var hasFailed: Bool { finding != nil }

    fileprivate var isInconclusive: Bool {
        if case .inconclusive = judgement { true } else { false }
    }
}
