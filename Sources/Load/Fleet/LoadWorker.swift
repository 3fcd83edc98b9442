import CEpoll
import Glibc
import LineProtocol
import Results

/// One thread with its own sockets: waits, hands what arrives to the operators and carries out what they want.
struct LoadWorker: ~Copyable {
    /// How much one read takes.
    static let readBytesMax = 65_536
    /// How much may wait for a socket that takes nothing more; past it sends are dropped.
    static let pendingBytesMax = 1 << 20
    /// The longest wait, so that a stop or the start of the load is not missed.
    static let waitNanosecondsMax: Int64 = 10_000_000
    /// How many due sends are done before what has arrived is looked at.
    static let sendsPerTurnMax = 512
    /// Between looks at those on their way, and between words to the watch.
    static let lookInterval: Int64 = 100_000_000

    var core: OperatorPool
    let options: FleetOptions
    let address: SocketAddress
    /// Connections by event loops, where sockets of our own are not enough.
    let remotes: RemoteConnections?
    /// Those who play scenarios; their sockets come after the core's.
    let crew: ScenarioPool?
    let watch: LoadMonitor
    let worker: Int
    let set: Int32

    /// For each operator its socket, or -1.
    var sockets: [Int32]
    /// The same where event loops serve them; then ``sockets`` only says whether there is one.
    var remote: [RemoteConnection?] = []
    /// What waits until a socket takes more.
    var pending: [Int: [UInt8]] = [:]
    /// When the connections under way were begun.
    var connecting: [Int: Int64] = [:]
    /// How many of these have been under way for long.
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
    /// How many changes of the rate the schedules know of.
    var changesMade = 0
    var currentSecond = -1
    var toldSent: UInt64 = 0
    var toldArrived: UInt64 = 0
    var toldViolations: UInt64 = 0
    var keepaliveNext = 0
    var keepaliveStart: Int64 = 0
    var keepalivesDone = 0
    var input = [UInt8](repeating: 0, count: readBytesMax)
    var ready = [lj_ready](repeating: lj_ready(), count: Int(LJ_READY_MAX))
    var spare: [OperatorPool.Output] = []
    /// Those who read or write so many bytes a second, and what they may at the moment.
    var paced: [PacedOperator] = []
    /// Sockets that are being closed in order, and until when what still arrives is read.
    var lingering: [Int32: Int64] = [:]

    init(
        _ plan: FleetPlan, _ options: FleetOptions, _ address: SocketAddress, _ watch: LoadMonitor,
        worker: Int, remotes: RemoteConnections? = nil
    ) {
        let share = options.share.part(worker, of: options.workers)
        core = OperatorPool(plan, worker: share.index, of: share.count)
        self.options = options
        self.address = address
        self.watch = watch
        self.worker = worker
        self.remotes = remotes
        crew =
            plan.scripts.isEmpty
            ? nil : ScenarioPool(plan, worker: share.index, of: share.count)
        let count = core.count + (crew?.slotCount ?? 0)
        sockets = [Int32](repeating: -1, count: count)
        if remotes != nil { remote = [RemoteConnection?](repeating: nil, count: count) }
        set = lj_poll_create()
    }

    deinit { if set >= 0 { close(set) } }

    /// Plays the whole load on the thread it is called on.
    mutating func run() -> OperatorPool.Report {
        lj_exact_waits()
        setupStart = lj_now()
        keepaliveStart = setupStart
        tellMoment(at: setupStart)
        while !core.isSetUp, !watch.isStopped, !watch.isAborted { setUpTurn() }
        tellMoment(at: lj_now())
        watch.noteSetUp(worker: worker)
        while watch.start == 0, !watch.isStopped, !watch.isAborted { turn() }
        if !watch.isStopped, !watch.isAborted { play() }
        let report = finished()
        logOut()
        return report
    }

