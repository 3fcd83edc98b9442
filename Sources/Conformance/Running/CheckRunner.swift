package import LineProtocol
package import Results
import Runner
import Session
import Synchronization

/// Runs checks against a server.
package struct CheckRunner: Sendable {
    /// Number of consecutive checks without a connection after which the server counts as gone.
    static let unreachableMax = 3
    /// Number of consecutive checks without a login after which the server counts as unresponsive.
    /// It is higher than the number of checks that run at the same time.
    static let silentMax = 12

    let subject: Subject
    let options: CheckOptions
    let judge: CaseJudge
    private let surveyor: ServerSurveyor

    /// Creates a runner.
    ///
    /// - Parameter watch: Observer of the server, if it is on this machine.
    package init(
        _ subject: Subject, _ options: CheckOptions, executor: any CaseExecutor,
        watch: (any ServerWatch)? = nil
    ) {
        self.subject = subject
        self.options = options
        judge = CaseJudge(subject: subject, executor: executor, watch: watch)
        surveyor = ServerSurveyor(
            ExecutionOptions(
                variables: subject.variables, seed: options.seed, stepTimeout: subject.patience))
    }

    /// Findings of the command-table check on all received lines.
    package var schema: SchemaReport { judge.schema.report }

    /// Runs the selected checks and returns their results in the same order.
    ///
    /// - Parameter onEvent: Receives progress events, from several tasks at once.
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
        var random = SeededRandom(seed: options.seed, part: "order")
        let jobs = subject.isolatesOperators ? options.jobs : 1
        let health = ServerHealth(silentMax: max(Self.silentMax, jobs + jobs / 2))
        let shared = checks.filter { !$0.isAlone }.shuffled(using: &random)
        for (check, outcome) in await runAll(shared, jobs, health, onEvent) {
            results[check.id] = await confirmed(check, outcome, onEvent)
        }
        // Checks that delay others run when no other check does.
        for check in checks where check.isAlone {
            let outcome = await runAll([check], 1, health, onEvent, isAlone: true)[0].1
            results[check.id] = await confirmed(check, outcome, onEvent)
        }
        return entries.compactMap { results[$0.id] }
    }

    /// Returns the final result. Failures are repeated, or excused if they are known.
    private func confirmed(
        _ check: Check, _ outcome: Outcome, _ onEvent: @escaping @Sendable (CheckEvent) -> Void
    ) async -> CheckResult {
        var outcome = outcome
        // Delays while checks run concurrently may be caused by this machine.
        for _ in 0..<max(1, options.repetitions)
        where outcome.result.verdict == .delayed && !Task.isCancelled {
            outcome = await run(check, isAlone: true, onEvent)
        }
        var result = outcome.result
        excuse(&result)
        guard result.verdict == .failed, let failed = outcome.failed, !Task.isCancelled else {
            return result
        }
        onEvent(.repeating(check.id))
        return await Confirmation(judge: judge, options: options).confirmed(result, check, failed)
    }

    /// The outcome of a check.
    private struct Outcome {
        var result: CheckResult
        var failed: CaseOutcome?
        /// Whether a control step succeeded first. If so, a failure is not simply due to a server
        /// that was lost before.
        var isControlled = true
    }

    /// Runs the checks, several at a time if operators can be isolated.
    private func runAll(
        _ checks: [Check], _ jobs: Int, _ health: ServerHealth,
        _ onEvent: @escaping @Sendable (CheckEvent) -> Void, isAlone: Bool = false
    ) async -> [(Check, Outcome)] {
        let outcomes = await withTaskGroup(of: (Check, Outcome, Int).self) { group in
            var outcomes: [(Check, Outcome, end: Int)] = []
            for (index, check) in checks.enumerated() {
                if index >= jobs, let outcome = await group.next() { outcomes.append(outcome) }
                group.addTask {
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
            return (check, isDoubtful && health.wasLost(by: end) ? Self.doubtful(outcome) : outcome)
        }
    }

    /// Returns an inconclusive outcome for a check that failed when the server was lost. The check
    /// may have caused the loss or suffered from it, and if checks run concurrently that cannot be
    /// decided.
    private static func doubtful(_ outcome: Outcome) -> Outcome {
        var result = outcome.result
        result.verdict = .inconclusive
        result.reason =
            "this check, or one that ran at the same time, made the server unavailable: \(result.reason)"
        return Outcome(result: result)
    }

    private static func gone(_ check: Check, _ loss: ServerHealth.Loss) -> Outcome {
        var result = CheckResult(check, .inconclusive, reason: loss.rawValue)
        result.isUnreachable = loss == .connections
        return Outcome(result: result)
    }

    /// Runs the cases of a check until one fails.
    private func run(
        _ check: Check, isAlone: Bool = false, _ onEvent: @Sendable (CheckEvent) -> Void
    ) async -> Outcome {
        onEvent(.began(check.id))
        if let outcome = await inapplicable(check) { return outcome }
        var result = CheckResult(check)
        var worst = Judgement.passed
        var isControlled = true
        for var testCase in check.cases(subject, seed: options.seed) {
            isControlled = testCase.steps.contains { $0.role == .control || $0.logsIn }
            if let patience = options.patience { testCase.patience = patience }
            if Task.isCancelled {
                return Outcome(
                    result: CheckResult(check, .inconclusive, reason: "interrupted"))
            }
            let outcome = await judge.outcome(
                of: testCase, check, seed: options.seed, isAlone: isAlone)
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
                return Outcome(result: result, failed: outcome, isControlled: isControlled)
            }
            // Without a connection, the other cases would fail in the same way.
            if outcome.isUnreachable { break }
        }
        if case .observed = worst { result.reason = result.classes.joined(separator: "; ") }
        return Outcome(result: result, isControlled: isControlled)
    }

    /// The outcome of a check that needs what the server does not support; nil if it applies.
    private func inapplicable(_ check: Check) async -> Outcome? {
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

    /// Marks a failure that the dialect lists as known for this software.
    private func excuse(_ result: inout CheckResult) {
        guard [.failed, .flaky, .delayed].contains(result.verdict) else { return }
        let known = subject.dialect.knownFailures.first { known in
            KnownFailureRule(known).applies(to: result.id, options)
        }
        guard let known else { return }
        result.verdict = .knownFailure
        result.reason = known.reason
    }
}

extension CheckResult {
    /// Adds the outcome of a case.
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
