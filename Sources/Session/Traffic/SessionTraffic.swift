import DialectModel
import LineProtocol
import Results
import Scenario

/// The connections of a scenario's operators. Queues the lines to send, assigns each received line
/// to a probe, a standing rule or an operator's inbox, and records the transcript.
struct SessionTraffic {
    let options: ExecutionOptions
    let operators: [SimulatedOperator]
    var bindings: Bindings
    var random: SeededRandom
    var recorder: TranscriptRecorder
    var now: Int64 = 0

    /// True if the probe's answer, or a wait without one, was decided by a timeout.
    var isTimingBased = false
    /// The reply of a standing rule that could not be sent; nil if there is none.
    var replyFailure: ReplyFailure?

    var standing: [StandingRule]
    /// Instructions whose rules are active. A rule inside a loop is installed only once.
    private var installedRules: Set<Int> = []
    private var actions: [SessionAction] = []
    private var nextActionIndex = 0
    var nextProbeID = 1
    /// The command of the dialect's probe; nil until its first use.
    var knownProbeVerb: [UInt8]?

    init(_ program: Program, _ options: ExecutionOptions) {
        self.options = options
        standing = program.standing
        random = SeededRandom(seed: options.seed)
        bindings = Bindings(program, options, random: &random)
        operators = program.operators.map {
            SimulatedOperator(
                name: $0, framer: LineFramer(program.dialect, direction: .fromServer))
        }
        recorder = TranscriptRecorder(
            secrets: program.dialect.spellings(
                of: options.secrets.compactMap { options.variables[$0] }
                    + program.secrets.values(options.variables, options.environment)),
            literals: program.secrets.literals, program.secretArguments, limits: options.limits)
        recorder.loginNames = Set(bindings.loginNames)
    }

    var program: Program {
        @inline(__always) get { bindings.program }
    }

    /// Number of bytes of the transcript and of received data that no step has consumed yet.
    var heldBytes: Int {
        operators.reduce(recorder.byteCount) { sum, op in
            sum + op.framer.heldBytes + op.lines.byteCount
        }
    }

    /// Time when the next queued action is due; nil if none is queued.
    var deadline: Int64? {
        operators.lazy.filter { !$0.outgoing.isEmpty }.map(\.outgoing.dueTime).min()
    }

    func connection(_ index: Int) -> ConnectionID {
        ConnectionID(operatorIndex: index, generation: operators[index].generation)
    }

    /// Returns true if the connection is the operator's current one and has not been closed.
    func isCurrent(_ connection: ConnectionID) -> Bool {
        operators.indices.contains(connection.operatorIndex)
            && operators[connection.operatorIndex].generation == connection.generation
            && operators[connection.operatorIndex].connection != .closed
    }

    mutating func setLoginName(_ name: [UInt8], of index: Int) {
        bindings.loginNames[index] = name
        recorder.loginNames.insert(name)
    }

    /// Activates a standing rule. If it is an `ignore` rule, also removes matching lines that were
    /// received but not consumed by any step.
    mutating func install(_ rule: StandingRule, instruction: Int) {
        guard installedRules.insert(instruction).inserted else { return }
        standing.append(rule)
        guard rule.reply == nil else { return }
        for (index, op) in operators.enumerated()
        where rule.operatorIndex == nil || rule.operatorIndex == index {
            op.lines.keep { bindings.mismatch(rule.pattern, $0) != nil }
        }
    }

    // MARK: Actions

    /// Returns the next action for the driver; nil if there is currently none.
    mutating func nextAction() -> SessionAction? {
        guard nextActionIndex < actions.count else {
            actions.removeAll(keepingCapacity: true)
            nextActionIndex = 0
            return nil
        }
        nextActionIndex += 1
        return actions[nextActionIndex - 1]
    }

    /// Queues an action after the operator's other output.
    mutating func enqueue(_ action: SessionAction, pause: Int64 = 0, _ index: Int) {
        operators[index].outgoing.append(action, pause: pause, at: now)
    }

    /// Emits the queued actions that are due.
    mutating func drainOutgoing() {
        for op in operators {
            while let action = op.outgoing.takeNext(at: now) { actions.append(action) }
        }
    }

    // MARK: Connections

    mutating func open(_ index: Int) {
        let op = operators[index]
        if case .closedByPeer = op.connection { actions.append(.close(connection(index))) }
        op.generation += 1
        op.connection = .connecting(since: now)
        op.isHalfClosed = false
        op.framer = LineFramer(program.dialect, direction: .fromServer)
        op.framer.noteConnected()
        op.forgetConnection()
        op.sent = nil
        actions.append(.connect(connection(index)))
    }

    mutating func connected(_ index: Int) {
        operators[index].connection = .open
        recorder.record(.connected, operators[index].name, at: now)
    }

    /// Sends the bytes held back, then closes the sending direction and keeps reading.
    mutating func halfClose(_ index: Int) {
        end(index, with: .halfClose(connection(index)))
        operators[index].isHalfClosed = true
    }

    /// Sends the bytes held back, then closes the connection.
    mutating func close(_ index: Int) {
        end(index, with: .close(connection(index)))
        noteClosed(index)
    }

    /// Sends the bytes held back, then resets the connection.
    mutating func abort(_ index: Int) {
        flushHeld(index)
        enqueue(.abort(connection(index)), index)
        noteClosed(index)
        drainOutgoing()
    }

    private mutating func end(_ index: Int, with action: SessionAction) {
        let bytes = operators[index].held
        operators[index].held = []
        if !bytes.isEmpty, options.segmentation == .finWithData {
            enqueue(.hold(connection(index)), index)
            enqueue(.send(connection(index), bytes), index)
            enqueue(action, index)
            enqueue(.release(connection(index)), index)
        } else {
            if !bytes.isEmpty { enqueue(.send(connection(index), bytes), index) }
            enqueue(action, index)
        }
        drainOutgoing()
    }

    private mutating func noteClosed(_ index: Int) {
        let op = operators[index]
        op.connection = .closed
        // Lines from the next connection cannot answer probes sent on this one.
        op.barriers = BarrierQueue()
        recorder.record(.closed, op.name, at: now)
    }

    /// Closes an operator's connection without sending anything more, at the end of the scenario or
    /// before a block is retried.
    mutating func shutDown(_ index: Int) {
        let op = operators[index]
        switch op.connection {
        case .open, .connecting, .closedByPeer:
            actions.append(.close(connection(index)))
        case .none, .closed:
            break
        }
        op.connection = .closed
    }

    /// Closes an operator's connection and forgets it, as if the operator had never connected.
    mutating func reset(_ index: Int) {
        shutDown(index)
        let op = operators[index]
        op.connection = .none
        op.generation += 1
        op.held = []
        op.outgoing.removeAll()
        op.forgetConnection()
    }
}
