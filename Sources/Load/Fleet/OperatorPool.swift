import Diagnostics
import LineProtocol
package import Results

/// The simulated operators of one worker, without sockets or a clock: bytes and times go in, bytes
/// come out.
///
/// The driver takes a due action (``takeDue(at:)``), has the pool write its bytes to ``outgoing``
/// (``perform(_:at:)``) and sends them. It passes received bytes to ``receive(_:_:at:)``. After
/// each call, it carries out ``outputs``.
///
/// The pool is a noncopyable struct because access to a class's stored properties would be checked
/// for exclusivity at run time, about twenty times per line. Its short nonmutating methods are
/// inlined, because the compiler copies a large struct for each call of one.
package struct OperatorPool: ~Copyable {
    let plan: FleetPlan
    /// Values from the plan needed for every line.
    let facts: LineFacts
    var table: RoomTable
    var rooms: Range<Int> { table.rooms }
    package var firstOperator: Int { table.firstOperator }
    var operators: [OperatorState] = []
    var setups: [Int: OperatorSetup] = [:]
    var ledgers: [RoomLedger] = []
    var log = SentMessageLog()
    var latencies = PoolLatencies()
    var counts = FleetCounts()
    var violations = ViolationList()
    var behaviours: BehaviourRecords
    let hasBehaviours: Bool
    /// Timers of reconnecting operators; nil if there are no such operators.
    var reconnectTimers: TimerWheel?
    var dueReconnects: [(index: Int, time: Int64)] = []
    /// Time when each silent operator started to connect, in nanoseconds on the monotonic clock.
    var silentStarts: [Int: Int64] = [:]
    /// The first few reasons why operators did not reach their rooms.
    var setupFailures: [SetupFailure] = []
    /// Reasons the server gave for closing connections.
    var closeReasons: [Int: String] = [:]

    var reader: ArrivalReader
    /// Sampler that checks received lines against the command table.
    var schema: CommandTableSampler
    var framers: FramerPool
    var broadcasts = BroadcastLines()
    var turns: TurnSchedule
    var writer: ActionWriter

    /// Bytes of the most recent action.
    package var outgoing: [UInt8] { writer.bytes }
    /// Actions for the driver to carry out.
    package var outputs: [PoolOutput] = []

    /// Creates the operators of worker number `worker` of `workers`.
    package init(_ plan: FleetPlan, worker: Int = 0, of workers: Int = 1) {
        self.plan = plan
        facts = LineFacts(plan)
        table = RoomTable(plan.layout, worker: worker, of: workers)
        reader = ArrivalReader(plan, facts)
        let dialect = plan.operatorScript.dialect
        schema = CommandTableSampler(dialect, isOn: plan.looksAtSchema)
        framers = FramerPool(dialect)
        turns = TurnSchedule(plan, firstOperator: table.firstOperator, worker: worker)
        writer = ActionWriter(plan)
        behaviours = BehaviourRecords(kinds: plan.kinds.count)
        hasBehaviours = plan.kinds.contains { $0.behaviour != nil }
        for room in table.rooms {
            let members = plan.layout.members(room)
            ledgers.append(RoomLedger(members: members.count))
            for member in members.indices {
                operators.append(
                    OperatorState(
                        room: Int32(room - table.rooms.lowerBound),
                        member: Int32(member - members.lowerBound)))
            }
        }
        if hasBehaviours { assignRoles() }
    }

    package var count: Int { operators.count }

    /// True if no operator is still setting up.
    package var isSetUp: Bool {
        counts.ready + counts.failed == UInt64(operators.count)
    }

    package var progress: PoolProgress {
        PoolProgress(
            ready: counts.ready, failed: counts.failed, sent: counts.sentEver,
            arrived: counts.answered + counts.delivered, violations: violations.total,
            open: log.open, disconnected: counts.disconnected)
    }

    package var violationCounts: [Violation.Kind: UInt64] { violations.counts }

    /// Adds a rate change. Its time is relative to the start of the load test.
    package mutating func changeRate(_ change: RateChange) { turns.change(change) }

    /// Returns the latencies recorded since the last call.
    package mutating func takeInterval() -> [LatencyMetric: LatencyHistogram] {
        latencies.takeInterval()
    }

    package func isReady(_ index: Int) -> Bool { operators[index].phase == .ready }

    /// Keepalive interval of the dialect in nanoseconds; nil if it has none.
    package var keepaliveInterval: Int64? {
        plan.operatorScript.sends[.keepalive] == nil
            ? nil : plan.operatorScript.dialect.timing.keepaliveInterval
    }

    /// Counts a send delayed or dropped because the socket was full.
    package mutating func noteBlocked(isDropped: Bool) {
        counts.blocked += 1
        if isDropped { counts.dropped += 1 }
    }

    /// Ends the load test early. Later arrivals do not count.
    package mutating func end(at time: Int64) { turns.end(at: time) }

    /// True if no message is in flight.
    package var isQuiet: Bool { log.open == 0 }

    @inline(__always)
    func index(room: Int, member: Int) -> Int { table.index(room: room, member: member) }

    // MARK: Setting up

    /// Starts an operator's setup.
    package mutating func begin(_ index: Int, at now: Int64) {
        guard operators[index].phase == .waiting else { return }
        if operators[index].role == .silent {
            operators[index].phase = .setup
            silentStarts[index] = now
            outputs.append(.connect(index))
            return
        }
        startSetup(index, at: now)
    }

    /// Starts a session that logs the operator in and enters its room.
    mutating func startSetup(_ index: Int, at now: Int64) {
        let setup = OperatorSetup(
            plan, operator: firstOperator + index,
            room: rooms.lowerBound + Int(operators[index].room))
        operators[index].phase = .setup
        setups[index] = setup
        carryOut(setup.begin(at: now), index)
    }

    /// Handles an established connection.
    package mutating func connected(_ index: Int, at now: Int64) {
        guard let setup = setups[index] else {
            if let start = silentStarts[index] { keepSilent(index, since: start, at: now) }
            return
        }
        framers.noteConnected(&operators[index].framer)
        note(.connect, now - setup.start, of: index)
        carryOut(setup.connected(at: now), index)
        look(at: setup, index, now)
    }

    /// Handles a failed connection attempt.
    package mutating func connectFailed(_ index: Int, reason: String, isOurs: Bool, at now: Int64) {
        if !operators[index].hasBeenReady {
            counts.unconnected += 1
            if isOurs { counts.unconnectedHere += 1 }
        }
        setups[index]?.connectFailed(reason, at: now)
        fail(index, reason, [], at: now)
    }

    /// Handles a connection closed by the server.
    package mutating func closed(_ index: Int, byReset: Bool, at now: Int64) {
        switch operators[index].phase {
        case .setup:
            guard let setup = setups[index] else { return }
            setup.closed(byReset: byReset, at: now)
            let why =
                closeReasons[index] ?? setup.failureText ?? "the server closed the connection"
            fail(index, why, setup.lastLine, at: now)
        case .ready where operators[index].role == .ordinary: lose(index, at: now)
        case .ready: recordDisconnection(index, byReset: byReset, at: now)
        case .waiting, .failed, .gone, .away: break
        }
        closeReasons[index] = nil
        outputs.append(.close(index))
    }

    /// Describes the end of a connection, with the reason if the server gave one.
    func endOfConnection(_ index: Int, byReset: Bool = false) -> String {
        "the server \(byReset ? "reset" : "closed") the connection to \(name(index))"
            + (closeReasons[index].map { ": \($0)" } ?? "")
    }

    /// Fails operators whose setup has timed out.
    package mutating func wake(at now: Int64) {
        for (index, setup) in setups where (setup.deadline ?? .max) <= now {
            carryOut(setup.wake(at: now), index)
            look(at: setup, index, now)
        }
        if reconnectTimers != nil { departAndReturn(at: now) }
    }

    mutating func take(_ frame: Span<UInt8>, setup index: Int, at now: Int64) {
        guard let setup = setups[index] else { return }
        carryOut(setup.receive(frame, at: now), index)
        look(at: setup, index, now)
    }

    private mutating func carryOut(_ wishes: [OperatorSetup.Wish], _ index: Int) {
        for wish in wishes {
            switch wish {
            case .connect: outputs.append(.connect(index))
            case .send(let bytes):
                schema.noteSetUp(bytes, by: index)
                outputs.append(.send(index, bytes))
            }
        }
    }

    private mutating func look(at setup: OperatorSetup, _ index: Int, _ now: Int64) {
        guard let hasEntered = setup.hasEnteredRoom, operators[index].phase == .setup else {
            return
        }
        guard hasEntered else {
            fail(
                index, setup.failureText ?? "did not enter its room", setup.lastLine,
                at: now)
            outputs.append(.close(index))
            return
        }
        if let connectedAt = setup.connectedAt { note(.login, now - connectedAt, of: index) }
        setups[index] = nil
        getReady(index, at: now)
    }

    /// Handles an operator's successful setup.
    mutating func getReady(_ index: Int, at now: Int64) {
        operators[index].phase = .ready
        if operators[index].hasBeenReady {
            returned(index, at: now)
            return
        }
        operators[index].hasBeenReady = true
        counts.ready += 1
        guard operators[index].role != .ordinary else { return }
        behaviours[operators[index]].ready += 1
        outputs.append(.settle(index))
    }

    /// Records a latency, separately for misbehaving operators.
    private mutating func note(_ metric: LatencyMetric, _ time: Int64, of index: Int) {
        if operators[index].role == .ordinary {
            latencies.record(metric, time)
        } else {
            behaviours[operators[index]].recorder.record(metric, time)
        }
    }

    private mutating func fail(
        _ index: Int, _ story: String, _ line: [UInt8], at now: Int64
    ) {
        setups[index] = nil
        guard operators[index].phase == .setup else { return }
        if operators[index].hasBeenReady {
            returnFailed(index, story, line, at: now)
            return
        }
        operators[index].phase = .failed
        if operators[index].role != .ordinary {
            behaviours[operators[index]].failed += 1
        }
        counts.failed += 1
        let room = Int(operators[index].room)
        ledgers[room].leave(Int(operators[index].member))
        if setupFailures.count < LoadResults.evidenceMax {
            setupFailures.append(SetupFailure(story: "\(name(index)): \(story)", line: line))
        }
    }

    /// Handles a lost connection of an operator that had reached its room.
    private mutating func lose(_ index: Int, at now: Int64) {
        operators[index].phase = .gone
        let (room, member) = (Int(operators[index].room), Int(operators[index].member))
        note(.disconnected) { pool in
            Violation(
                .disconnected, pool.endOfConnection(index), time: pool.sinceStart(now))
        }
        guard !ledgers[room].hasLeft(member) else { return }
        forgetDebts(to: index, at: now)
        ledgers[room].leave(member)
    }

    /// Counts a violation. Its details and line are recorded only for the first few of each kind.
    mutating func note(
        _ kind: Violation.Kind, _ made: (borrowing OperatorPool) -> Violation
    ) {
        guard violations[kind] < UInt64(ViolationList.keptMax) else {
            violations.count(kind, 1)
            return
        }
        let violation = made(self)
        violations.add(kind) { violation }
    }

    func name(_ index: Int) -> String {
        String(decoding: plan.name(firstOperator + index), as: UTF8.self)
    }

    func sinceStart(_ now: Int64) -> Int64 { turns.phases.map { now - $0.start } ?? 0 }
}