    private mutating func play() {
        var phases = Phases(
            start: watch.start, warmup: options.warmup, measure: options.duration,
            drain: options.drain)
        self.phases = phases
        let share = options.share.part(worker, of: options.workers)
        core.start(phases, share: .init(index: share.index, count: share.count))
        crew?.start(phases, share: .init(index: share.index, count: share.count))
        var now = lj_now()
        while now < phases.measureStart, goesOn { now = turn() }
        beginSeconds()
        processorStart = lj_thread_cpu()
        while now < phases.end, goesOn {
            now = turn()
            tellSecond(now, phases)
        }
        processorEnd = lj_thread_cpu()
        if !goesOn {
            // What was asked for later was never intended.
            phases.end = min(now, phases.end)
            phases.drainEnd = phases.end + min(options.drain, FleetOptions.stoppedDrain)
            self.phases = phases
            core.end(at: phases.end)
            crew?.end(at: phases.end)
        }
        // A while longer even if all has arrived: what comes twice comes late.
        let least = now + FleetOptions.drainLeast
        while now < phases.drainEnd, !watch.isAborted, !isQuiet || now < least {
            now = turn()
            tellSecond(now, phases)
        }
        tellSecond(.max, phases)
    }

    private var goesOn: Bool { !watch.isStopped && !watch.isAborted }

    private var isQuiet: Bool { core.isQuiet && crew?.isQuiet != false }

    private mutating func finished() -> OperatorPool.Report {
        var report = core.finish(at: lj_now())
        crew?.interrupt(at: lj_now())
        crew?.addTo(&report)
        report.processorTime = processorEnd - processorStart
        report.measured = phases.map { max(0, min(lj_now(), $0.end) - $0.measureStart) } ?? 0
        return report
    }

    // MARK: Turns

    private mutating func setUpTurn() {
        beginSetups(at: lj_now())
        turn()
    }

    /// Does what is due, waits for what arrives, and hands it over. Answers the time.
    @discardableResult
    mutating func turn() -> Int64 {
        var now = lj_now()
        var sends = 0
        while sends < Self.sendsPerTurnMax, let due = core.takeDue(at: now) {
            core.perform(due, at: now)
            send(core.outgoing, due.index)
            sends += 1
            now = lj_now()
        }
        keepAlive(at: now)
        var next = core.nextTime()
        if let crew {
            crew.wake(at: now)
            carryOutPlays()
            next = [next, crew.nextTime].compactMap(\.self).min()
        }
        wait(until: sends == Self.sendsPerTurnMax ? now : next, now)
        now = lj_now()
        if now - looked >= Self.lookInterval { look(at: now) }
        return now
    }

    private mutating func wait(until time: Int64?, _ now: Int64) {
        let longest = Self.waitNanosecondsMax
        let wait = min(max((time ?? .max) - now, 0), longest)
        if let remotes {
            for happening in remotes.wait(nanoseconds: wait) { take(happening) }
            return
        }
        let count = unsafe ready.withUnsafeMutableBufferPointer { buffer in
            unsafe lj_poll_wait(set, buffer.baseAddress, wait)
        }
        guard count > 0 else { return }
        for place in 0..<Int(count) { take(ready[place]) }
    }

    private mutating func take(_ event: lj_ready) {
        guard event.tag < Self.lingeringTag else {
            drain(Int32(event.tag - Self.lingeringTag))
            return
        }
        let index = Int(event.tag)
        // In the steady state nobody connects, and there is nothing to look up.
        if !connecting.isEmpty, connecting[index] != nil {
            finishConnect(index)
            return
        }
        if event.events & UInt32(LJ_WRITABLE) != 0 { flush(index) }
        if event.events & UInt32(LJ_READABLE | LJ_HANGUP) != 0 {
            read(index, mayHaveEnded: event.events & UInt32(LJ_HANGUP) != 0)
        }
        carryOut()
    }

    private mutating func read(_ index: Int, mayHaveEnded: Bool) {
        let socket = sockets[index]
        guard socket >= 0 else { return }
        if isPacedReader(index) {
            // It reads when it may; only its end shows without being asked for.
            guard mayHaveEnded else { return }
            core.closed(index, byReset: lj_socket_error(socket) != 0, at: lj_now())
            return
        }
        let count = unsafe input.withUnsafeMutableBytes { buffer in
            unsafe recv(socket, buffer.baseAddress, buffer.count, 0)
        }
        let now = lj_now()
        if count > 0 {
            let bytes = input
            receive(bytes.span.extracting(0..<count), index, at: now)
        } else if count == 0 {
            closed(index, byReset: false, at: now)
        } else if errno != EAGAIN, errno != EINTR {
            closed(index, byReset: errno == ECONNRESET, at: now)
        }
    }

