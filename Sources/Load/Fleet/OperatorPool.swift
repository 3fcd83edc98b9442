import Diagnostics
import LineProtocol
package import Results

/// The operators of one worker, without sockets and clock: bytes and times go in, bytes come out.
///
/// The driver takes what is due (``takeDue(at:)``), has it written into ``outgoing`` (``perform(_:at:)``) and
/// sends that; what arrives goes into ``receive(_:_:at:)``; after each call it carries out ``outputs``.
///
/// It is a value that is never copied: of a class's parts each access would be checked at run time, some
/// twenty for a line.
package struct OperatorPool: ~Copyable {
    let plan: FleetPlan
    /// Of the plan, what every line that arrives asks for.
    let facts: LineFacts
    /// The worker's rooms, and the number of its first operator.
    let rooms: Range<Int>
    package let firstOperator: Int
    var operators: [OperatorState] = []
    var setups: [Int: OperatorSetup] = [:]
    var ledgers: [RoomLedger] = []
    var log = MessageLog()
    var recorder = LatencyRecorder()
    /// What goes into ``recorder`` every second.
    var probeTimes = LatencyAccumulator()
    var relayTimes = LatencyAccumulator()
    var sayTimes = LatencyAccumulator()
    var lateness = LatencyHistogram()
    var counts = FleetCounts()
    var violations = ViolationList()
    /// What became of personas, by the number of their kind.
    var tallies: [PersonaTally] = []
    let hasPersonas: Bool
    /// Whom each operator relays to, where that is not simply the next member.
    var partners: [Int32] = []
    /// When those who come and go do so next, and the ones whose time has come.
    var comings: TimerWheel?
    var dueComings: [(index: Int, time: Int64)] = []
    /// When those who never log in began to connect.
    var silentStarts: [Int: Int64] = [:]
    /// The last lines that personas got and that mean nothing to the load.
    var lastWords: [Int: [UInt8]] = [:]
    /// What kept operators from getting into their rooms: the first few reasons.
    var setupFailures: [SetupFailure] = []

    var reader: RuleMatcher
    /// X: lines against the command table.
    var schema: CommandTableSampler
    var familiar: LineTemplateCache
    /// What is sent, by the number of the action.
    let templates: [SendTemplate]
    /// One that is at work is not there: no part of this value, so that its bytes can be looked at where they are.
    var framers: [LineFramer?] = []
    var freeFramers: [Int32] = []
    /// The place of each room's first member.
    private var roomStarts: [Int] = []

    var phases: Phases?
    var schedule: ArrivalSchedule?
    var wheel: TimerWheel?
    /// Whose time has come, first come first served, and who of them is next.
    var dueThinkers: [(index: Int, time: Int64)] = []
    var nextThinker = 0
    /// Who may be given an arrival, in an order that goes through all rooms.
    var ready: [Int32] = []
    var nextReady = 0
    var random: SeededRandom

    /// What is to be sent for the action that was performed last.
    package internal(set) var outgoing: [UInt8] = []
    /// What else is to be done.
    package var outputs: [Output] = []

    /// What the driver has to do.
    package enum Output: Equatable, Sendable {
        case connect(Int)
        case send(Int, [UInt8])
        case close(Int)
        /// A persona is where it should be; from now on it behaves as it does.
        case settle(Int)
        /// Leaves in order: what still arrives is read and dropped. With `true` it ends its direction.
        case leave(Int, Bool)
        /// Leaves by a reset.
        case reset(Int)
    }

    /// Why an operator did not get into its room.
    package struct SetupFailure: Sendable, Equatable, Codable {
        package var story: String
        package var line: [UInt8]
    }

    /// The operators of one of several workers.
    package init(_ plan: FleetPlan, worker: Int = 0, of workers: Int = 1) {
        self.plan = plan
        facts = LineFacts(plan)
        rooms = plan.layout.rooms(worker: worker, of: workers)
        firstOperator = rooms.isEmpty ? 0 : plan.layout.members(rooms.lowerBound).lowerBound
        reader = RuleMatcher(plan.playbook)
        schema = CommandTableSampler(plan.playbook.dialect, isOn: plan.looksAtSchema)
        familiar = LineTemplateCache(textBytes: plan.playbook.widths.text)
        templates = LoadAction.allCases.map { plan.playbook.sends[$0] ?? SendTemplate() }
        random = SeededRandom(seed: plan.seed, stream: UInt64(worker) + 1)
        hasPersonas = plan.kinds.contains { $0.persona != nil }
        for room in rooms {
            let members = plan.layout.members(room)
            roomStarts.append(members.lowerBound - firstOperator)
            ledgers.append(RoomLedger(members: members.count))
            for member in members.indices {
                operators.append(
                    OperatorState(
                        room: Int32(room - rooms.lowerBound),
                        member: Int32(member - members.lowerBound)))
            }
        }
        if hasPersonas { assignRoles() }
    }

    /// How many operators there are.
    package var count: Int { operators.count }

    /// How many still want to get into their rooms.
    package var isSetUp: Bool {
        counts.ready + counts.failed == UInt64(operators.count)
    }

    /// Counters for those who watch.
    package struct Progress: Sendable {
        package var ready: UInt64
        package var failed: UInt64
        package var sent: UInt64
        package var arrived: UInt64
        package var violations: UInt64
        package var open: Int
        package var cut: UInt64
    }

    package var progress: Progress {
        Progress(
            ready: counts.ready, failed: counts.failed, sent: counts.sentEver,
            arrived: counts.answered + counts.delivered, violations: violations.total,
            open: log.open, cut: counts.cut)
    }

    /// How many violations of each kind there are.
    package var violationCounts: [Violation.Kind: UInt64] { violations.counts }

    /// From a time on, counted from the start, the rate is another one.
    package mutating func changeRate(_ change: RateChange) { schedule?.change(change) }

    /// The latencies since the last call.
    package mutating func takeInterval() -> [Measure: LatencyHistogram] {
        settleTimes()
        return recorder.takeInterval()
    }

    mutating func settleTimes() {
        probeTimes.settle(.probe, into: &recorder)
        relayTimes.settle(.relay, into: &recorder)
        sayTimes.settle(.say, into: &recorder)
    }

    /// Whether the operator is in its room.
    package func isReady(_ index: Int) -> Bool { operators[index].phase == .ready }

    /// How often an operator has to keep its session alive; nil if it need not.
    package var keepaliveInterval: Int64? {
        plan.playbook.sends[.keepalive] == nil
            ? nil : plan.playbook.dialect.timing.keepaliveInterval
    }

    /// A full socket holds a send up, or it is dropped.
    package mutating func noteBlocked(isDropped: Bool) {
        counts.blocked += 1
        if isDropped { counts.dropped += 1 }
    }

    /// The load ends early: what was intended for later is no part of it.
    package mutating func end(at time: Int64) {
        phases?.end = time
        schedule = nil
        wheel = nil
        dueThinkers = []
        nextThinker = 0
    }

    /// Whether nothing is under way.
    package var isQuiet: Bool { log.open == 0 }

    /// The operator with the n-th place in a room; nil if the room is too small.
    func index(room: Int, member: Int) -> Int { roomStarts[room] + member }

    // MARK: Setting up

    /// An operator sets out for its room.
    package mutating func begin(_ index: Int, at now: Int64) {
        guard operators[index].phase == .waiting else { return }
        if operators[index].role == .silent {
            operators[index].phase = .setup
            silentStarts[index] = now
            outputs.append(.connect(index))
            return
        }
        setOut(index, at: now)
    }

    /// A session of its own brings the operator into its room.
    mutating func setOut(_ index: Int, at now: Int64) {
        let setup = OperatorSetup(
            plan, operator: firstOperator + index,
            room: rooms.lowerBound + Int(operators[index].room))
        operators[index].phase = .setup
        setups[index] = setup
        carryOut(setup.begin(at: now), index)
    }

    /// The connection stands.
    package mutating func connected(_ index: Int, at now: Int64) {
        guard let setup = setups[index] else {
            if let start = silentStarts[index] { keepSilent(index, since: start, at: now) }
            return
        }
        note(.connect, now - setup.start, of: index)
        carryOut(setup.connected(at: now), index)
        look(at: setup, index, now)
    }

    /// No connection was made.
    package mutating func connectFailed(_ index: Int, reason: String, isOurs: Bool, at now: Int64) {
        if !operators[index].hasBeenReady {
            counts.unconnected += 1
            if isOurs { counts.unconnectedHere += 1 }
        }
        setups[index]?.connectFailed(reason, at: now)
        fail(index, reason, [], at: now)
    }

    /// The server has closed the connection.
    package mutating func closed(_ index: Int, byReset: Bool, at now: Int64) {
        switch operators[index].phase {
        case .setup:
            guard let setup = setups[index] else { return }
            setup.closed(byReset: byReset, at: now)
            let why = setup.failure?.message ?? "the server closed the connection"
            fail(index, why, setup.lastLine, at: now)
        case .ready where operators[index].role == .ordinary: lose(index, at: now)
        case .ready: cut(index, byReset: byReset, at: now)
        case .waiting, .failed, .gone, .away: break
        }
        outputs.append(.close(index))
    }

    /// Looks after those on their way whose time is over.
    package mutating func wake(at now: Int64) {
        for (index, setup) in setups where (setup.deadline ?? .max) <= now {
            carryOut(setup.wake(at: now), index)
            look(at: setup, index, now)
        }
        if comings != nil { comeAndGo(at: now) }
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
        guard let isThere = setup.isThere, operators[index].phase == .setup else { return }
        guard isThere else {
            fail(
                index, setup.failure?.message ?? "it was not let in", setup.lastLine, at: now)
            outputs.append(.close(index))
            return
        }
        if let connectedAt = setup.connectedAt { note(.login, now - connectedAt, of: index) }
        setups[index] = nil
        getReady(index, at: now)
    }

    /// The operator is where it should be.
    mutating func getReady(_ index: Int, at now: Int64) {
        operators[index].phase = .ready
        if operators[index].hasBeenReady {
            comeBack(index, at: now)
            return
        }
        operators[index].hasBeenReady = true
        counts.ready += 1
        guard operators[index].role != .ordinary else { return }
        tallies[Int(operators[index].kind)].ready += 1
        outputs.append(.settle(index))
    }

    /// Times of personas are kept apart.
    private mutating func note(_ measure: Measure, _ time: Int64, of index: Int) {
        if operators[index].role == .ordinary {
            recorder.record(measure, time)
        } else {
            tallies[Int(operators[index].kind)].recorder.record(measure, time)
        }
    }

    private mutating func fail(
        _ index: Int, _ story: String, _ line: [UInt8], at now: Int64
    ) {
        setups[index] = nil
        guard operators[index].phase == .setup else { return }
        if operators[index].hasBeenReady {
            stayAway(index, story, line, at: now)
            return
        }
        operators[index].phase = .failed
        if operators[index].role != .ordinary {
            tallies[Int(operators[index].kind)].failed += 1
        }
        counts.failed += 1
        let room = Int(operators[index].room)
        ledgers[room].leave(Int(operators[index].member))
        if setupFailures.count < LoadResults.evidenceMax {
            let name = String(decoding: plan.name(firstOperator + index), as: UTF8.self)
            setupFailures.append(SetupFailure(story: "\(name): \(story)", line: line))
        }
    }

    /// An operator that was in its room has lost its connection.
    private mutating func lose(_ index: Int, at now: Int64) {
        operators[index].phase = .gone
        let (room, member) = (Int(operators[index].room), Int(operators[index].member))
        note(.disconnected) { core in
            Violation(
                .disconnected, "the server closed the connection of \(core.name(index))",
                time: core.sinceStart(now))
        }
        guard !ledgers[room].hasLeft(member) else { return }
        forgetDebts(to: index, at: now)
        ledgers[room].leave(member)
    }

    /// Counts a violation. Only the first of each kind are made and kept: where there are many, to copy the
    /// line of each would cost.
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

    func sinceStart(_ now: Int64) -> Int64 { phases.map { now - $0.start } ?? 0 }
}
