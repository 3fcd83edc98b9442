import Diagnostics
import LineProtocol
import Results
import Scenario
import Session

/// A set of operators that runs one scenario repeatedly. Each run is a new session with new
/// connections and names. Times are in nanoseconds on the monotonic clock.
final class VirtualUser {
    let script: Int
    /// Index of the virtual user's first connection in the pool.
    let firstSlot: Int
    var session: ScenarioSession?
    /// Due time of the current run.
    var intended: Int64 = 0
    var started: Int64 = 0
    /// Time when the virtual user became idle.
    var freeSince: Int64 = 0
    /// The virtual user's next deadline. Entries in the pool's heap with a different time are
    /// stale.
    var alarm = Int64.max

    init(script: Int, firstSlot: Int) {
        self.script = script
        self.firstSlot = firstSlot
    }
}

/// The virtual users of one worker, without sockets or a clock; the counterpart of
/// ``OperatorPool``.
final class ScenarioPool {
    /// An action for the driver to carry out. A slot is a connection.
    enum Output: Equatable, Sendable {
        case connect(Int)
        case send(Int, [UInt8])
        case halfClose(Int)
        /// Closes the connection gracefully, draining remaining data.
        case leave(Int)
        case reset(Int)
    }

    let scripts: [ScenarioScript]
    let plan: FleetPlan
    private(set) var groups: [VirtualUser] = []
    /// Index of each connection's virtual user.
    private(set) var owners: [Int] = []
    /// Generation number of each connection's session.
    private var generations: [Int] = []
    private var connectStarts: [Int: Int64] = [:]
    var outputs: [Output] = []

    var phases: Phases?
    var schedules: [ArrivalSchedule?] = []
    /// Each script's idle virtual users, longest idle first.
    var free: [[Int]] = []
    var freeStarts: [Int] = []
    var alarms = AlarmHeap()
    var random: SeededRandom
    /// Number of the next run. Numbers are unique across workers.
    private var nextRun: UInt32
    private let runStep: UInt32

    var tallies: [ScenarioTally]
    var counts = FleetCounts()
    var violations = ViolationList()
    var recorder = LatencyRecorder()
    var lateness = LatencyHistogram()
    var active = 0
    /// Tally of received lines checked against the command table; nil if lines are not checked.
    var schema: CommandTableTally?
    /// Number of expectations met.
    var met: UInt64 = 0

    init(_ plan: FleetPlan, worker: Int = 0, of workers: Int = 1) {
        self.plan = plan
        scripts = plan.scripts
        if plan.looksAtSchema, !plan.scripts.isEmpty {
            schema = CommandTableTally(plan.operatorScript.dialect)
        }
        tallies = plan.scripts.map { _ in ScenarioTally() }
        random = SeededRandom(seed: plan.seed, part: "scenarios of worker \(worker)")
        nextRun = plan.run &* 7_919 &+ UInt32(worker)
        runStep = UInt32(workers)
        for (script, each) in plan.scripts.enumerated() {
            free.append([])
            freeStarts.append(0)
            for group in 0..<each.groups where group % workers == worker {
                free[script].append(groups.count)
                groups.append(VirtualUser(script: script, firstSlot: owners.count))
                for _ in 0..<each.groupSize { owners.append(groups.count - 1) }
            }
        }
        generations = [Int](repeating: 0, count: owners.count)
    }

    /// Maximum number of concurrent connections.
    var slotCount: Int { owners.count }

    /// True if no run is in progress.
    var isQuiet: Bool { active == 0 }

    // MARK: Scheduling

    func start(_ phases: Phases, share: LoadShare) {
        self.phases = phases
        switch plan.model {
        case .open(let stages, let pace):
            schedules = scripts.enumerated().map { index, script in
                let scaled = stages.map { $0.scaled(by: script.share) }
                let warmup = RateStage(
                    duration: phases.measureStart - phases.start,
                    rate: scaled.first?.startRate ?? 0)
                return ArrivalSchedule(
                    warmup.duration > 0 ? [warmup] + scaled : scaled, pace: pace,
                    batchInterval: plan.batchInterval, share: share,
                    seed: plan.seed &+ UInt64(index) &+ 1)
            }
        case .closed(let think):
            schedules = scripts.map { _ in nil }
            for (index, group) in groups.enumerated() {
                let first = Int64(random.nextFraction() * 100_000_000)
                let time = (scripts[group.script].think ?? think).draw(&random)
                setAlarm(index, phases.start + first + time)
            }
        }
    }

