/// A listener's undelivered events and the state of their delivery.
struct MailboxState<Event: Sendable>: Sendable {
    private struct Item: Sendable {
        var event: Event
        /// The event's sequence number among all events of the multicast.
        var number: Int
        /// Number of events dropped immediately before this one.
        var missed = 0
    }

    /// Result of posting an event to a mailbox.
    enum PostResult: Sendable {
        /// The event was queued, and a turn is already running or requested.
        case queued
        /// The event was queued, and the caller must request a turn.
        case needsTurn
        /// An event was dropped, which starts a gap.
        case overflowBegan
        /// An event was dropped, which extends the current gap.
        case dropped
        /// The queue was full, so the listener was removed.
        case listenerRemoved
        /// The listener receives no more events.
        case ended
    }

    /// An event, or a number of missed events, to pass to the listener.
    enum Delivery: Sendable {
        case event(Event)
        case missed(Int)
    }

    /// The next step of a running delivery.
    enum Step: Sendable {
        case deliver(Delivery)
        /// The turn is over: nothing is left to deliver, or the turn has reached its limit.
        case idle(needsTurn: Bool, isOver: Bool)
    }

    private var waiting = EventRing<Item>()
    private var missedAtEnd = 0
    private var isOverflowing = false
    private var isScheduled = false
    private var isDelivering = false
    private var isFinishing = false
    private(set) var isOver = false
    private var isEndNotified = false
    var questions = 0
    private var endWaiters: [CheckedContinuation<Void, Never>] = []

    mutating func post(_ event: Event, number: Int, _ queue: ListenerQueue) -> PostResult {
        guard !isOver, !isFinishing else { return .ended }
        if waiting.count >= queue.eventsMax { return overflow(event, number, queue.overflow) }
        isOverflowing = false
        store(event, number)
        return needsTurn() ? .needsTurn : .queued
    }

    private mutating func store(_ event: Event, _ number: Int) {
        waiting.append(Item(event: event, number: number, missed: missedAtEnd))
        missedAtEnd = 0
    }

    private mutating func overflow(
        _ event: Event, _ number: Int, _ overflow: ListenerQueue.Overflow
    ) -> PostResult {
        switch overflow {
        case .removesListener:
            end()
            return .listenerRemoved
        case .dropsNewest:
            missedAtEnd += 1
        case .dropsOldest:
            let missed = 1 + (waiting.popFirst()?.missed ?? 0)
            store(event, number)
            waiting.first?.missed += missed
        }
        defer { isOverflowing = true }
        return isOverflowing ? .dropped : .overflowBegan
    }

    /// Returns whether the caller must request a turn. If so, marks a turn as requested.
    private mutating func needsTurn() -> Bool {
        guard !isScheduled, !isDelivering else { return false }
        isScheduled = true
        return true
    }

    /// Begins a requested turn. Returns nil if another delivery is running, which then also handles
    /// the queue.
    mutating func beginTurn() -> Step? {
        isScheduled = false
        return beginDelivering(upTo: .max)
    }

    /// Begins to deliver the events up to `number`. Returns nil if another delivery is running.
    mutating func beginDelivering(upTo number: Int) -> Step? {
        guard !isDelivering else { return nil }
        isDelivering = true
        return step(upTo: number, mayContinue: true)
    }

    mutating func step(upTo number: Int, mayContinue: Bool) -> Step {
        if mayContinue, let delivery = next(upTo: number) { return .deliver(delivery) }
        isDelivering = false
        endIfFinished()
        let hasMore = !waiting.isEmpty || missedAtEnd > 0
        return .idle(needsTurn: hasMore && needsTurn(), isOver: isOver)
    }

    /// Removes and returns the next delivery, up to event `number`; nil if there is none.
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

    /// Ends delivery and drops the queue.
    mutating func end() {
        isOver = true
        waiting.removeAll()
        missedAtEnd = 0
    }

    /// Stops accepting events, and ends once the queue is empty.
    mutating func finish() {
        isFinishing = true
        endIfFinished()
    }

    private mutating func endIfFinished() {
        if isFinishing, !isDelivering, waiting.isEmpty, missedAtEnd == 0 { end() }
    }

    /// Returns the continuations to resume once the mailbox has ended; nil before the end and on
    /// later calls.
    mutating func takeEndWaiters() -> [CheckedContinuation<Void, Never>]? {
        guard isOver, !isDelivering, !isEndNotified else { return nil }
        isEndNotified = true
        return endWaiters.take()
    }

    /// Stores a continuation to resume at the end. Returns false if the end has already been
    /// announced.
    mutating func waitsForEnd(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        guard !isEndNotified else { return false }
        endWaiters.append(continuation)
        return true
    }
}
