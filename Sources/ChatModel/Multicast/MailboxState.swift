/// What waits for one listener, and who is telling it.
struct MailboxState<Event: Sendable>: Sendable {
    private struct Item: Sendable {
        var event: Event
        /// Its number among all that was broadcast.
        var number: Int
        /// How many events were dropped directly before it.
        var missed = 0
    }

    /// What came of an event.
    enum Posting: Sendable {
        /// It waits, and somebody tells it or will.
        case waits
        /// It waits, and a turn has to be asked for.
        case wakes
        /// It is the first of those that are lost.
        case overflows
        /// It is lost as others before it.
        case isLost
        /// It found no room, and the listener is removed for it.
        case removes
        /// The listener hears no more.
        case isOver
    }

    /// What the listener is told next.
    enum Delivery: Sendable {
        case event(Event)
        case missed(Int)
    }

    /// What the one who is telling does next.
    enum Step: Sendable {
        case tell(Delivery)
        /// Nothing: the turn is over.
        case rest(asksForTurn: Bool, isOver: Bool)
    }

    private var waiting = EventRing<Item>()
    private var missedAtEnd = 0
    private var isOverflowing = false
    private var isScheduled = false
    private var isDelivering = false
    private var isFinishing = false
    private(set) var isOver = false
    private var isEndTold = false
    /// How many questions are under way.
    var questions = 0
    private var awaitingEnd: [CheckedContinuation<Void, Never>] = []

    mutating func post(_ event: Event, number: Int, _ queue: ListenerQueue) -> Posting {
        guard !isOver, !isFinishing else { return .isOver }
        if waiting.count >= queue.eventsMax { return overflow(event, number, queue.overflow) }
        isOverflowing = false
        store(event, number)
        return asksForTurn() ? .wakes : .waits
    }

    private mutating func store(_ event: Event, _ number: Int) {
        waiting.append(Item(event: event, number: number, missed: missedAtEnd))
        missedAtEnd = 0
    }

    private mutating func overflow(
        _ event: Event, _ number: Int, _ overflow: ListenerQueue.Overflow
    ) -> Posting {
        switch overflow {
        case .removesListener:
            end()
            return .removes
        case .dropsNewest:
            missedAtEnd += 1
        case .dropsOldest:
            let missed = 1 + (waiting.popFirst()?.missed ?? 0)
            store(event, number)
            waiting.first?.missed += missed
        }
        defer { isOverflowing = true }
        return isOverflowing ? .isLost : .overflows
    }

    /// Whether the caller has to ask the executor for a turn.
    private mutating func asksForTurn() -> Bool {
        guard !isScheduled, !isDelivering else { return false }
        isScheduled = true
        return true
    }

    /// The turn that was asked for begins; nil: somebody else is telling, and sees to the rest.
    mutating func beginTurn() -> Step? {
        isScheduled = false
        return beginDelivering(upTo: .max)
    }

    /// Begins to tell what was broadcast up to `number`; nil: somebody else is telling.
    mutating func beginDelivering(upTo number: Int) -> Step? {
        guard !isDelivering else { return nil }
        isDelivering = true
        return step(upTo: number, mayGoOn: true)
    }

    /// What is to be done next by the one who is telling.
    mutating func step(upTo number: Int, mayGoOn: Bool) -> Step {
        if mayGoOn, let delivery = next(upTo: number) { return .tell(delivery) }
        isDelivering = false
        endIfFinished()
        let hasMore = !waiting.isEmpty || missedAtEnd > 0
        return .rest(asksForTurn: hasMore && asksForTurn(), isOver: isOver)
    }

    /// What comes next, of the events that were broadcast up to `number`.
    private mutating func next(upTo number: Int) -> Delivery? {
        guard !isOver else { return nil }
        guard let first = waiting.first else {
            guard missedAtEnd > 0 else { return nil }
            defer { missedAtEnd = 0 }
            return .missed(missedAtEnd)
        }
        if first.missed > 0 {
            waiting.first?.missed = 0
            return .missed(first.missed)
        }
        guard first.number <= number else { return nil }
        return waiting.popFirst().map { .event($0.event) }
    }

    /// From now on nothing is told.
    mutating func end() {
        isOver = true
        waiting.removeAll()
        missedAtEnd = 0
    }

    /// What waits is told, nothing after it.
    mutating func finish() {
        isFinishing = true
        endIfFinished()
    }

    private mutating func endIfFinished() {
        if isFinishing, !isDelivering, waiting.isEmpty, missedAtEnd == 0 { end() }
    }

    /// Those who wait for the end, if it is to be told now; that is so at most once.
    mutating func tellsEnd() -> [CheckedContinuation<Void, Never>]? {
        guard isOver, !isDelivering, !isEndTold else { return nil }
        isEndTold = true
        return awaitingEnd.take()
    }

    /// Keeps the continuation until nothing is told any more; false: so it is.
    mutating func waitsForEnd(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard !isEndTold else { return false }
        awaitingEnd.append(continuation)
        return true
    }
}
