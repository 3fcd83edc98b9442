import Transport
import NIOCore
import NIOPosix
import Session

/// The event loop and settings for running a session.
struct RunContext: Sendable {
    var eventLoop: any EventLoop
    var endpoint: Endpoint
    var security: (any ConnectionSecurity)?
    var limits: TransportLimits
    /// Addresses to connect from; nil to let the system choose.
    var sources: LoopbackAddresses?
}

/// The loop that runs a session: it passes events to the session and carries out its actions.
///
/// A session loop is bound to one event loop. Carrying out an action can immediately cause an
/// event: for example, if a write fails, the data that has arrived is still read. Events are
/// therefore queued while the session is busy, so the session is never called recursively.
final class SessionLoop<Machine: SessionMachine & ~Copyable>: ConnectionListener {
    /// An event that the loop has queued for the session.
    private enum LoopEvent {
        case bytes(ByteBuffer, ConnectionID)
        case event(SessionEvent)
    }

    let context: RunContext
    private var machine: Machine
    private var completion: ((SessionOutcome) -> Void)?
    private var events: [LoopEvent] = []
    private var isBusy = false
    private var alarm: (time: Int64, task: Scheduled<Void>)?
    private(set) var result: ScenarioOutcome?
    /// Time at which the session had a result.
    private var endedAt: ContinuousClock.Instant?
    var connections: [ConnectionID: Connection] = [:]
    /// Connections whose send buffers are full. While there are any, the loop carries out no
    /// actions.
    var stalled: Set<ConnectionID> = []
    var connectionsMade = 0
    var connectFailure: ConnectFailure?
    /// The failure of a connection that the session has stopped waiting for; nil if there is none.
    var givenUp: ConnectFailure?
    var notes: [String] = []

    init(
        _ machine: consuming Machine, _ context: RunContext,
        completion: @escaping (SessionOutcome) -> Void
    ) {
        self.machine = machine
        self.context = context
        self.completion = completion
    }

    var eventLoop: any EventLoop { context.eventLoop }
    var limits: TransportLimits { context.limits }

    /// The current time in nanoseconds. The clock is monotonic and the same for all sessions.
    var now: Int64 { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }

    func start() {
        isBusy = true
        machine.start(at: now)
        isBusy = false
        settle()
    }

    func interrupt() {
        guard result == nil else { return }
        machine.interrupt(at: now)
        settle()
    }

    // MARK: Session events

    func emit(_ event: SessionEvent) {
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

    // MARK: Actions

    /// Carries out all actions and passes queued events to the session until none are left. After
    /// that, sets the alarm or finishes.
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
        case .startTLS(let id): withOpen(id, startTLS)
        }
    }

    private func withOpen(_ id: ConnectionID, _ body: (Connection) -> Void) {
        guard let connection = connections[id], connection.phase == .open else { return }
        body(connection)
    }

    // MARK: Time

    /// Sets the alarm that wakes the session at its deadline. An earlier alarm is kept and sets a
    /// new one when it fires, so that moving the deadline with each line is cheap.
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
            emit(.wake)
        } else {
            setAlarm()
        }
    }

    // MARK: End

    private func finish(_ result: ScenarioOutcome) {
        self.result = result
        endedAt = .now
        alarm?.task.cancel()
        alarm = nil
        events = []
        for id in connections.keys { close(id, drainingFor: limits.finalDrainTime) }
        endIfEmpty()
    }

    /// Completes the run if all connections are closed.
    func endIfEmpty() {
        guard let result, connections.isEmpty, let completion else { return }
        self.completion = nil
        let failure = connectFailure ?? (result.outcome == .inconclusive ? givenUp : nil)
        completion(
            SessionOutcome(
                result: result, connectionsMade: connectionsMade,
                connectFailure: failure?.reason, connectCause: failure?.cause,
                notes: notes, endedAt: endedAt))
    }
}
