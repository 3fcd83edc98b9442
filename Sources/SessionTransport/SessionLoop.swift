import Transport
import NIOCore
import NIOPosix
import Session

/// What a play happens in.
struct RunContext: Sendable {
    var eventLoop: any EventLoop
    var endpoint: Endpoint
    var security: (any ConnectionSecurity)?
    var limits: TransportLimits
}

/// One play: takes what happens to the session, carries out what the session asks for.
///
/// It lives on one event loop from start to end. Carrying out an action can make something happen at
/// once (a write that fails reads what is left first), so events queue up while the session is
/// busy, and it never finds itself called from within.
final class SessionLoop<Machine: SessionMachine & ~Copyable>: ConnectionListener {
    /// What waits for the session.
    private enum LoopEvent {
        case bytes(ByteBuffer, ConnectionID)
        case event(SessionEvent)
    }

    let context: RunContext
    private var machine: Machine
    private var whenOver: ((SessionOutcome) -> Void)?
    private var events: [LoopEvent] = []
    private var isBusy = false
    private var alarm: (time: Int64, task: Scheduled<Void>)?
    private(set) var result: ScenarioOutcome?
    var connections: [ConnectionID: Connection] = [:]
    /// The connections whose peers read so slowly that no more is to be sent for now.
    var stalled: Set<ConnectionID> = []
    var connectionsMade = 0
    var connectFailure: ConnectFailure?
    /// What is known of a connection that the session gave up waiting for.
    var givenUp: ConnectFailure?
    var remarks: [String] = []

    init(
        _ machine: consuming Machine, _ context: RunContext,
        whenOver: @escaping (SessionOutcome) -> Void
    ) {
        self.machine = machine
        self.context = context
        self.whenOver = whenOver
    }

    var eventLoop: any EventLoop { context.eventLoop }
    var limits: TransportLimits { context.limits }

    /// The clock of all plays: monotonic, in nanoseconds.
    var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    /// Begins.
    func start() {
        isBusy = true
        machine.start(at: now)
        isBusy = false
        settle()
    }

    /// Ends it early.
    func interrupt() {
        guard result == nil else { return }
        machine.interrupt(at: now)
        settle()
    }

    // MARK: What happens

    func tell(_ event: SessionEvent) {
        guard result == nil else { return }
        events.append(.event(event))
        settle()
    }

    func received(_ bytes: ByteBuffer, _ connection: Connection) {
        switch connection.phase {
        case .connecting: connection.early.append(bytes)
        case .open: deliver(bytes, connection.id)
        case .draining, .gone: break
        }
    }

    func deliver(_ bytes: ByteBuffer, _ id: ConnectionID) {
        guard result == nil else { return }
        if isBusy {
            events.append(.bytes(bytes, id))
        } else {
            isBusy = true
            machine.receive(bytes.readableBytesUInt8Span, id, at: now)
            isBusy = false
            settle()
        }
    }

    func writabilityChanged(_ connection: Connection, isWritable: Bool) {
        if isWritable { stalled.remove(connection.id) } else { stalled.insert(connection.id) }
        if stalled.isEmpty { settle() }
    }

    // MARK: What to do

    /// Carries out all actions, gives the session what has happened meanwhile, and so on until
    /// nothing is left; then sets the alarm, or ends.
    func settle() {
        guard !isBusy, result == nil else { return }
        isBusy = true
        var taken = 0
        repeat {
            while stalled.isEmpty, let action = machine.nextAction() { perform(action) }
            guard taken < events.count else { break }
            take(events[taken])
            taken += 1
        } while true
        events.removeAll(keepingCapacity: true)
        isBusy = false
        if let result = machine.result { finish(result) } else { setAlarm() }
    }

    private func take(_ event: LoopEvent) {
        switch event {
        case .bytes(let bytes, let id):
            machine.receive(bytes.readableBytesUInt8Span, id, at: now)
        case .event(let event): machine.handle(event, at: now)
        }
    }

    private func perform(_ action: SessionAction) {
        switch action {
        case .connect(let id): connect(id)
        case .send(let id, let bytes): withOpen(id) { send(bytes, $0) }
        case .hold(let id): withOpen(id) { setCork(true, $0) }
        case .release(let id): withOpen(id) { setCork(false, $0) }
        case .halfClose(let id): withOpen(id, halfClose)
        case .close(let id): close(id, drainingFor: limits.drainTime)
        case .abort(let id): abort(id)
        case .setReading(let id, let isReading): withOpen(id) { setReading(isReading, $0) }
        }
    }

    private func withOpen(_ id: ConnectionID, _ body: (Connection) -> Void) {
        guard let connection = connections[id], connection.phase == .open else { return }
        body(connection)
    }

    // MARK: Time

    /// Sees to it that the session is woken at its deadline. An alarm that is set for an earlier time
    /// stays: it only sets another one. So a deadline that moves on with each line costs nothing.
    private func setAlarm() {
        guard let deadline = machine.deadline else { return }
        if let alarm {
            if alarm.time <= deadline { return }
            alarm.task.cancel()
        }
        let time = NIODeadline.uptimeNanoseconds(UInt64(clamping: max(deadline, 0)))
        let task = eventLoop.assumeIsolated().scheduleTask(deadline: time) {
            self.alarm = nil
            self.wakeIfDue()
        }
        alarm = (deadline, task)
    }

    private func wakeIfDue() {
        guard result == nil else { return }
        if let deadline = machine.deadline, deadline <= now {
            tell(.wake)
        } else {
            setAlarm()
        }
    }

    // MARK: End

    private func finish(_ result: ScenarioOutcome) {
        self.result = result
        alarm?.task.cancel()
        alarm = nil
        events = []
        for id in connections.keys { close(id, drainingFor: limits.finalDrainTime) }
        endIfEmpty()
    }

    /// Hands over the result once no connection is left.
    func endIfEmpty() {
        guard let result, connections.isEmpty, let whenOver else { return }
        self.whenOver = nil
        let failure = connectFailure ?? (result.outcome == .inconclusive ? givenUp : nil)
        whenOver(
            SessionOutcome(
                result: result, connectionsMade: connectionsMade,
                connectFailure: failure?.reason, connectCause: failure?.cause,
                remarks: remarks))
    }
}
