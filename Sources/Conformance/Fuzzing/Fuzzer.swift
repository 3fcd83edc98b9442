import Diagnostics
package import LineProtocol
package import Results
import Session
import Synchronization

/// Settings for a fuzzing run: duration, corpus and maximum number of findings.
package struct FuzzOptions: Sendable {
    /// Maximum number of findings to shrink and report.
    package static let findingsMax = 20
    static let findingsOfAKindMax = 3
    /// Maximum number of inputs in the corpus.
    static let corpusMax = 2_000

    /// Maximum duration of fuzzing.
    package var time: Duration
    package var trialsMax: Int
    /// Contents of corpus files from earlier runs.
    package var corpus: [String]
    /// Maximum number of findings; fuzzing stops when it is reached.
    package var findings: Int

    package init(
        time: Duration, trialsMax: Int = .max, corpus: [String] = [],
        findings: Int = FuzzOptions.findingsMax
    ) {
        self.findings = min(findings, Self.findingsMax)
        self.time = time
        self.trialsMax = trialsMax
        self.corpus = corpus
    }
}

/// Counts of trials, answer shapes and suspected findings so far in a fuzzing run.
package struct FuzzProgress: Sendable, Hashable {
    package var trials = 0
    /// Number of different answer shapes seen.
    package var shapes = 0
    /// Number of inputs kept in the corpus.
    package var kept = 0
    /// Number of trials that may have led to a finding.
    package var suspicions = 0
}

