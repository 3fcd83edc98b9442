import CEpoll
import Glibc
import LineProtocol
import Results

/// A generator thread with its own sockets. It waits for events, passes received bytes to the
/// operators, and carries out their outputs.
struct LoadWorker: ~Copyable {
    /// Maximum bytes queued for a socket that is full. Further sends are dropped.
    static let pendingBytesMax = 1 << 20
    /// Maximum time to wait for events, so that the start and stop requests take effect promptly.
    static let waitNanosecondsMax: Int64 = 10_000_000
    /// Maximum number of sends before received data is handled. It equals the maximum number of sockets
    /// read per turn, so that operators that send once they have an answer do not queue up.
    static let sendsPerTurnMax = Int(LJ_READY_MAX)
    /// Maximum number of reads before their results are handled, and of actions prepared before they
    /// are sent.
    static let groupMax = 64
    /// Interval in nanoseconds between setup checks, and between reports to the monitor.
    static let lookInterval: Int64 = 100_000_000

    var pool: OperatorPool
    let options: FleetOptions
    let address: SocketAddress
    /// Event-loop connections; nil if raw sockets are used.
    let eventLoops: EventLoopConnections?
    /// Scenario runs; nil if the worker runs none. Their sockets follow those of the pool's
    /// operators.
    let scenarioPool: ScenarioPool?
    let monitor: LoadMonitor
    let worker: Int
    let set: Int32

    /// Each operator's socket; -1 if it has none.
    var sockets: [Int32]
    /// Event-loop connections, if they are used. In that case, ``sockets`` only records which of
    /// them exist.
    var loopConnections: [EventLoopConnection?] = []
    /// Bytes queued until the socket accepts more.
    var pending: [Int: [UInt8]] = [:]
    /// Connections on which sending has failed because of a reset.
    var resets: Set<Int> = []
    /// Start times of connection attempts in progress.
    var connecting: [Int: Int64] = [:]
    /// Number of connection attempts in progress that are slow.
    var stuckConnects = 0
    var retries: [Int: Int] = [:]
    var window = ConnectWindow()
    var nextToBegin = 0
    var waitingToConnect: [Int] = []
    var setupStart: Int64 = 0
    var connectedCount = 0
    var looked: Int64 = 0
    var refusals = 0

    var phases: Phases?
    var processorStart: Int64 = 0
    var processorEnd: Int64 = 0
    /// Number of rate changes already passed to the schedules.
    var changesMade = 0
    var currentSecond = -1
    var reportedSent: UInt64 = 0
    var reportedArrived: UInt64 = 0
    var reportedViolations: UInt64 = 0
    /// Number of examples of violations already passed to the monitor.
    var reportedEvidence = 0
    var keepaliveNext = 0
    var keepaliveStart: Int64 = 0
    var keepalivesDone = 0
    var input = ReadBuffer()
    /// Reads whose results have not been handled.
    var reads: [SocketRead] = []
    var ready = [lj_ready](repeating: lj_ready(), count: Int(LJ_READY_MAX))
    /// Due actions that have been prepared but not sent, and their bytes.
    var prepared: [PreparedAction] = []
    var output: [UInt8] = []
    var spare: [PoolOutput] = []
    /// Rate-limited operators.
    var paced: [PacedOperator] = []
    /// Sockets being closed, each with the time when its draining ends.
    var lingering: [Int32: Int64] = [:]

    init(
        _ plan: FleetPlan, _ options: FleetOptions, _ address: SocketAddress,
        _ monitor: LoadMonitor,
        worker: Int, eventLoops: EventLoopConnections? = nil
    ) {
        let share = options.share.part(worker, of: options.workers)
        pool = OperatorPool(plan, worker: share.index, of: share.count)
        self.options = options
        self.address = address
        self.monitor = monitor
        self.worker = worker
        self.eventLoops = eventLoops
        scenarioPool =
            plan.scripts.isEmpty
            ? nil : ScenarioPool(plan, worker: share.index, of: share.count)
        let count = pool.count + (scenarioPool?.slotCount ?? 0)
        sockets = [Int32](repeating: -1, count: count)
        if eventLoops != nil {
            loopConnections = [EventLoopConnection?](repeating: nil, count: count)
        }
        set = lj_poll_create()
    }

