import DialectModel
import Diagnostics
import LineProtocol
import Results
import Scenario

/// The execution of a program, without I/O. Its inputs are bytes and times; its outputs are bytes,
/// a deadline and, at the end, a result.
///
/// Times are in nanoseconds on any monotonic clock. The driver calls ``start(at:)``, then
/// ``receive(_:_:at:)`` or ``handle(_:at:)`` for each event. After each of these calls, it carries
/// out every ``nextAction()``. When ``deadline`` has passed, it calls `handle(.wake)`. The run ends
/// when there is a ``result``.
package struct ScenarioSession {
    let program: Program
    let options: ExecutionOptions
    let operators: [SimulatedOperator]
    var matcher: LineMatcher
    var context: MatchContext
    var standing: [StandingRule]
    /// Instructions whose rules are active. A rule inside a loop is installed only once.
    var installedRules: Set<Int> = []
    var random: SeededRandom
    var recorder: TranscriptRecorder

    /// Index of the current instruction.
    var counter = 0
    var step = StepState(start: 0)
    var loops: [LoopFrame] = []
    var attempts: [AttemptFrame] = []
    var comparisonRounds: [[[ReceivedLine]]]?
    var nextBarrier = 1
    var isTimingBased = false
    var stepsRun = 0

    var startTime: Int64 = 0
    var now: Int64 = 0
    var fileDeadline: Int64 = .max
    var blockedUntil: Int64?
    var actions: [SessionAction] = []
    var nextActionIndex = 0
    /// Line and time of the last send, for labels such as "3.1 ms after the send on line 16"; nil
    /// before the first send.
    var lastSend: (line: Int, time: Int64)?
    /// Waiting times of the expectations met since the last `takeStepTimes()`.
    var stepTimes: [StepTime] = []
    /// Failure of a standing rule; nil if none has failed. It becomes the failure of the current
    /// step when that step ends.
    var standingFailure: StepFailure?
    /// The command of the dialect's probe; nil until its first use.
    var knownProbeVerb: [UInt8]?

    /// Result of the scenario; nil while the scenario is running.
    package private(set) var result: ScenarioOutcome?

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
            secrets: program.dialect.spellings(
                of: options.secrets.compactMap { options.variables[$0] }
                    + program.secrets.values(options.variables, options.environment)),
            literals: program.secrets.literals, program.dialect, limits: options.limits)
        for index in operators.indices {
            if let name = options.loginNames[operators[index].name] {
                operators[index].loginName = name
            }
        }
        recorder.loginNames = Set(operators.map(\.loginName))
        setVariables()
    }

    private mutating func setVariables() {
        for (index, name) in program.variables.enumerated() {
            if let value = options.variables[name] { context.variables[index] = value }
            if name == "nonce" { context.variables[index] = random.word() }
        }
        for setting in program.settings {
            // A `set` line may use only variables that already have a value: predefined ones, those
            // set outside the scenario, and those of earlier `set` lines.
            if let bytes = try? renderer.render(setting.value, setting.range) {
                context.variables[setting.variable] = bytes
            }
        }
    }

    /// A renderer that uses the current values of the variables.
    var renderer: MessageRenderer {
        let operators = operators
        return MessageRenderer(
            program.dialect, variables: context.variables, names: program.variables,
            bools: context.bools, environment: options.environment
        ) { operators[$0].loginName }
    }

    /// Number of bytes of the transcript and of received data that no step has consumed yet.
    package var heldBytes: Int {
        operators.reduce(recorder.byteCount) { sum, op in
            sum + op.framer.heldBytes + op.inbox.byteCount + op.outcome.byteCount
                + op.setAside.reduce(0) { $0 + $1.byteCount }
        }
    }

    /// Latest time to wake the session; nil once it has a result.
    package var deadline: Int64? {
        guard result == nil else { return nil }
        var earliest = min(fileDeadline, blockedUntil ?? .max)
        for op in operators where op.hasOutgoing {
            earliest = min(earliest, op.outgoingTime)
        }
        return earliest
    }

    package mutating func start(at now: Int64) {
        self.now = now
        startTime = now
        recorder.start = now
        noteLine()
        fileDeadline = now + (program.fileTimeout ?? options.fileTimeout)
        step = StepState(start: now)
        advance()
    }

    /// Processes received bytes.
    package mutating func receive(
        _ bytes: Span<UInt8>, _ connection: ConnectionID, at now: Int64
    ) {
        guard result == nil, isCurrent(connection) else { return }
        self.now = now
        take(bytes, connection.operatorIndex)
        advance()
    }

    /// Processes any other event.
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
        case .secured(let connection):
            guard isCurrent(connection) else { return }
            operators[connection.operatorIndex].handshake = .complete
        case .securingFailed(let connection, let reason, let isServersFault):
            guard isCurrent(connection) else { return }
            operators[connection.operatorIndex].handshake = .failed(
                reason: reason, isServersFault: isServersFault)
        case .closing(let connection, let reason):
            guard isCurrent(connection) else { return }
            operators[connection.operatorIndex].closeReason = reason
        case .closed(let connection, let manner):
            guard isCurrent(connection) else { return }
            closedByPeer(connection.operatorIndex, manner)
        case .wake:
            break
        }
        advance()
    }

    /// Stops the scenario because the user interrupted it. Its outcome is then inconclusive, unless
    /// it already has a result.
    package mutating func interrupt(at now: Int64) {
        guard result == nil else { return }
        self.now = now
        let failure = StepFailure(
            kind: .inconclusive, code: "run.interrupted", message: "the run was interrupted")
        finish(failure)
    }

    /// Returns the waiting times of the expectations met since the last call.
    package mutating func takeStepTimes() -> [StepTime] {
        if stepTimes.isEmpty { return [] }
        defer { stepTimes.removeAll(keepingCapacity: true) }
        return stepTimes
    }

    /// Returns the next action; nil if there is currently none.
    package mutating func nextAction() -> SessionAction? {
        guard nextActionIndex < actions.count else {
            actions.removeAll(keepingCapacity: true)
            nextActionIndex = 0
            return nil
        }
        nextActionIndex += 1
        return actions[nextActionIndex - 1]
    }

    private func isCurrent(_ connection: ConnectionID) -> Bool {
        operators.indices.contains(connection.operatorIndex)
            && operators[connection.operatorIndex].generation == connection.generation
            && operators[connection.operatorIndex].connection != .closed
    }

    // MARK: Running

    /// Maximum number of instructions to execute before returning to the driver.
    static var instructionsPerTurnMax: Int { 1_000 }

    /// Executes instructions until one of them has to wait.
    mutating func advance() {
        var executed = 0
        while result == nil {
            drainOutgoing()
            executed += 1
            guard executed <= Self.instructionsPerTurnMax else {
                // Let other connections run, and let the driver check the file's timeout.
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
            case .jump(let index): move(to: index)
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

    /// Ends the scenario with a failure, unless the step is in a block that can be retried.
    mutating func fail(_ failure: StepFailure) {
        var failure = failure
        if !tryAgain(after: &failure) { finish(failure) }
    }

    private mutating func move(to index: Int) {
        counter = index
        noteLine()
        stepsRun += 1
        step = StepState(start: now)
        blockedUntil = nil
    }

    private func fileTimeoutFailure() -> StepFailure {
        let seconds = Double(fileDeadline - startTime) / 1_000_000_000
        return StepFailure(
            code: "run.file-timeout",
            message: "the scenario took longer than its timeout of \(seconds) s",
            notes: [DiagnosticNote(.help, "raise it with `timeout file` in the header")])
    }

    /// Ends the scenario. It passes if `failure` is nil.
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
        var step: Int?
        var diagnostic: Diagnostic?
        if let failure {
            diagnostic = self.diagnostic(failure, origin)
            if let origin = failure.origin ?? origin {
                line = self.line(of: origin)
                step = origin.step
            }
        }
        result = ScenarioOutcome(
            outcome: outcome, diagnostic: diagnostic, line: line, step: step,
            transcript: recorder.entries, focus: failure.map { focus(of: $0) },
            omittedEntries: recorder.dropped,
            isTimingBased: isTimingBased, duration: now - startTime, stepsRun: stepsRun)
    }

    /// Attributes subsequent transcript entries to the current step.
    mutating func noteLine() {
        guard let origin = currentOrigin else { return }
        recorder.line = line(of: origin)
        recorder.included = included(origin)
        recorder.step = origin.step
    }

    /// Returns the location of an instruction in an included file; nil if it is not in an included
    /// file.
    private func included(_ origin: Origin) -> TranscriptEntry.IncludedStep? {
        let path = origin.source.path
        guard origin.useSite != nil,
            program.file.included.contains(where: { $0.source.path == path })
        else { return nil }
        return TranscriptEntry.IncludedStep(
            file: path, line: origin.source.line(at: origin.range.start))
    }

    /// Returns the scenario line that an instruction belongs to.
    func line(of origin: Origin) -> Int {
        program.file.source.line(at: (origin.useSite ?? origin.range).start)
    }
}
