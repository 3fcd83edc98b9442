import DialectModel
import Diagnostics
import LineProtocol
import Scenario

/// Plays a program: bytes and a clock go in; bytes, a deadline and in the end a result come out.
///
/// It knows no sockets and reads no clock. Times are nanoseconds on any clock that does not go back.
/// The driver calls ``start(at:)``, then for each thing that happens ``receive(_:_:at:)`` or
/// ``handle(_:at:)``; after each call it carries out every ``nextAction()`` and sees to it that it calls
/// `handle(.wake)` not before and soon after ``deadline``, until there is a ``result``.
package struct ScenarioSession: ~Copyable {
    let program: Program
    let options: ExecutionOptions
    let operators: [SimulatedOperator]
    var matcher: LineMatcher
    var context: MatchContext
    var standing: [StandingRule]
    /// The instructions whose rules hold already: one in a loop counts once.
    var installedRules: Set<Int> = []
    var random: SeededRandom
    var recorder: TranscriptRecorder

    /// The place of the instruction that is under way.
    var counter = 0
    var step = StepState(start: 0)
    var loops: [LoopFrame] = []
    var attempts: [AttemptFrame] = []
    var twins: [[[ReceivedLine]]]?
    var nextBarrier = 1
    var isTimingBased = false
    var stepsPlayed = 0

    var startTime: Int64 = 0
    var now: Int64 = 0
    var fileDeadline: Int64 = .max
    var blockedUntil: Int64?
    var actions: [SessionAction] = []
    var nextActionPlace = 0
    /// The step in whose behalf something was last sent, for "3.1 ms after line 16".
    var lastSend: (line: Int, time: Int64)?
    /// How long expectations waited, since somebody took the times.
    var stepTimes: [StepTime] = []
    /// What went wrong in a standing rule, until the step under way is ended for it.
    var standingFailure: StepFailure?
    /// The command of the dialect's probe, once it was needed.
    var knownProbeVerb: [UInt8]?

    /// What came of it, once it is over.
    package private(set) var result: ScenarioOutcome?

    /// Prepares to play.
    package init(_ program: Program, options: ExecutionOptions) {
        self.program = program
        self.options = options
        matcher = LineMatcher(program.dialect)
        context = MatchContext(variables: Variables(count: program.variables.count))
        context.bools = program.dialect.boolSpellings
        standing = program.standing
        random = SeededRandom(seed: options.seed)
        operators = program.operators.map {
            SimulatedOperator(
                name: $0, framer: LineFramer(program.dialect, direction: .fromServer))
        }
        recorder = TranscriptRecorder(
            secrets: Self.spellings(
                options.secrets.union(program.secrets).compactMap { options.variables[$0] },
                program.dialect.escaping), limits: options.limits)
        setVariables()
    }

    /// Secrets in every form in which they can be met: as they are, escaped for display, spelled as the
    /// dialect spells them.
    private static func spellings(_ secrets: [[UInt8]], _ escaping: Escaping) -> [[UInt8]] {
        let rules = [escaping.field, escaping.trailing, escaping.value, escaping.tagValue]
        return secrets.flatMap { secret in
            [secret, Array(escapedForDisplay(secret).utf8)]
                + rules.compactMap { try? $0.encode(secret) }
        }
    }

    private mutating func setVariables() {
        for (place, name) in program.variables.enumerated() {
            if let value = options.variables[name] { context.variables[place] = value }
            if name == "nonce" { context.variables[place] = random.word() }
        }
        for setting in program.settings {
            // A `set` line knows only what always exists and what stands before it.
            if let bytes = try? renderer.render(setting.value, setting.range) {
                context.variables[setting.variable] = bytes
            }
        }
    }

    /// A renderer with the values that variables have now.
    var renderer: MessageRenderer {
        let operators = operators
        return MessageRenderer(
            program.dialect, variables: context.variables, names: program.variables,
            bools: context.bools, environment: options.environment
        ) { operators[$0].loginName }
    }

    /// How many bytes of what was received are kept at the moment.
    package var heldBytes: Int {
        operators.reduce(recorder.byteCount) { sum, box in
            sum + box.framer.heldBytes + box.inbox.byteCount + box.outcome.byteCount
                + box.setAside.reduce(0) { $0 + $1.byteCount }
        }
    }

    /// When the session must be woken at the latest; nil: only by what arrives.
    package var deadline: Int64? {
        guard result == nil else { return nil }
        var earliest = min(fileDeadline, blockedUntil ?? .max)
        for box in operators where box.hasOutgoing {
            earliest = min(earliest, box.outgoingTime)
        }
        return earliest
    }

    /// Begins.
    package mutating func start(at now: Int64) {
        self.now = now
        startTime = now
        recorder.start = now
        noteLine()
        fileDeadline = now + (program.fileTimeout ?? options.fileTimeout)
        step = StepState(start: now)
        advance()
    }

    /// Takes bytes that arrived.
    package mutating func receive(
        _ bytes: Span<UInt8>, _ connection: ConnectionID, at now: Int64
    ) {
        guard result == nil, isCurrent(connection) else { return }
        self.now = now
        take(bytes, connection.operatorIndex)
        advance()
    }

    /// Takes any other event.
    package mutating func handle(_ event: SessionEvent, at now: Int64) {
        guard result == nil else { return }
        self.now = now
        switch event {
        case .connected(let connection):
            guard isCurrent(connection) else { return }
            connected(connection.operatorIndex)
        case .connectFailed(let connection, let reason):
            guard isCurrent(connection) else { return }
            connectFailed(connection.operatorIndex, reason)
        case .closed(let connection, let manner):
            guard isCurrent(connection) else { return }
            closedByPeer(connection.operatorIndex, manner)
        case .wake:
            break
        }
        advance()
    }

    /// Ends at once, because the person wants it: the result is inconclusive unless there is one.
    package mutating func interrupt(at now: Int64) {
        guard result == nil else { return }
        self.now = now
        let failure = StepFailure(
            kind: .inconclusive, code: "run.interrupted", message: "interrupted before the end")
        finish(failure)
    }

    /// Hands over how long the expectations waited that were met since the last call.
    package mutating func takeStepTimes() -> [StepTime] {
        if stepTimes.isEmpty { return [] }
        defer { stepTimes.removeAll(keepingCapacity: true) }
        return stepTimes
    }

    /// What to do next; nil when nothing is left to do for now.
    package mutating func nextAction() -> SessionAction? {
        guard nextActionPlace < actions.count else {
            actions.removeAll(keepingCapacity: true)
            nextActionPlace = 0
            return nil
        }
        nextActionPlace += 1
        return actions[nextActionPlace - 1]
    }

    private func isCurrent(_ connection: ConnectionID) -> Bool {
        operators.indices.contains(connection.operatorIndex)
            && operators[connection.operatorIndex].generation == connection.generation
            && operators[connection.operatorIndex].connection != .closed
    }

    // MARK: Going on

    /// The most instructions that are executed before the driver has its turn again.
    static var instructionsPerTurnMax: Int { 1_000 }

    /// Plays on as far as it goes with what there is.
    mutating func advance() {
        var executed = 0
        while result == nil {
            drainOutgoing()
            executed += 1
            guard executed <= Self.instructionsPerTurnMax else {
                // Others want their turn, and the file's time has to be looked at.
                blockedUntil = now
                return
            }
            if now >= fileDeadline {
                finish(fileTimeoutFailure())
                return
            }
            if let failure = standingFailure {
                standingFailure = nil
                fail(failure)
                continue
            }
            if let retryAt = attempts.last?.retryAt {
                guard now >= retryAt else {
                    blockedUntil = retryAt
                    return
                }
                attempts[attempts.count - 1].retryAt = nil
            }
            guard counter < program.instructions.count else {
                flushHeld()
                finish(nil)
                return
            }
            switch execute(program.instructions[counter]) {
            case .done: move(to: counter + 1)
            case .jump(let place): move(to: place)
            case .blocked(let until):
                let limit = attempts.map(\.deadline).min()
                guard let limit, now >= limit else {
                    blockedUntil = [until, limit].compactMap(\.self).min()
                    return
                }
                fail(expireAttempts())
            case .failed(let failure): fail(failure)
            }
        }
    }

    /// Ends the scenario, unless the step stands in a block that is tried again.
    mutating func fail(_ failure: StepFailure) {
        var failure = failure
        if !tryAgain(after: &failure) { finish(failure) }
    }

    private mutating func move(to place: Int) {
        counter = place
        noteLine()
        stepsPlayed += 1
        step = StepState(start: now)
        blockedUntil = nil
    }

    private func fileTimeoutFailure() -> StepFailure {
        let seconds = Double(fileDeadline - startTime) / 1_000_000_000
        return StepFailure(
            code: "run.file-timeout",
            message: "the scenario took longer than \(seconds) s and was ended here",
            notes: [DiagnosticNote(.help, "raise it with timeout file in the header")])
    }

    /// Ends with a failure, or well.
    mutating func finish(_ failure: StepFailure?) {
        for index in operators.indices { shutDown(index) }
        let outcome: ScenarioOutcome.Outcome =
            switch failure?.kind {
            case nil: .passed
            case .failed: .failed
            case .inconclusive: .inconclusive
            }
        let origin = currentOrigin
        var line: Int?
        var diagnostic: Diagnostic?
        if let failure {
            diagnostic = self.diagnostic(failure, origin)
            if let origin = failure.origin ?? origin { line = self.line(of: origin) }
        }
        result = ScenarioOutcome(
            outcome: outcome, diagnostic: diagnostic, line: line, transcript: recorder.entries,
            omittedEntries: recorder.dropped,
            isTimingBased: isTimingBased, duration: now - startTime, stepsPlayed: stepsPlayed)
    }

    /// What is recorded from now on belongs to the step that is under way.
    mutating func noteLine() {
        if let origin = currentOrigin { recorder.line = line(of: origin) }
    }

    /// The line of the scenario that an instruction comes from.
    func line(of origin: Origin) -> Int {
        program.file.source.line(at: (origin.useSite ?? origin.range).start)
    }
}
