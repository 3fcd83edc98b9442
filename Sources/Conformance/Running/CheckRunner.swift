package import LineProtocol
package import Results
import Runner
import Session
import Synchronization

/// A runner that executes checks against a server.
package struct CheckRunner: Sendable {
    /// Number of consecutive checks that cannot connect before the server counts as gone.
    static let unreachableMax = 3
    /// Number of consecutive checks that cannot log in before the server counts as unresponsive. It
    /// must be greater than the number of checks that run at the same time.
    static let silentMax = 12
    /// Percentage of the time budget during which checks may start. The rest is reserved for
    /// confirming failures.
    private static let startingShare: Int64 = 65
    private static let interrupted = "interrupted"
    private static let slowLoginFactor = 2
    /// Difference between the seeds of two runs of a check. It differs from the one of repetitions.
    private static let roundStep: UInt64 = 104_729

    let subject: Subject
    private(set) var options: CheckOptions
    private(set) var judge: CaseJudge
    private let surveyor: ServerSurveyor
    /// True if checks wait less than the dialect allows, because the survey found no throttle.
    private(set) var isHurried = false
    /// True if logins are slow, but many at the same time take hardly longer than a single one.
    /// Checks then mostly wait for logins.
    private var waitsForLogins = false
    /// True if the survey has found, or could not exclude, that the server throttles clients.
    private var isThrottled = false
    /// Number of the run of a check that is run again. Each run has its own client names, so that
    /// it need not wait for stale sessions of earlier runs.
    private var round: UInt64 = 0
    /// Latest time for a check to start; nil without a time budget.
    private var startsUntil: ContinuousClock.Instant?

    /// Creates a runner.
    ///
    /// - Parameter watch: Observer of the server, if it is on this machine.
    package init(
        _ subject: Subject, _ options: CheckOptions, executor: any CaseExecutor,
        watch: (any ServerWatch)? = nil
    ) {
        self.init(
            subject, options, CaseJudge(subject: subject, executor: executor, watch: watch))
    }

    /// Creates a runner for a server that can be replaced.
    package init(_ subject: Subject, _ options: CheckOptions, server: ReplaceableServer) {
        self.init(
            subject, options,
            CaseJudge(subject: subject, executor: server, watch: server, server: server))
    }

    init(_ subject: Subject, _ options: CheckOptions, _ judge: CaseJudge) {
        self.subject = subject
        self.options = options
        self.judge = judge
        surveyor = ServerSurveyor(
            ExecutionOptions(
                variables: subject.variables, secrets: subject.secrets, seed: options.seed,
                stepTimeout: subject.patience))
    }

    /// Findings of the command-table check, which covers all received lines.
    package var schema: SchemaReport { judge.schema.report }

    /// Runs the selected checks and returns their results in the same order.
    ///
    /// - Parameter onEvent: Closure that receives progress events; several tasks may call it at the
    ///   same time.
    package func run(
        _ entries: [CatalogueEntry], onEvent: @escaping @Sendable (CheckEvent) -> Void = { _ in }
    ) async -> [CheckResult] {
        var results: [CheckID: CheckResult] = [:]
        var checks: [Check] = []
        for entry in entries {
            switch entry {
            case .check(let check):
                if let reason = check.slowReason, !subject.runsSlowChecks {
                    results[check.id] = CheckResult(
                        check, .skipped, reason: "\(reason); use --slow to run it")
                } else {
                    checks.append(check)
                }
            case .notApplicable(let id, let reason):
                results[id] = CheckResult(id, .skipped, reason: reason)
            }
        }
        for (id, result) in await runInTime(checks, onEvent) { results[id] = result }
        return entries.compactMap { results[$0.id] }
    }

    /// Runs the checks, within the time budget if there is one.
    private func runInTime(
        _ checks: [Check], _ onEvent: @escaping @Sendable (CheckEvent) -> Void
    ) async -> [CheckID: CheckResult] {
        guard let budget = options.budget else { return await surveyed().run(checks, onEvent) }
        let begin = ContinuousClock.now
        var runner = self
        runner.startsUntil = begin + .nanoseconds(budget * Self.startingShare / 100)
        let results = await withTaskGroup(of: [CheckID: CheckResult]?.self) { [runner] group in
            group.addTask { await runner.surveyed().run(checks, onEvent) }
            group.addTask {
                try? await Task.sleep(until: begin + .nanoseconds(budget), clock: .continuous)
                return nil
            }
            var results: [CheckID: CheckResult] = [:]
            for await found in group {
                if let found { results = found }
                group.cancelAll()
            }
            return results
        }
        // The user has interrupted the run.
        if Task.isCancelled { return results }
        return results.mapValues { result in
            let isCut = result.verdict == .inconclusive && result.reason == Self.interrupted
            return isCut ? outOfTime(result) : result
        }
    }

    private func outOfTime(_ result: CheckResult) -> CheckResult {
        var result = result
        result.verdict = .skipped
        result.reason = CheckResult.outOfTime
        return result
    }

    /// Returns the runner to use for this server. A server that is known not to delay clients gets
    /// less time to answer.
    private func surveyed() async -> CheckRunner {
        var runner = self
        guard options.patience == nil else { return runner }
        var survey = options.survey
        if survey == nil { survey = await ThrottleSurvey(judge: judge).outcome(options.seed) }
        if case .unthrottled(let time)? = survey {
            runner.options.patience = ThrottleSurvey.patience
            runner.isHurried = true
            runner.waitsForLogins = subject.loginTime > 0 && time <= subject.loginTime * 6 / 5
        } else {
            runner.isThrottled = subject.throttle > 0
        }
        return runner
    }

    private func run(
        _ checks: [Check], _ onEvent: @escaping @Sendable (CheckEvent) -> Void
    ) async -> [CheckID: CheckResult] {
        var results: [CheckID: CheckResult] = [:]
        var random = SeededRandom(seed: options.seed, part: "order")
        let jobs = subject.isolatesOperators ? options.jobs : 1
        let waiting = jobs > 1 && waitsForLogins ? jobs * Self.slowLoginFactor : jobs
        let health = ServerHealth(
            silentMax: max(Self.silentMax, waiting + waiting / 2),
            loginsFail: options.loginFailure != nil)
        var shared = checks.filter { !$0.isAlone }.shuffled(using: &random)
        // Long checks start first, so that the run ends early.
        shared = shared.filter(\.isLong) + shared.filter { !$0.isLong }
        if options.budget != nil { shared = CheckPriority.sorted(shared) }
        var failures: [Failure] = []
        let outcomes = await runAllInTime(shared, waiting, health, onEvent)
        for (check, outcome) in await withoutConsequences(outcomes, onEvent) {
            let (result, failure) = await settled(check, outcome, onEvent)
            results[check.id] = result
            if let failure { failures.append(failure) }
        }
        for result in await confirmed(failures, jobs, onEvent) { results[result.id] = result }
        // Checks that would delay others run one at a time. If the server does not become idle,
        // there is no point in waiting again. A server that can be replaced is, instead.
        var becomesIdle = true
        for check in checks where check.isAlone {
            if becomesIdle, judge.server == nil {
                becomesIdle = await ServerObserver(watch: judge.watch).idled()
            }
            let outcome = await runAll([check], 1, health, onEvent, isAlone: true)[0].1
            let (result, failure) = await settled(check, outcome, onEvent)
            results[check.id] = result
            guard let failure else { continue }
            for result in await confirmed([failure], 1, onEvent) { results[result.id] = result }
        }
        return results
    }

    /// Returns the result of a check, and its failure if it must be confirmed. A check with late
    /// answers is repeated first, and known failures are excused.
    private func settled(
        _ check: Check, _ outcome: Outcome, _ onEvent: @escaping @Sendable (CheckEvent) -> Void
    ) async -> (CheckResult, Failure?) {
        var outcome = outcome
        var runner = self
        // A delay observed while checks run concurrently may be caused by this machine.
        for _ in 0..<max(1, options.repetitions)
        where outcome.result.verdict == .delayed && !Task.isCancelled {
            runner.round += 1
            outcome = await runner.run(check, isAlone: true, onEvent)
        }
        var result = outcome.result
        excuse(&result)
        guard result.verdict == .failed, let failed = outcome.failed, !Task.isCancelled else {
            return (result, nil)
        }
        return (result, Failure(result, check, failed))
    }

    /// The outcome of running one check.
    private struct Outcome {
        var result: CheckResult
        var failed: CaseOutcome?
        /// True if the last case had a login or a control step. A failure after that step cannot be
        /// due to a server that had already been lost.
        var isControlled = true
    }

    /// Runs the checks. If the survey shortened the waits, inconclusive checks run again with the
    /// full time that the dialect allows.
    private func runAllInTime(
        _ checks: [Check], _ jobs: Int, _ health: ServerHealth,
        _ onEvent: @escaping @Sendable (CheckEvent) -> Void
    ) async -> [(Check, Outcome)] {
        let outcomes = await runAll(checks, jobs, health, onEvent)
        let undecided = outcomes.filter { _, outcome in
            outcome.result.verdict == .inconclusive && !outcome.result.isUnreachable
        }.map(\.0)
        guard isHurried, !undecided.isEmpty, health.loss == nil, !Task.isCancelled else {
            return outcomes
        }
        var patient = self
        patient.options.patience = nil
        // The rounds between are those of `settled`.
        patient.round += 1 + UInt64(max(1, options.repetitions))
        let again = await patient.runAll(undecided, jobs, health, onEvent)
        return outcomes.map { check, outcome in
            again.first { $0.0.id == check.id } ?? (check, outcome)
        }
    }

    /// Returns the outcomes, with those of checks that failed on a server that was replaced later
    /// determined again on new servers. Such failures may be consequences of other checks.
    private func withoutConsequences(
        _ outcomes: [(Check, Outcome)], _ onEvent: @escaping @Sendable (CheckEvent) -> Void
    ) async -> [(Check, Outcome)] {
        guard let onNewServers = judge.onNewServers, let number = judge.server?.number else {
            return outcomes
        }
        let doubtful = outcomes.filter { ($0.1.failed?.server ?? number) < number }.map(\.0)
        var runner = self
        runner.judge = onNewServers
        let again = await runner.runAll(
            doubtful, NewServerExecutor.serversMax, ServerHealth(silentMax: .max)
        ) { event in
            switch event {
            case .began(let id): onEvent(.repeating(id))
            case .finished(let result): onEvent(.confirmed(result))
            default: onEvent(event)
            }
        }
        return outcomes.map { check, outcome in
            again.first { $0.0.id == check.id } ?? (check, outcome)
        }
    }

    /// Runs the checks, several at a time if their operators do not affect each other.
    private func runAll(
        _ checks: [Check], _ jobs: Int, _ health: ServerHealth,
        _ onEvent: @escaping @Sendable (CheckEvent) -> Void, isAlone: Bool = false
    ) async -> [(Check, Outcome)] {
        let outcomes = await withTaskGroup(of: (Check, Outcome, Int).self) { group in
            var outcomes: [(Check, Outcome, end: Int)] = []
            for (index, check) in checks.enumerated() {
                if index >= jobs, let outcome = await group.next() { outcomes.append(outcome) }
                group.addTask {
                    if let startsUntil, ContinuousClock.now > startsUntil {
                        return (check, Outcome(result: outOfTime(CheckResult(check))), 0)
                    }
                    if let loss = health.loss {
                        let outcome = Self.gone(check, loss)
                        onEvent(.finished(outcome.result))
                        return (check, outcome, 0)
                    }
                    let begin = health.begin()
                    let outcome = await run(check, isAlone: isAlone, onEvent)
                    let end = health.end(
                        outcome.result, begun: begin, isControlled: outcome.isControlled)
                    onEvent(.finished(outcome.result))
                    return (check, outcome, end)
                }
            }
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
        return outcomes.map { check, outcome, end in
            let isDoubtful = !outcome.isControlled || jobs > 1 && outcome.failed != nil
            // Interrupted checks could not log in either, but the server is not lost.
            let isLost = !Task.isCancelled && health.wasLost(by: end)
            return (check, isDoubtful && isLost ? Self.doubtful(outcome) : outcome)
        }
    }

    /// Returns an inconclusive outcome for a check that failed when the server was lost. The check
    /// may have caused the loss or suffered from it; with concurrent checks, this cannot be
    /// decided.
    private static func doubtful(_ outcome: Outcome) -> Outcome {
        var result = outcome.result
        result.verdict = .inconclusive
        result.scenario = nil
        result.reason =
            "this check, or one that ran at the same time, made the server unavailable: \(result.reason)"
        return Outcome(result: result)
    }

    private static func gone(_ check: Check, _ loss: ServerHealth.Loss) -> Outcome {
        var result = CheckResult(check, .inconclusive, reason: loss.rawValue)
        result.isUnreachable = loss == .connections
        return Outcome(result: result)
    }

    /// Runs the cases of a check until one fails or cannot connect.
    private func run(
        _ check: Check, isAlone: Bool = false, _ onEvent: @Sendable (CheckEvent) -> Void
    ) async -> Outcome {
        onEvent(.began(check.id))
        if let outcome = await inapplicable(check) { return outcome }
        var result = CheckResult(check)
        var worst = Judgement.passed
        var isControlled = true
        let seed = options.seed &+ round &* Self.roundStep
        for var testCase in check.cases(subject, seed: seed) {
            isControlled = testCase.steps.contains { $0.role == .control || $0.logsIn }
            if let patience = options.patience { testCase.setPatience(patience) }
            if Task.isCancelled {
                return Outcome(
                    result: CheckResult(check, .inconclusive, reason: Self.interrupted))
            }
            let outcome = await judge.outcome(of: testCase, check, seed: seed, isAlone: isAlone)
            result.casesRun += 1
            result.duration += outcome.result.duration
            result.isTimingBased = result.isTimingBased || outcome.result.isTimingBased
            for word in outcome.classes where !result.classes.contains(word) {
                result.classes.append(word)
            }
            if outcome.judgement.urgency > worst.urgency {
                worst = outcome.judgement
                result.take(outcome, subject)
            }
            if case .failed = worst {
                result.write(
                    FailureText.scenario(
                        testCase, check, result, subject, options, isConfirmed: false))
                return Outcome(result: result, failed: outcome, isControlled: isControlled)
            }
            // Without a connection, all other cases would fail in the same way.
            if outcome.isUnreachable { break }
            // In a patient run, the other cases have run before.
            if isHurried, options.patience == nil, case .inconclusive = outcome.judgement { break }
        }
        if case .observed = worst { result.reason = result.observedWords }
        return Outcome(result: result, isControlled: isControlled)
    }

    /// Returns the outcome of a check that needs a feature that the server lacks, or whose support
    /// cannot be determined, or that the server's flood control would end; nil if the check can
    /// run.
    private func inapplicable(_ check: Check) async -> Outcome? {
        if check.floods, isThrottled {
            let reason = "the server's flood control prevents sending enough data"
            return Outcome(
                result: CheckResult(check, .skipped, reason: reason), isControlled: false)
        }
        let executor = judge.executor
        let needs = await surveyor.needs(check.needs, of: subject.bound, by: "") {
            await executor.run($0, options: $1)
        }
        switch needs {
        case .met: return nil
        case .unmet(let reason):
            return Outcome(
                result: CheckResult(check, .skipped, reason: reason), isControlled: false)
        case .undecided(let reason):
            return Outcome(
                result: CheckResult(check, .inconclusive, reason: reason), isControlled: false)
        }
    }

    /// Marks a failure that the dialect declares as known for this server software.
    private func excuse(_ result: inout CheckResult) {
        guard [.failed, .flaky, .delayed].contains(result.verdict) else { return }
        let known = subject.dialect.knownFailures.first { known in
            KnownFailureRule(known).applies(to: result.id, options)
        }
        guard let known else { return }
        result.verdict = .knownFailure
        result.scenario = nil
        result.reason = known.reason
    }
}

extension CheckResult {
    /// Adds the scenario of a failure, and its line numbers to the transcript.
    mutating func write(_ written: CaseScenario) {
        scenario = written.text
        transcript = written.numbered(transcript)
    }

    /// Sets the verdict and the evidence to those of a case.
    mutating func take(_ outcome: CaseOutcome, _ subject: Subject) {
        caseTitle = outcome.testCase.title
        segmentation = outcome.testCase.segmentation
        transcript = outcome.result.transcript
        isUnreachable = outcome.isUnreachable
        stimulus = outcome.sent
        switch outcome.judgement {
        case .passed: verdict = .passed
        case .failed(let finding):
            verdict = .failed
            self.finding = finding
            reason = finding.got
        case .delayed(let time):
            verdict = .delayed
            reason = "answered after \(ScriptedFinding.seconds(time))"
        case .observed(let word):
            verdict = .observed
            reason = word
        case .inconclusive(let why):
            verdict = .inconclusive
            reason = why
        }
    }
}