    /// The next deadline, in nanoseconds on the monotonic clock; nil if there is nothing to do
    /// until data arrives.
    var nextTime: Int64? {
        var time = alarms.first?.time
        guard let phases else { return time }
        for script in scripts.indices where freeStarts[script] < free[script].count {
            if let next = schedules[script]?.next {
                time = min(time ?? .max, next + phases.start)
            }
        }
        return time
    }

    func wake(at now: Int64) {
        while let alarm = alarms.first, alarm.time <= now {
            alarms.removeFirst()
            let group = groups[alarm.group]
            guard group.alarm == alarm.time else { continue }
            group.alarm = .max
            if group.session == nil {
                begin(alarm.group, intended: alarm.time, at: now)
            } else if let deadline = group.session?.deadline {
                if deadline <= now { group.session?.handle(.wake, at: now) }
                settle(alarm.group, at: now)
            }
        }
        for script in schedules.indices { takeArrivals(script, at: now) }
    }

    private func takeArrivals(_ script: Int, at now: Int64) {
        guard let phases else { return }
        while let next = schedules[script]?.next, next + phases.start <= now {
            let intended = next + phases.start
            guard intended < phases.end else {
                schedules[script] = nil
                return
            }
            // The arrival waits for a free virtual user, but its latency counts from the due time.
            guard let group = takeFree(script) else { return }
            schedules[script]?.advance()
            begin(group, intended: intended, at: now)
        }
    }

    private func takeFree(_ script: Int) -> Int? {
        let start = freeStarts[script]
        guard start < free[script].count else { return nil }
        freeStarts[script] += 1
        let group = free[script][start]
        if freeStarts[script] > 1_024 {
            free[script].removeFirst(freeStarts[script])
            freeStarts[script] = 0
        }
        return group
    }

    /// Ends the load test early. Arrivals that have not started do not count.
    func end(at time: Int64) {
        phases?.end = time
        for script in schedules.indices { schedules[script] = nil }
    }

    func changeRate(_ change: RateChange) {
        for script in schedules.indices { schedules[script]?.change(change) }
    }

    /// Counts arrivals that never started.
    func countUnsent() {
        guard let phases else { return }
        for script in schedules.indices {
            while let next = schedules[script]?.next, next + phases.start < phases.end {
                if phases.isMeasured(next + phases.start) { counts.unsent += 1 }
                schedules[script]?.advance()
            }
        }
    }

    func setAlarm(_ group: Int, _ time: Int64) {
        guard time < groups[group].alarm else { return }
        groups[group].alarm = time
        alarms.insert(time, group)
    }

    // MARK: Runs

    func begin(_ index: Int, intended: Int64, at now: Int64) {
        if let phases, intended >= phases.end { return }
        let group = groups[index]
        let script = scripts[group.script]
        group.intended = intended
        group.started = now
        active += 1
        tallies[group.script].started += 1
        noteStart(group, at: now)
        let runNumber = nextRun % NameRewrite.runsMax
        nextRun &+= runStep
        var limits = SessionLimits()
        limits.transcriptEntriesMax = Self.transcriptEntriesMax
        limits.transcriptBytesMax = Self.transcriptBytesMax
        var options = ExecutionOptions(
            variables: script.variables.merging(script.program.values(runNumber)) { given, _ in
                given
            },
            secrets: script.secrets, environment: script.environment,
            seed: SeededRandom.mixed(plan.seed &+ UInt64(runNumber) << 20),
            fileTimeout: Self.fileTimeout, limits: limits)
        options.recordsStepTimes = true
        group.session = ScenarioSession(script.program.program, options: options)
        group.session?.start(at: now)
        settle(index, at: now)
    }

    /// Default run timeout in nanoseconds, for scenarios without one.
    static let fileTimeout: Int64 = 60_000_000_000
    /// Limits on the transcript kept for failure reports.
    static let transcriptEntriesMax = 64
    static let transcriptBytesMax = 64 << 10