    /// Hands what has arrived to whom it is for.
    mutating func receive(_ bytes: Span<UInt8>, _ index: Int, at now: Int64) {
        if index < core.count {
            core.receive(bytes, index, at: now)
        } else {
            crew?.receive(bytes, index - core.count, at: now)
        }
    }

    mutating func closed(_ index: Int, byReset: Bool, at now: Int64) {
        if index < core.count {
            core.closed(index, byReset: byReset, at: now)
        } else {
            closeSocket(index)
            crew?.closed(index - core.count, byReset: byReset, at: now)
        }
    }

    mutating func carryOut() {
        if crew != nil { carryOutPlays() }
        while !core.outputs.isEmpty {
            swap(&spare, &core.outputs)
            for output in spare {
                switch output {
                case .connect(let index): waitingToConnect.append(index)
                case .send(let index, let bytes): send(bytes, index)
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
        core.wake(at: now)
        carryOut()
        if !paced.isEmpty { pace(at: now) }
        if !lingering.isEmpty { endLingering(at: now) }
        giveUpSlowConnects(at: now)
        carryOut()
        tellMoment(at: now)
        if phases != nil { changeRate() }
    }

    /// Somebody has wished for another rate.
    private mutating func changeRate() {
        for change in watch.rateChanges.dropFirst(changesMade) {
            changesMade += 1
            core.changeRate(change)
            crew?.changeRate(change)
        }
    }

    private mutating func tellMoment(at now: Int64) {
        let counts = progress
        var kinds = core.violationCounts
        if let crew { kinds.merge(crew.violations.counts) { $0 + $1 } }
        var snapshot = LoadSnapshot()
        snapshot.connected = connectedCount
        snapshot.ready = Int(counts.ready)
        snapshot.failed = Int(counts.failed)
        snapshot.sent = counts.sent
        snapshot.arrived = counts.arrived
        snapshot.violations = counts.violations
        snapshot.open = counts.open
        snapshot.cut = counts.cut
        snapshot.kinds = kinds
        watch.note(snapshot, worker: worker, at: now)
    }

    /// The counters of operators and plays together.
    private var progress: OperatorPool.Progress {
        var progress = core.progress
        guard let crew else { return progress }
        progress.sent += crew.counts.sentEver
        progress.arrived += crew.met
        progress.violations += crew.violations.total
        progress.open += crew.active
        return progress
    }

    /// The first second counts from here; latencies of the warm-up were not recorded.
    private mutating func beginSeconds() {
        let counts = progress
        (toldSent, toldArrived) = (counts.sent, counts.arrived)
        toldViolations = counts.violations
        currentSecond = 0
    }

    private mutating func tellSecond(_ now: Int64, _ phases: Phases) {
        let second = now == .max ? Int.max : phases.second(of: now)
        guard second > currentSecond else { return }
        defer { currentSecond = second }
        let counts = progress
        var told = LoadSecond()
        told.sent = counts.sent - toldSent
        told.arrived = counts.arrived - toldArrived
        told.violations = counts.violations - toldViolations
        told.latencies = core.takeInterval()
        if let crew { told.latencies.merge(crew.recorder.takeInterval()) { one, _ in one } }
        (toldSent, toldArrived) = (counts.sent, counts.arrived)
        toldViolations = counts.violations
        // After the measurement only what still arrives is worth a second.
        let isMeasured = Int64(currentSecond) * 1_000_000_000 < options.duration
        if currentSecond >= 0, isMeasured || told.arrived > 0 {
            watch.note(told, number: currentSecond)
        }
    }

    // MARK: Keeping alive

    /// Everybody keeps alive once in the dialect's interval, evenly spread: one look at the clock serves all.
    private mutating func keepAlive(at now: Int64) {
        guard let interval = core.keepaliveInterval, core.count > 0 else { return }
        let wanted = Int(Double(now - keepaliveStart) / Double(interval) * Double(core.count))
        var done = 0
        while keepalivesDone < wanted, done < Self.sendsPerTurnMax {
            let index = keepaliveNext
            keepaliveNext = (keepaliveNext + 1) % core.count
            keepalivesDone += 1
            done += 1
            guard core.keepsAlive(index) else { continue }
            core.perform(.init(index: index, action: .keepalive, intended: now), at: now)
            send(core.outgoing, index)
        }
    }
}
