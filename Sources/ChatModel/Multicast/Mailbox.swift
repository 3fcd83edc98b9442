import Synchronization

/// A listener of a multicast with what waits for it.
///
/// It is told in turns on its executor. A turn is asked for when an event comes and none is under way, and
/// ends after a bounded number of events, so that others on the executor have theirs.
final class Mailbox<Event: Sendable>: Sendable {
    /// How many events are told in one turn.
    static var eventsPerTurnMax: Int { 64 }
    /// How many questions may be under way for one listener.
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

    func post(_ event: Event, number: Int) -> MailboxState<Event>.Posting {
        state.withLock { $0.post(event, number: number, listener.queue) }
    }

    /// Reports what became of an event; it is called without locks.
    func follow(_ posting: MailboxState<Event>.Posting) {
        switch posting {
        case .wakes: wake()
        case .overflows: report(.overflowBegan(listener: listener.name, listener.queue))
        case .removes:
            report(.removedForOverflow(listener: listener.name, listener.queue))
            tellEnd()
        case .waits, .isLost, .isOver: break
        }
    }

    /// Nothing is told from now on; a call that has begun is not broken off.
    func remove() {
        state.withLock { $0.end() }
        tellEnd()
    }

    /// Returns when it is over and no call of the listener is under way.
    func lastCall() async {
        await withCheckedContinuation { continuation in
            if state.withLock({ !$0.waitsForEnd(continuation) }) { continuation.resume() }
        }
    }

    /// What waits is still told, and then the end.
    func finish() {
        state.withLock { $0.finish() }
        tellEnd()
    }

    private func tellEnd() {
        guard let waiters = state.withLock({ $0.tellsEnd() }) else { return }
        listener.ends?()
        for waiter in waiters { waiter.resume() }
    }

    /// Takes a place among the questions that are under way; false: there are too many.
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

    /// Tells what waits, up to the event of that number, unless somebody is telling already.
    func catchUp(to number: Int, _ tell: (Event) -> Bool) {
        guard let first = state.withLock({ $0.beginDelivering(upTo: number) }) else { return }
        deliver(tell, first, eventsMax: .max, upTo: number)
    }

    /// As ``catchUp(to:_:)``, in the actor.
    func catchUp(
        to number: Int, _ tell: @escaping Listener<Event>.IsolatedTold,
        in actor: isolated (any Actor)?
    ) async {
        guard let first = state.withLock({ $0.beginDelivering(upTo: number) }) else { return }
        await deliver(tell, first, eventsMax: .max, upTo: number, in: actor)
    }

    /// Asks the executor for a turn.
    private func wake() {
        switch listener.ear {
        case .plain(let executor, let tell):
            executor.submit { [self] in takeTurn(tell) }
        case .isolated(let actor, let tell):
            Task { [self] in await takeTurn(tell, in: actor) }
        }
    }

    private func takeTurn(_ tell: (Event) -> Bool) {
        guard let first = state.withLock({ $0.beginTurn() }) else { return }
        deliver(tell, first, eventsMax: Self.eventsPerTurnMax, upTo: .max)
    }

    private func deliver(
        _ tell: (Event) -> Bool, _ first: MailboxState<Event>.Step, eventsMax: Int,
        upTo number: Int
    ) {
        var step = first
        var left = eventsMax
        while case .tell(let delivery) = step {
            switch delivery {
            case .event(let event):
                if !tell(event) { state.withLock { $0.end() } }
            case .missed(let count):
                report(.overflowEnded(listener: listener.name, missed: count))
                tellMissing(count)
            }
            left -= 1
            step = state.withLock { $0.step(upTo: number, mayGoOn: left > 0) }
        }
        rest(step)
    }

    private func takeTurn(
        _ tell: @escaping Listener<Event>.IsolatedTold, in actor: isolated (any Actor)?
    ) async {
        guard let first = state.withLock({ $0.beginTurn() }) else { return }
        await deliver(tell, first, eventsMax: Self.eventsPerTurnMax, upTo: .max, in: actor)
    }

    private func deliver(
        _ tell: @escaping Listener<Event>.IsolatedTold, _ first: MailboxState<Event>.Step,
        eventsMax: Int, upTo number: Int, in actor: isolated (any Actor)?
    ) async {
        var step = first
        var left = eventsMax
        while case .tell(let delivery) = step {
            switch delivery {
            case .event(let event):
                if await !tell(event) { state.withLock { $0.end() } }
            case .missed(let count):
                report(.overflowEnded(listener: listener.name, missed: count))
                switch listener.missing {
                case .plain(let told): told(count)
                case .isolated(let told): await told(count)
                case nil: break
                }
            }
            left -= 1
            step = state.withLock { $0.step(upTo: number, mayGoOn: left > 0) }
        }
        rest(step)
    }

    private func tellMissing(_ count: Int) {
        switch listener.missing {
        case .plain(let told): told(count)
        case .isolated(let told): Task { await told(count) }
        case nil: break
        }
    }

    private func rest(_ step: MailboxState<Event>.Step) {
        guard case .rest(let asksForTurn, let isOver) = step else { return }
        if asksForTurn { wake() }
        if isOver { tellEnd() }
    }
}
