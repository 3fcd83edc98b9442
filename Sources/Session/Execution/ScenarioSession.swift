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
    var traffic: SessionTraffic

    /// Index of the current instruction.
    var counter = 0
    var step = StepState(start: 0)
    var loops: [LoopFrame] = []
    var attempts: [AttemptFrame] = []
    /// The lines of the completed rounds of a comparison; nil outside comparisons.
    var comparisonRounds: [[[ReceivedLine]]]?
    private var stepsRun = 0

    private var startTime: Int64 = 0
    private var fileDeadline: Int64 = .max
    private var blockedUntil: Int64?
    /// Line and time of the last send, for labels such as "3.1 ms after the send on line 16"; nil
    /// before the first send.
    var lastSend: (line: Int, time: Int64)?
    /// Waiting times of the expectations met since the last `takeStepTimes()`.
    var stepTimes: [StepTime] = []

    /// Result of the scenario; nil while the scenario is running.
    package private(set) var result: ScenarioOutcome?

    package init(_ program: Program, options: ExecutionOptions) {
        traffic = SessionTraffic(program, options)
    }

    var program: Program {
        @inline(__always) get { traffic.program }
    }

    var options: ExecutionOptions {
        @inline(__always) get { traffic.options }
    }

    var operators: [SimulatedOperator] { traffic.operators }

    var now: Int64 { traffic.now }

    /// Origin of the current instruction; nil at the end of the program.
    var currentOrigin: Origin? {
        counter < program.instructions.count ? program.instructions[counter].origin : nil
    }

    var failures: FailureExplainer {
        FailureExplainer(
            program: program, limits: options.limits, operators: operators,
            mask: traffic.recorder.mask, entries: traffic.recorder.entries,
            dropped: traffic.recorder.dropped, lastSend: lastSend, origin: currentOrigin)
    }

    /// Number of bytes of the transcript and of received data that no step has consumed yet.
    package var heldBytes: Int { traffic.heldBytes }

    /// Latest time to wake the session; nil once it has a result.
    package var deadline: Int64? {
        guard result == nil else { return nil }
        return min(fileDeadline, blockedUntil ?? .max, traffic.deadline ?? .max)
    }

    package mutating func start(at now: Int64) {
        traffic.now = now
        startTime = now
        traffic.recorder.start = now
        noteLine()
        fileDeadline = now + (program.fileTimeout ?? options.fileTimeout)
        step = StepState(start: now)
        advance()
    }

    /// Processes received bytes.
    package mutating func receive(
        _ bytes: Span<UInt8>, _ connection: ConnectionID, at now: Int64
    ) {
        guard result == nil, traffic.isCurrent(connection) else { return }
        traffic.now = now
        let index = connection.operatorIndex
        operators[index].framer.append(bytes)
        // Process one line at a time, so that each line goes to the step that is active when it
        // arrives, regardless of how the stream was segmented. Lines after a probe's answer must
        // not be treated as if they had arrived before it.
        while result == nil, traffic.isCurrent(connection), traffic.takeLine(index) {
            if operators[index].lines.isFlooded(options.limits) {
                finish(failures.flood(index))
                return
            }
            advance()
        }
        advance()
    }

    /// Processes any other event.
    package mutating func handle(_ event: SessionEvent, at now: Int64) {
        guard result == nil else { return }
        traffic.now = now
        switch event {
        case .connected(let connection):
            guard traffic.isCurrent(connection) else { return }
            traffic.connected(connection.operatorIndex)
            // Connecting does not count towards the step's timeout.
            step.start = now
        case .connectFailed(let connection, let reason):
            guard traffic.isCurrent(connection) else { return }
            operators[connection.operatorIndex].connection = .closed
            fail(failures.noConnection(connection.operatorIndex, reason))
        case .secured(let connection):
            guard traffic.isCurrent(connection) else { return }
            operators[connection.operatorIndex].handshake = .complete
        case .securingFailed(let connection, let reason, let isServersFault):
            guard traffic.isCurrent(connection) else { return }
            operators[connection.operatorIndex].handshake = .failed(
                reason: reason, isServersFault: isServersFault)
        case .closing(let connection, let reason):
            guard traffic.isCurrent(connection) else { return }
            operators[connection.operatorIndex].closeReason = reason
        case .closed(let connection, let manner):
            guard traffic.isCurrent(connection) else { return }
            traffic.closedByPeer(connection.operatorIndex, manner)
        case .wake:
            break
        }
        advance()
    }

    /// Stops the scenario because the user interrupted it. Its outcome is then inconclusive, unless
    /// it already has a result.
    package mutating func interrupt(at now: Int64) {
        guard result == nil else { return }
        traffic.now = now
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
    package mutating func nextAction() -> SessionAction? { traffic.nextAction() }

    // MARK: Running

    /// Maximum number of instructions to execute before returning to the driver.
    static var instructionsPerTurnMax: Int { 1_000 }

    /// Executes instructions until one of them has to wait.
    mutating func advance() {
        var executed = 0
        while result == nil {
            traffic.drainOutgoing()
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
            if let failure = traffic.replyFailure {
                traffic.replyFailure = nil
                fail(failures.reply(failure))
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
                traffic.flushHeld()
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
        for index in operators.indices { traffic.shutDown(index) }
        let outcome: ScenarioOutcome.Outcome =
            switch failure?.kind {
            case nil: .passed
            case .failed: .failed
            case .inconclusive: .inconclusive
            }
        let origin = failure.flatMap { $0.origin ?? currentOrigin }
        result = ScenarioOutcome(
            outcome: outcome, diagnostic: failure.map { failures.diagnostic($0) },
            line: origin.map { program.line(of: $0) }, step: origin?.step,
            transcript: traffic.recorder.entries,
            focus: failure.map { failures.focus(of: $0, operatorsOfStep) },
            omittedEntries: traffic.recorder.dropped, isTimingBased: traffic.isTimingBased,
            duration: now - startTime, stepsRun: stepsRun)
    }

    /// Indices of the operators that the current step waits for or acts on; empty if it has none.
    private var operatorsOfStep: [Int] {
        if !step.open.isEmpty { return Set(step.open.map(\.operatorIndex)).sorted() }
        guard counter < program.instructions.count else { return [] }
        return program.instructions[counter].operation.operatorIndices
    }

    /// Attributes subsequent transcript entries to the current step.
    mutating func noteLine() {
        if let origin = currentOrigin { traffic.recorder.setStep(origin, in: program) }
    }
}