    deinit { if set >= 0 { close(set) } }

    /// Runs the whole load test on the calling thread.
    mutating func run() -> WorkerReport {
        lj_exact_waits()
        setupStart = lj_now()
        keepaliveStart = setupStart
        reportSnapshot(at: setupStart)
        while !pool.isSetUp, !monitor.isStopped, !monitor.isAborted { setUpTurn() }
        reportSnapshot(at: lj_now())
        monitor.noteSetUp(worker: worker)
        while monitor.start == 0, !monitor.isStopped, !monitor.isAborted { turn() }
        if !monitor.isStopped, !monitor.isAborted { runPhases() }
        let report = finished()
        logOut()
        return report
    }

    private mutating func runPhases() {
        var phases = Phases(
            start: monitor.start, warmup: options.warmup, measurement: options.duration,
            drain: options.drain)
        self.phases = phases
        let share = options.share.part(worker, of: options.workers)
        pool.start(phases, share: share)
        scenarioPool?.start(phases, share: share)
        var now = lj_now()
        while now < phases.measureStart, goesOn { now = turn() }
        beginSeconds()
        processorStart = lj_thread_cpu()
        while now < phases.end, goesOn {
            now = turn()
            reportSecond(now, phases)
        }
        processorEnd = lj_thread_cpu()
        if !goesOn {
            // Arrivals due after an early stop do not count.
            phases.end = min(now, phases.end)
            phases.drainEnd = phases.end + min(options.drain, FleetOptions.stoppedDrain)
            self.phases = phases
            pool.end(at: phases.end)
            scenarioPool?.end(at: phases.end)
        }
        // Wait a little even if everything has arrived: duplicates may follow.
        let earliestEnd = now + FleetOptions.drainMin
        while now < phases.drainEnd, !monitor.isAborted, !isQuiet || now < earliestEnd {
            now = turn()
            reportSecond(now, phases)
            // A load test that is stopped now waits no longer than one that was stopped earlier.
            if !goesOn {
                phases.drainEnd = min(phases.drainEnd, now + FleetOptions.stoppedDrain)
            }
        }
        reportSecond(.max, phases)
    }

    private var goesOn: Bool { !monitor.isStopped && !monitor.isAborted }

    private var isQuiet: Bool { pool.isQuiet && scenarioPool?.isQuiet != false }

    private mutating func finished() -> WorkerReport {
        var report = pool.finish(at: lj_now())
        scenarioPool?.interrupt(at: lj_now())
        scenarioPool?.addTo(&report)
        report.processorTime = processorEnd - processorStart
        report.measured = phases.map { max(0, min(lj_now(), $0.end) - $0.measureStart) } ?? 0
        return report
    }

    // MARK: Turns

    private mutating func setUpTurn() {
        beginSetups(at: lj_now())
        turn()
    }

    /// Performs due actions, waits for events and handles them. Returns the current time.
    @discardableResult
    mutating func turn() -> Int64 {
        var sends = 0
        while sends < Self.sendsPerTurnMax {
            let count = sendDue(atMost: Self.sendsPerTurnMax - sends)
            if count == 0 { break }
            sends += count
        }
        var now = lj_now()
        keepAlive(at: now)
        var next = pool.nextTime()
        if let scenarioPool {
            scenarioPool.wake(at: now)
            carryOutScenarioOutputs()
            next = [next, scenarioPool.nextTime].compactMap(\.self).min()
        }
        wait(until: sends == Self.sendsPerTurnMax ? now : next, now)
        now = lj_now()
        if now - looked >= Self.lookInterval { look(at: now) }
        return now
    }

    mutating func carryOut() {
        if scenarioPool != nil { carryOutScenarioOutputs() }
        while !pool.outputs.isEmpty {
            swap(&spare, &pool.outputs)
            for output in spare {
                switch output {
                case .connect(let index): waitingToConnect.append(index)
                case .send(let index, let bytes):
                    pool.counts.bytesSent += UInt64(bytes.count)
                    send(bytes[...], index)
                case .close(let index): closeSocket(index)
                case .settle(let index): settle(index)
                case .leave(let index, let halfCloses): leave(index, halfCloses)
                case .reset(let index): resetSocket(index)
                }
            }
            spare.removeAll(keepingCapacity: true)
        }
    }