/// A fuzzer that mutates valid lines, guided by the shapes of the answers. It applies only rules
/// that hold for any input.
package struct Fuzzer: Sendable {
    /// Number of trials in a batch, all derived from the same corpus. Results do not depend on
    /// which of them finishes first.
    private static let generation = 32
    /// Number of consecutive failures to connect before the server counts as gone.
    private static let unreachableMax = 3
    /// Number of recent trials to report if the server is gone.
    private static let recentMax = 8
    /// Minimum time limit for confirming findings. If the fuzzing time is longer, it is the limit.
    private static let confirmingMin = Duration.seconds(60)
    private static let ruleID = "fuzz"

    private let subject: Subject
    private let options: CheckOptions
    private let fuzz: FuzzOptions
    private let judge: CaseJudge
    private let grammar: FuzzGrammar
    private let check: Check

    package init(
        _ subject: Subject, _ options: CheckOptions, _ fuzz: FuzzOptions,
        executor: any CaseExecutor,
        watch: (any ServerWatch)? = nil
    ) {
        self.subject = subject
        self.options = options
        self.fuzz = fuzz
        judge = CaseJudge(subject: subject, executor: executor, watch: watch)
        grammar = FuzzGrammar(subject)
        check = Self.check("", nil, grammar)
    }

    /// Findings of the command-table check, which covers all received lines.
    package var schema: SchemaReport { judge.schema.report }

    /// Runs the fuzzer. Returns one result per kind of finding, one for the run as a whole, and the
    /// corpus.
    package func run(
        onProgress: @escaping @Sendable (FuzzProgress) -> Void = { _ in }
    ) async -> (results: [CheckResult], corpus: [String]) {
        var state = State(
            corpus: grammar.seeds + fuzz.corpus.compactMap { FuzzInput(text: $0) },
            shapes: FuzzShapes(subject.dialect))
        let seedCount = grammar.seeds.count
        let begin = ContinuousClock.now
        while ContinuousClock.now - begin < fuzz.time, state.progress.trials < fuzz.trialsMax,
            state.found.count < fuzz.findings, !state.isGone, !Task.isCancelled
        {
            let deadline = begin + fuzz.time
            for (input, outcome) in await generation(state, until: deadline) {
                state.take(input, outcome)
            }
            onProgress(state.progress)
        }
        var results: [CheckResult] = []
        let confirming = ContinuousClock.now
        let patience = max(fuzz.time, Self.confirmingMin)
        for (input, outcome) in state.found {
            // The remaining findings are probably of the same kinds.
            if Task.isCancelled || ContinuousClock.now - confirming > patience { break }
            if let result = await confirmed(input, outcome, isGone: state.isGone) {
                let same = results.firstIndex { $0.id == result.id }
                if same == nil { results.append(result) }
            }
        }
        if state.isGone, state.decided > 0, let gone = gone(state) { results.append(gone) }
        results.append(summary(state, findings: results.count))
        return (results, state.corpus.dropFirst(seedCount).map(\.text))
    }

    private func summary(_ state: State, findings: Int) -> CheckResult {
        var result = CheckResult(check, .passed)
        result.casesRun = state.progress.trials
        let words =
            "\(counted(state.progress.trials, "trial")), "
            + "\(counted(state.progress.shapes, "distinct answer")), "
            + "\(counted(state.progress.kept, "input")) kept"
        result.reason = words
        result.claim += " (\(words))"
        if state.isGone, findings == 0 {
            result.verdict = .inconclusive
            result.reason = "the server no longer accepts connections; \(words)"
        } else if state.progress.trials == 0 || state.decided == 0 {
            result.verdict = .inconclusive
            result.reason = state.undecided ?? "no input was tried"
        }
        return result
    }

    /// Returns the result for a server that is gone. Only the most recent inputs can be reported;
    /// if there are none, the result is nil.
    private func gone(_ state: State) -> CheckResult? {
        guard let (input, outcome) = state.recent.last else { return nil }
        let check = Self.check("gone", input, grammar)
        var result = CheckResult(CheckID(Self.ruleID, "gone"), .failed, reason: "")
        result.claim = check.claim
        result.level = check.level
        result.basis = check.basis
        result.take(outcome, subject)
        result.verdict = .failed
        result.stimulus = state.recent.flatMap(\.1.sent)
        let last =
            state.recent.count == 1
            ? "the last trial" : "one of the last \(state.recent.count) trials"
        let finding = Finding(
            "gone", expected: "the server accepts connections",
            got: "the server stopped accepting connections after \(last)")
        result.finding = finding
        result.reason = finding.got
        result.write(
            FailureText.scenario(outcome.testCase, check, result, subject, options))
        return result
    }

    // MARK: Trials

    private struct State {
        var corpus: [FuzzInput]
        var shapes: FuzzShapes
        var progress = FuzzProgress()
        var found: [(FuzzInput, CaseOutcome)] = []
        var kinds: [String: Int] = [:]
        /// Number of conclusive trials.
        var decided = 0
        var undecided: String?
        var misses = 0
        /// The most recent trials that reached the server.
        var recent: [(FuzzInput, CaseOutcome)] = []
        var isGone: Bool { misses >= Fuzzer.unreachableMax }

        mutating func take(_ input: FuzzInput, _ outcome: CaseOutcome) {
            progress.trials += 1
            misses = outcome.isUnreachable ? misses + 1 : 0
            if !outcome.isUnreachable {
                recent.append((input, outcome))
                if recent.count > Fuzzer.recentMax { recent.removeFirst() }
            }
            if shapes.note(outcome.result.transcript), input.texts == nil,
                corpus.count < FuzzOptions.corpusMax, !corpus.contains(input)
            {
                corpus.append(input)
                progress.kept += 1
            }
            progress.shapes = shapes.seen.count
            switch outcome.judgement {
            case .failed(let finding):
                decided += 1
                progress.suspicions += 1
                kinds[finding.kind, default: 0] += 1
                if kinds[finding.kind, default: 0] <= FuzzOptions.findingsOfAKindMax {
                    found.append((input, outcome))
                }
            case .inconclusive(let why): undecided = why
            default: decided += 1
            }
        }
    }

    /// Runs trials derived from the current corpus, several at a time.
    private func generation(
        _ state: State, until deadline: ContinuousClock.Instant
    ) async -> [(FuzzInput, CaseOutcome)] {
        let first = state.progress.trials
        let count = min(Self.generation, fuzz.trialsMax - first)
        let jobs = subject.isolatesOperators ? options.jobs : 1
        return await withTaskGroup(of: (Int, FuzzInput, CaseOutcome).self) { group in
            var outcomes: [(Int, FuzzInput, CaseOutcome)] = []
            for trial in first..<(first + count) {
                if trial - first >= jobs, let outcome = await group.next() {
                    outcomes.append(outcome)
                }
                if ContinuousClock.now > deadline || Task.isCancelled { break }
                group.addTask {
                    var mutator = FuzzMutator(grammar, seed: options.seed, trial: trial)
                    let input = mutator.trial(state.corpus)
                    let outcome = await run(input, seed: options.seed &+ UInt64(trial))
                    return (trial, input, outcome)
                }
            }
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0 < $1.0 }.map { ($0.1, $0.2) }
        }
    }

    private func run(
        _ input: FuzzInput, seed: UInt64, isAlone: Bool = false
    ) async -> CaseOutcome {
        var maker = CaseMaker(subject, id: check.id, seed: seed)
        var testCase = FuzzCase(grammar: grammar).made(input, &maker)
        if let patience = options.patience { testCase.patience = patience }
        return await judge.outcome(of: testCase, check, seed: seed, isAlone: isAlone)
    }

    // MARK: Findings

    /// Repeats a finding on its own and shrinks it; nil if the finding does not recur.
    private func confirmed(
        _ input: FuzzInput, _ outcome: CaseOutcome, isGone: Bool
    ) async -> CheckResult? {
        guard let finding = outcome.finding else { return nil }
        let seeds = Mutex(options.seed &+ 0x5EED)
        let shrinker = FuzzShrinker { candidate in
            let seed = seeds.withLock { seed in
                seed &+= 7_919
                return seed
            }
            let again = await run(candidate, seed: seed, isAlone: true)
            if case .failed(let other) = again.judgement { return other.kind == finding.kind }
            return false
        }
        // If a finding does not recur on its own, it was caused by another trial or by this
        // machine.
        guard !isGone, await shrinker.fails(input) else { return nil }
        let smallest = options.shrinks ? await shrinker.shrunk(input) : input
        let check = Self.check(finding.kind, smallest, grammar)
        let last = await run(smallest, seed: options.seed, isAlone: true)
        guard case .failed = last.judgement else { return nil }
        var result = CheckResult(check)
        result.take(last, subject)
        guard let failure = Failure(result, check, last) else { return nil }
        return await Confirmation(judge: judge, options: options).confirmed(failure)
    }

    private static func check(
        _ kind: String, _ input: FuzzInput?, _ grammar: FuzzGrammar
    ) -> Check {
        let word = input.map { verb(of: $0, grammar) } ?? ""
        let subject = input == nil ? nil : word.isEmpty ? kind : "\(kind)-\(word)"
        return Check(
            CheckID(ruleID, subject),
            "for any input, the server answers or closes the connection, and keeps serving other clients",
            setting: "commands", in: grammar.subject, level: .robustness
        ) { maker in
            guard let input else { return [] }
            return [FuzzCase(grammar: grammar).made(input, &maker)]
        }
    }

    /// Returns the command of the input's first line, reduced to its ASCII letters and digits.
    private static func verb(of input: FuzzInput, _ grammar: FuzzGrammar) -> String {
        var split = SplitLine()
        let line = input.lines.first ?? []
        LineSplitter(grammar.subject.dialect, direction: .fromClient).split(
            line.span, 0..<line.count, into: &split)
        let word = String(decoding: line[split.verb].prefix(16), as: UTF8.self)
        return String(word.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
}