    private func noteStart(_ group: VirtualUser, at now: Int64) {
        counts.sentEver += 1
        if now - group.intended > DueAction.lateNanoseconds, group.freeSince > group.intended {
            tallies[group.script].waited += 1
        }
        guard phases?.isMeasured(group.intended) == true else { return }
        counts.sent += 1
        // Time spent waiting for a free virtual user is not the generator's fault.
        let late = now - max(group.intended, group.freeSince)
        lateness.record(late)
        if late > DueAction.lateNanoseconds { counts.late += 1 }
    }

    /// Carries out the session's actions and finishes the run if it is over.
    func settle(_ index: Int, at now: Int64) {
        let group = groups[index]
        while let action = group.session?.nextAction() { carryOut(action, group, at: now) }
        record(group, index)
        if let result = group.session?.result {
            group.session = nil
            finish(group, index, result, at: now)
        } else if let deadline = group.session?.deadline {
            setAlarm(index, max(deadline, now + Self.alarmTick))
        }
    }

    /// Minimum interval between alarms, in nanoseconds.
    static let alarmTick: Int64 = 100_000

    private func carryOut(_ action: SessionAction, _ group: VirtualUser, at now: Int64) {
        switch action {
        case .connect(let id):
            let slot = group.firstSlot + id.operatorIndex
            generations[slot] = id.generation
            connectStarts[slot] = now
            outputs.append(.connect(slot))
        case .send(let id, let bytes):
            guard let slot = slot(id, group) else { return }
            counts.bytesSent += UInt64(bytes.count)
            outputs.append(.send(slot, bytes))
        case .halfClose(let id):
            if let slot = slot(id, group) { outputs.append(.halfClose(slot)) }
        case .close(let id):
            if let slot = slot(id, group) { outputs.append(.leave(slot)) }
        case .abort(let id):
            if let slot = slot(id, group) { outputs.append(.reset(slot)) }
        // The worker always reads from all of its connections, and scenarios that start TLS are
        // rejected before the load test starts.
        case .setReading, .hold, .release, .startTLS: break
        }
    }

    private func slot(_ id: ConnectionID, _ group: VirtualUser) -> Int? {
        let slot = group.firstSlot + id.operatorIndex
        return generations[slot] == id.generation ? slot : nil
    }

    private func connection(_ slot: Int) -> ConnectionID {
        ConnectionID(
            operatorIndex: slot - groups[owners[slot]].firstSlot, generation: generations[slot])
    }

    // MARK: Connection events

    func connected(_ slot: Int, at now: Int64) {
        if let start = connectStarts.removeValue(forKey: slot) {
            recorder.record(.connect, now - start)
        }
        groups[owners[slot]].session?.handle(.connected(connection(slot)), at: now)
        settle(owners[slot], at: now)
    }

    func connectFailed(_ slot: Int, reason: String, at now: Int64) {
        connectStarts[slot] = nil
        groups[owners[slot]].session?.handle(
            .connectFailed(connection(slot), reason: reason), at: now)
        settle(owners[slot], at: now)
    }

    func closed(_ slot: Int, byReset: Bool, at now: Int64) {
        groups[owners[slot]].session?.handle(
            .closed(connection(slot), byReset ? .reset : .fin), at: now)
        settle(owners[slot], at: now)
    }

    func receive(_ bytes: Span<UInt8>, _ slot: Int, at now: Int64) {
        counts.bytesReceived += UInt64(bytes.count)
        groups[owners[slot]].session?.receive(bytes, connection(slot), at: now)
        settle(owners[slot], at: now)
    }
}

/// A min-heap of deadlines.
struct AlarmHeap {
    private var entries: [(time: Int64, group: Int)] = []

    var first: (time: Int64, group: Int)? { entries.first }

    mutating func insert(_ time: Int64, _ group: Int) {
        entries.append((time, group))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].time < entries[parent].time else { return }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && entries[child].time < entries[smallest].time {
                smallest = child
            }
            guard smallest != parent else { return }
            entries.swapAt(smallest, parent)
            parent = smallest
        }
    }
}
