import Synchronization

/// A listener together with its undelivered events.
///
/// Events are delivered in turns on the listener's executor. A turn is requested when an event
/// arrives while no turn is running. Each turn delivers a limited number of events, so that other
/// work on the executor can run.
final class Mailbox<Event: Sendable>: Sendable {
    static var eventsPerTurnMax: Int { 64 }
    static var questionsMax: Int { 64 }

    let id: ListenerID
    let listener: Listener<Event>
    private let report: @Sendable (MulticastReport) -> Void
    private let state = Mutex(MailboxState<Event>())

    init(
        _ listener: Listener<Event>, id: ListenerID,
        report: @escaping @Sendable (MulticastReport) -> Void
    ) {
        self.id = id
        self.listener = listener
        self.report = report
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    func post(_ event: Event, number: Int) -> MailboxState<Event>.PostResult {
        state.withLock { $0.post(event, number: number, listener.queue) }
    }

    /// Requests a turn or reports an overflow after an event was posted. The caller must not hold
    /// any locks.
    func follow(up result: MailboxState<Event>.PostResult) {
        switch result {
        case .needsTurn: requestTurn()
        case .overflowBegan: report(.overflowBegan(listener: listener.name, listener.queue))
        case .listenerRemoved:
            report(.removedForOverflow(listener: listener.name, listener.queue))
            notifyEnd()
        case .queued, .dropped, .ended: break
        }
    }

    /// Stops delivery. A call to the listener that is already running is not interrupted.
    func remove() {
        state.withLock { $0.end() }
        notifyEnd()
    }

    /// Waits until the mailbox has ended and no call to the listener is running.
    func waitForLastCall() async {
        await withCheckedContinuation { continuation in
            if state.withLock({ !$0.waitsForEnd(continuation) }) { continuation.resume() }
        }
    }

    /// Ends the mailbox after the queued events have been delivered.
    func finish() {
        state.withLock { $0.finish() }
        notifyEnd()
    }

    private func notifyEnd() {
        guard let waiters = state.withLock({ $0.takeEndWaiters() }) else { return }
        listener.ends?()
        for waiter in waiters { waiter.resume() }
    }

    /// Reserves a slot for an unanswered question. Returns false if all slots are taken.
    func beginQuestion() -> Bool {
        let isTaken = state.withLock { state in
            guard state.questions < Self.questionsMax else { return false }
            state.questions += 1
            return true
        }
        if !isTaken {
            report(
                .tooManyQuestions(listener: listener.name, questionsMax: Self.questionsMax))
        }
        return isTaken
    }

    func endQuestion() {
        state.withLock { $0.questions -= 1 }
    }

    /// Delivers the queued events up to `number`, unless a delivery is already running.
    func catchUp(to number: Int, _ handle: (Event) -> Bool) {
        guard let first = state.withLock({ $0.beginDelivering(upTo: number) }) else { return }
        deliver(handle, first, eventsMax: .max, upTo: number)
    }

    /// Delivers the queued events like ``catchUp(to:_:)``, but isolated to the calling actor.
    func catchUp(
        to number: Int, _ handle: @escaping Listener<Event>.IsolatedHandler,
        in actor: isolated (any Actor)?
    ) async {
        guard let first = state.withLock({ $0.beginDelivering(upTo: number) }) else { return }
        await deliver(handle, first, eventsMax: .max, upTo: number, in: actor)
    }

    private func requestTurn() {
        switch listener.receiver {
        case .plain(let executor, let handle):
            executor.submit { [self] in takeTurn(handle) }
        case .isolated(let actor, let handle):
            Task { [self] in await takeTurn(handle, in: actor) }
        }
    }

    private func takeTurn(_ handle: (Event) -> Bool) {
        guard let first = state.withLock({ $0.beginTurn() }) else { return }
        deliver(handle, first, eventsMax: Self.eventsPerTurnMax, upTo: .max)
    }

    private func deliver(
        _ handle: (Event) -> Bool, _ first: MailboxState<Event>.Step, eventsMax: Int,
        upTo number: Int
    ) {
        var step = first
        var remaining = eventsMax
        while case .deliver(let delivery) = step {
            switch delivery {
            case .event(let event):
                if !handle(event) { state.withLock { $0.end() } }
            case .missed(let count):
                report(.overflowEnded(listener: listener.name, missed: count))
                notifyGap(count)
            }
            remaining -= 1
            step = state.withLock { $0.step(upTo: number, mayContinue: remaining > 0) }
        }
        endTurn(step)
    }

    private func takeTurn(
        _ handle: @escaping Listener<Event>.IsolatedHandler, in actor: isolated (any Actor)?
    ) async {
        guard let first = state.withLock({ $0.beginTurn() }) else { return }
        await deliver(handle, first, eventsMax: Self.eventsPerTurnMax, upTo: .max, in: actor)
    }

    private func deliver(
        _ handle: @escaping Listener<Event>.IsolatedHandler, _ first: MailboxState<Event>.Step,
        eventsMax: Int, upTo number: Int, in actor: isolated (any Actor)?
    ) async {
        var step = first
        var remaining = eventsMax
        while case .deliver(let delivery) = step {
            switch delivery {
            case .event(let event):
                if await !handle(event) { state.withLock { $0.end() } }
            case .missed(let count):
                report(.overflowEnded(listener: listener.name, missed: count))
                switch listener.gapHandler {
                case .plain(let handler): handler(count)
                case .isolated(let handler): await handler(count)
                case nil: break
                }
            }
            remaining -= 1
            step = state.withLock { $0.step(upTo: number, mayContinue: remaining > 0) }
        }
        endTurn(step)
    }

    private func notifyGap(_ count: Int) {
        switch listener.gapHandler {
        case .plain(let handler): handler(count)
        case .isolated(let handler): Task { await handler(count) }
        case nil: break
        }
    }

    private func endTurn(_ step: MailboxState<Event>.Step) {
        guard case .idle(let needsTurn, let isOver) = step else { return }
        if needsTurn { requestTurn() }
        if isOver { notifyEnd() }
    }
}