    private mutating func look(at now: Int64) {
        looked = now
        pool.wake(at: now)
        carryOut()
        if !paced.isEmpty { pace(at: now) }
        if !lingering.isEmpty { endLingering(at: now) }
        giveUpSlowConnects(at: now)
        carryOut()
        reportSnapshot(at: now)
        if phases != nil { changeRate() }
    }

    /// Applies rate changes requested since the last call.
    private mutating func changeRate() {
        for change in monitor.rateChanges.dropFirst(changesMade) {
            changesMade += 1
            pool.changeRate(change)
            scenarioPool?.changeRate(change)
        }
    }

    private mutating func reportSnapshot(at now: Int64) {
        let counts = progress
        var kinds = pool.violationCounts
        if let scenarioPool { kinds.merge(scenarioPool.violations.counts) { $0 + $1 } }
        var snapshot = LoadSnapshot()
        snapshot.connected = connectedCount
        snapshot.ready = Int(counts.ready)
        snapshot.failed = Int(counts.failed)
        snapshot.sent = counts.sent
        snapshot.arrived = counts.arrived
        snapshot.violations = counts.violations
        snapshot.open = counts.open
        snapshot.disconnected = counts.disconnected
        snapshot.kinds = kinds
        monitor.note(snapshot, worker: worker, at: now)
        let evidence = pool.violations.kept.count + (scenarioPool?.violations.kept.count ?? 0)
        guard evidence > reportedEvidence else { return }
        reportedEvidence = evidence
        monitor.note(
            evidence: pool.violations.kept + (scenarioPool?.violations.kept ?? []), worker: worker)
    }

    /// Combined counters of operators and scenario runs.
    private var progress: PoolProgress {
        var progress = pool.progress
        guard let scenarioPool else { return progress }
        progress.sent += scenarioPool.counts.sentEver
        progress.arrived += scenarioPool.met
        progress.violations += scenarioPool.violations.total
        progress.open += scenarioPool.active
        return progress
    }

    /// Starts the first second of the measurement period. There are no latencies to discard,
    /// because none are recorded during warm-up.
    private mutating func beginSeconds() {
        let counts = progress
        (reportedSent, reportedArrived) = (counts.sent, counts.arrived)
        reportedViolations = counts.violations
        currentSecond = 0
    }

    private mutating func reportSecond(_ now: Int64, _ phases: Phases) {
        let number = now == .max ? Int.max : phases.second(of: now)
        guard number > currentSecond else { return }
        defer { currentSecond = number }
        let counts = progress
        var second = LoadSecond()
        second.sent = counts.sent - reportedSent
        second.arrived = counts.arrived - reportedArrived
        second.violations = counts.violations - reportedViolations
        second.latencies = pool.takeInterval()
        if let scenarioPool {
            second.latencies.merge(scenarioPool.recorder.takeInterval()) { one, _ in one }
        }
        (reportedSent, reportedArrived) = (counts.sent, counts.arrived)
        reportedViolations = counts.violations
        // After the measurement period, only seconds with deliveries are kept.
        let isMeasured = Int64(currentSecond) * 1_000_000_000 < options.duration
        if currentSecond >= 0, isMeasured || second.arrived > 0 {
            monitor.note(second, number: currentSecond)
        }
    }

    // MARK: Keepalives

    /// Sends keepalives once per keepalive interval of the dialect, spread evenly over the
    /// operators. A single clock check covers all of them.
    private mutating func keepAlive(at now: Int64) {
        guard let interval = pool.keepaliveInterval, pool.count > 0 else { return }
        let wanted = Int(Double(now - keepaliveStart) / Double(interval) * Double(pool.count))
        var done = 0
        while keepalivesDone < wanted, done < Self.sendsPerTurnMax {
            let index = keepaliveNext
            keepaliveNext = (keepaliveNext + 1) % pool.count
            keepalivesDone += 1
            done += 1
            guard pool.keepsAlive(index) else { continue }
            pool.perform(.init(index: index, action: .keepalive, intended: now), at: now)
            send(pool.outgoing[...], index)
        }
    }
}
