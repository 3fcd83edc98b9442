package import LineProtocol
package import Results
import Session
import Synchronization

/// How long and how it is fuzzed.
package struct FuzzOptions: Sendable {
    /// The most findings that are made smaller and told.
    package static let findingsMax = 20
    /// So many of one kind.
    static let findingsOfAKindMax = 3
    /// So many inputs are kept.
    static let corpusMax = 2_000

    /// How long trials are made.
    package var time: Duration
    /// How many trials are made at most.
    package var trialsMax: Int
    /// Inputs that were kept in runs before, as they stand in files.
    package var corpus: [String]
    /// After so many findings it ends.
    package var findings: Int

    /// Options.
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

/// How far fuzzing has come.
package struct FuzzProgress: Sendable, Hashable {
    /// How many trials were played.
    package var trials = 0
    /// How many shapes of answers were seen.
    package var shapes = 0
    /// How many inputs were worth keeping.
    package var kept = 0
    /// How many trials showed something that is wrong.
    package var suspicions = 0
}

/// Plays lines that are made from valid ones by mutation, guided by the shapes of answers, and judged by what must
/// hold whatever is sent.
package struct Fuzzer: Sendable {
    /// How many trials are made of one state of what was kept: so a run does not depend on which trial is over first.
    private static let generation = 32
    /// After so many trials one after another without a connection the server counts as gone.
    private static let unreachableMax = 3
    /// So many trials are told of a server that is gone.
    private static let recentMax = 8
    /// For so long findings are confirmed at least; else for as long as was fuzzed.
    private static let confirmingMin = Duration.seconds(60)
    private static let row = "fuzz"

    private let subject: Subject
    private let options: CheckOptions
    private let fuzz: FuzzOptions
    private let judge: CaseJudge
    private let grammar: FuzzGrammar
    private let check: Check

    /// A fuzzer.
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

    /// X: how the lines that were seen stand to the dialect's command table.
    package var schema: SchemaReport { judge.schema.report }

    /// What came of it: a result for each kind of finding, and one for the whole; and the inputs worth keeping.
    package func run(
        tell: @escaping @Sendable (FuzzProgress) -> Void = { _ in }
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
            tell(state.progress)
        }
        var results: [CheckResult] = []
        let confirming = ContinuousClock.now
        let patience = max(fuzz.time, Self.confirmingMin)
        for (input, outcome) in state.found {
            // What is left then is hardly of another kind.
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
        result.casesPlayed = state.progress.trials
        let words =
            "\(state.progress.trials) trials, \(state.progress.shapes) shapes of answers, "
            + "\(state.progress.kept) inputs kept"
        result.reason = words
        result.claim += " (\(words))"
        if state.isGone, findings == 0 {
            result.verdict = .inconclusive
            result.reason = "the server takes no connections any more; \(words)"
        } else if state.progress.trials == 0 || state.decided == 0 {
            result.verdict = .inconclusive
            result.reason = state.undecided ?? "nothing was tried"
        }
        return result
    }

    /// The server is there no more: what was sent last is all that can be told.
    private func gone(_ state: State) -> CheckResult? {
        guard let (input, outcome) = state.recent.last else { return nil }
        let check = Self.check("gone", input, grammar)
        var result = CheckResult(CheckID(Self.row, "gone"), .failed, reason: "")
        result.claim = check.claim
        result.level = check.level
        result.basis = check.basis
        result.take(outcome, subject)
        result.verdict = .failed
        result.stimulus = state.recent.flatMap(\.1.sent)
        let finding = Finding(
            "gone", expected: "the server takes connections",
            got: "it takes none any more; these were the last \(state.recent.count) trials")
        result.finding = finding
        result.reason = finding.got
        result.scenario = FailureText.text(
            outcome.play, check, result, subject, options, isSaid: true)
        return result
    }

    // MARK: Trials

    private struct State {
        var corpus: [FuzzInput]
        var shapes: FuzzShapes
        var progress = FuzzProgress()
        var found: [(FuzzInput, CaseOutcome)] = []
        var kinds: [String: Int] = [:]
        /// How many trials could be decided, and why the others could not.
        var decided = 0
        var undecided: String?
        var misses = 0
        /// The last trials that reached the server.
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

    /// Plays trials that are made of what was kept so far, several at a time.
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
                    let outcome = await play(input, seed: options.seed &+ UInt64(trial))
                    return (trial, input, outcome)
                }
            }
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { $0.0 < $1.0 }.map { ($0.1, $0.2) }
        }
    }

    private func play(
        _ input: FuzzInput, seed: UInt64, isAlone: Bool = false
    ) async -> CaseOutcome {
        var maker = CaseMaker(subject, check: check, seed: seed)
        var play = FuzzCase(grammar: grammar).made(input, &maker)
        if let patience = options.patience { play.patience = patience }
        return await judge.outcome(of: play, check, seed: seed, isAlone: isAlone)
    }

    // MARK: Findings

    /// Plays a finding again by itself and makes it smaller; nil where it does not come again.
    private func confirmed(
        _ input: FuzzInput, _ outcome: CaseOutcome, isGone: Bool
    ) async -> CheckResult? {
        guard case .failed(let finding) = outcome.judgement else { return nil }
        let seeds = Mutex(options.seed &+ 0x5EED)
        let shrinker = FuzzShrinker { candidate in
            let seed = seeds.withLock { seed in
                seed &+= 7_919
                return seed
            }
            let again = await play(candidate, seed: seed, isAlone: true)
            if case .failed(let other) = again.judgement { return other.kind == finding.kind }
            return false
        }
        // What does not come again by itself is another trial's doing, or this machine's.
        guard !isGone, await shrinker.fails(input) else { return nil }
        let smallest = options.shrinks ? await shrinker.shrunk(input) : input
        let check = Self.check(finding.kind, smallest, grammar)
        let last = await play(smallest, seed: options.seed, isAlone: true)
        guard case .failed = last.judgement else { return nil }
        var result = CheckResult(check)
        result.take(last, subject)
        return await Confirmation(judge: judge, options: options).confirmed(result, check, last)
    }

    private static func check(
        _ kind: String, _ input: FuzzInput?, _ grammar: FuzzGrammar
    ) -> Check {
        let word = input.map { verb(of: $0, grammar) } ?? ""
        let subject = input == nil ? nil : word.isEmpty ? kind : "\(kind)-\(word)"
        return Check(
            CheckID(row, subject),
            "whatever lines are sent, the server answers or closes, and others are served",
            rule: "commands", in: grammar.subject, level: .robustness
        ) { maker in
            guard let input else { return [] }
            return [FuzzCase(grammar: grammar).made(input, &maker)]
        }
    }

    /// The first word of what is sent, as far as it can stand in a name.
    private static func verb(of input: FuzzInput, _ grammar: FuzzGrammar) -> String {
        var split = SplitLine()
        let line = input.lines.first ?? []
        LineSplitter(grammar.subject.dialect).split(line.span, 0..<line.count, into: &split)
        let word = String(decoding: line[split.verb].prefix(16), as: UTF8.self)
        return String(word.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
}
