import Synchronization

/// Tells many listeners of events, each on its own executor.
///
/// - Broadcasting does not wait for listeners. It costs a place in the queue of each, and where a queue is
///   full, what its listener chose happens and is reported.
/// - All listeners hear events in one order, also when several tasks broadcast at once. A listener is never
///   told two events at a time.
/// - A listener hears every event whose broadcast begins after ``add(_:)`` has returned.
/// - When ``remove(_:)`` has returned, no call of the listener begins. A call that runs on another thread at
///   that moment is not broken off; on the listener's own serial executor there is none, so that it hears
///   nothing more. ``removeAndWait(_:)`` returns when such a call has ended too.
/// - No lock is held while a listener, an executor or the report is called: they may broadcast, add and
///   remove.
public final class Multicast<Event: Sendable>: Sendable {
    private struct Audience {
        var mailboxes: [Mailbox<Event>] = []
        /// How many events have been broadcast.
        var eventCount = 0
        var listenerCount = 0
        var isFinished = false
    }

    /// How many listeners there may be at once where nothing else is said.
    public static var listenersMaxByDefault: Int { 1_024 }

    /// How many listeners there may be at once.
    public let listenersMax: Int
    let report: @Sendable (MulticastReport) -> Void
    private let audience = Mutex(Audience())

    /// A multicast without listeners.
    ///
    /// - Parameters:
    ///   - listenersMax: how many listeners there may be at once.
    ///   - report: hears of every overflow, on whatever thread it happened; it must not block.
    public init(
        listenersMax: Int = listenersMaxByDefault,
        reportingTo report: @escaping @Sendable (MulticastReport) -> Void
    ) {
        self.listenersMax = listenersMax
        self.report = report
    }

    /// How many listeners there are. One whose object is gone counts until the next event finds that out.
    public var listenerCount: Int { audience.withLock { $0.mailboxes.count } }

    /// Adds a listener, which hears every event from now on.
    @discardableResult
    public func add(_ listener: Listener<Event>) throws(MulticastError) -> ListenerID {
        let added = audience.withLock { audience -> Result<ListenerID, MulticastError> in
            guard !audience.isFinished else { return .failure(.finished) }
            if audience.mailboxes.count >= listenersMax {
                audience.mailboxes.removeAll { $0.isOver }
            }
            guard audience.mailboxes.count < listenersMax else {
                return .failure(.tooManyListeners(listenersMax: listenersMax))
            }
            audience.listenerCount += 1
            let id = ListenerID(number: audience.listenerCount)
            audience.mailboxes.append(Mailbox(listener, id: id, report: report))
            return .success(id)
        }
        return try added.get()
    }

    /// Removes a listener: when this has returned, no call of it begins, and what waited for it is dropped.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    public func remove(_ id: ListenerID) -> Bool {
        guard let mailbox = take(id) else { return false }
        mailbox.remove()
        return true
    }

    /// Removes a listener and returns when the last call of it has ended.
    ///
    /// A listener that removes itself while it is told uses ``remove(_:)``: here it would wait for itself.
    public func removeAndWait(_ id: ListenerID) async {
        guard let mailbox = take(id) else { return }
        mailbox.remove()
        await mailbox.lastCall()
    }

    private func take(_ id: ListenerID) -> Mailbox<Event>? {
        audience.withLock { audience in
            guard let place = audience.mailboxes.firstIndex(where: { $0.id == id }) else {
                return nil
            }
            return audience.mailboxes.remove(at: place)
        }
    }

    /// Tells all listeners of an event, without waiting for them.
    public func broadcast(_ event: Event) {
        post(event).follow()
    }

    /// Puts the event into the queues of all listeners and nothing else, for callers that hold a lock under
    /// which events have their order. They call ``MulticastPosting/follow()`` when they have given it up.
    func post(_ event: Event) -> MulticastPosting<Event> {
        audience.withLock { audience in
            var posting = MulticastPosting<Event>()
            guard !audience.isFinished else { return posting }
            audience.eventCount += 1
            var hasEnded = false
            for mailbox in audience.mailboxes {
                switch mailbox.post(event, number: audience.eventCount) {
                case .waits, .isLost: break
                case .isOver: hasEnded = true
                case .removes:
                    hasEnded = true
                    posting.append(mailbox, .removes)
                case let other: posting.append(mailbox, other)
                }
            }
            if hasEnded { audience.mailboxes.removeAll { $0.isOver } }
            return posting
        }
    }

    /// Nothing is broadcast any more; what waits is still told.
    public func finish() {
        for mailbox in close() { mailbox.finish() }
    }

    /// Nothing is broadcast any more; returns when all listeners have been told all that waited, however long
    /// they take. A listener does not call this while it is told: it would wait for itself.
    public func finishAndWait() async {
        let mailboxes = close()
        for mailbox in mailboxes { mailbox.finish() }
        for mailbox in mailboxes { await mailbox.lastCall() }
    }

    private func close() -> [Mailbox<Event>] {
        audience.withLock { audience in
            audience.isFinished = true
            return audience.mailboxes.take()
        }
    }

    /// Those who answer questions of a type, and how many events they should have heard before they do.
    func answerers(
        of type: ObjectIdentifier
    ) -> (mailboxes: [Mailbox<Event>], eventCount: Int) {
        audience.withLock { audience in
            (
                audience.mailboxes.filter { !$0.isOver && $0.listener.answers[type] != nil },
                audience.eventCount
            )
        }
    }
}

/// What is to be done for an event that has found its places: asking for turns, and reports.
struct MulticastPosting<Event: Sendable>: Sendable {
    private typealias Work = (mailbox: Mailbox<Event>, posting: MailboxState<Event>.Posting)

    /// Most events wake one listener or none: an array is made only for more.
    private var first: Work?
    private var rest: [Work] = []

    fileprivate mutating func append(
        _ mailbox: Mailbox<Event>, _ posting: MailboxState<Event>.Posting
    ) {
        if first == nil { first = (mailbox, posting) } else { rest.append((mailbox, posting)) }
    }

    func follow() {
        guard let first else { return }
        first.mailbox.follow(first.posting)
        for work in rest { work.mailbox.follow(work.posting) }
    }
}
