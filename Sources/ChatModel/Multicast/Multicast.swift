import Synchronization

/// A broadcaster of events to many listeners, each on its own executor.
///
/// - Broadcasting does not wait for listeners. It puts the event into each listener's queue; if a
///   queue is full, the listener's overflow policy applies and the overflow is reported.
/// - All listeners receive events in the same order, even if several tasks broadcast concurrently.
///   A listener never handles two events at a time.
/// - A listener receives every event whose broadcast begins after ``add(_:)`` has returned.
/// - After ``remove(_:)`` has returned, the listener is not called again. A call that is already
///   running on another thread is not interrupted; use ``removeAndWait(_:)`` to wait for it. If you
///   call ``remove(_:)`` on the listener's own serial executor, no other call can be running, so
///   there is no need to wait.
/// - No lock is held during calls to a listener, an executor or the report closure, so these may
///   broadcast, add and remove listeners.
/// - All methods may be called from any thread.
public final class Multicast<Event: Sendable>: Sendable {
    private struct Audience {
        var mailboxes: [Mailbox<Event>] = []
        var eventCount = 0
        var listenerCount = 0
        var isFinished = false
    }

    /// Default maximum number of simultaneous listeners.
    public static var listenersMaxByDefault: Int { 1_024 }

    /// Maximum number of simultaneous listeners.
    public let listenersMax: Int
    let report: @Sendable (MulticastReport) -> Void
    private let audience = Mutex(Audience())

    /// Creates a multicast without listeners.
    ///
    /// - Parameters:
    ///   - listenersMax: maximum number of simultaneous listeners.
    ///   - report: called for every overflow, on the thread where it happened. It must not block.
    public init(
        listenersMax: Int = listenersMaxByDefault,
        reportingTo report: @escaping @Sendable (MulticastReport) -> Void
    ) {
        self.listenersMax = listenersMax
        self.report = report
    }

    /// Number of listeners. A listener whose object has been deallocated is counted until the next
    /// event.
    public var listenerCount: Int { audience.withLock { $0.mailboxes.count } }

    /// Adds a listener, which receives all subsequent events.
    ///
    /// - Returns: the id for removing the listener.
    /// - Throws: ``MulticastError`` if there are too many listeners or the multicast has finished.
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

    /// Removes a listener and drops its queue. After this has returned, the listener is not called
    /// again.
    ///
    /// - Returns: false if there is no such listener.
    @discardableResult
    public func remove(_ id: ListenerID) -> Bool {
        guard let mailbox = take(id) else { return false }
        mailbox.remove()
        return true
    }

    /// Removes a listener and waits until its last call has ended.
    ///
    /// A listener must not call this while handling an event, because it would wait for itself; use
    /// ``remove(_:)`` instead.
    public func removeAndWait(_ id: ListenerID) async {
        guard let mailbox = take(id) else { return }
        mailbox.remove()
        await mailbox.waitForLastCall()
    }

    private func take(_ id: ListenerID) -> Mailbox<Event>? {
        audience.withLock { audience in
            guard let index = audience.mailboxes.firstIndex(where: { $0.id == id }) else {
                return nil
            }
            return audience.mailboxes.remove(at: index)
        }
    }

    /// Broadcasts an event without waiting for the listeners. Has no effect after ``finish()``.
    public func broadcast(_ event: Event) {
        post(event).run()
    }

    /// Adds the event to all queues without calling any listener. Callers can use this while they
    /// hold the lock that determines the order of events. After releasing the lock, they must call
    /// ``MulticastFollowUp/run()`` on the result.
    func post(_ event: Event) -> MulticastFollowUp<Event> {
        audience.withLock { audience in
            var followUp = MulticastFollowUp<Event>()
            guard !audience.isFinished else { return followUp }
            audience.eventCount += 1
            var hasEnded = false
            for mailbox in audience.mailboxes {
                switch mailbox.post(event, number: audience.eventCount) {
                case .queued, .dropped: break
                case .ended: hasEnded = true
                case .listenerRemoved:
                    hasEnded = true
                    followUp.append(mailbox, .listenerRemoved)
                case let other: followUp.append(mailbox, other)
                }
            }
            if hasEnded { audience.mailboxes.removeAll { $0.isOver } }
            return followUp
        }
    }

    /// Ends the multicast without waiting. Events already queued are still delivered.
    public func finish() {
        for mailbox in close() { mailbox.finish() }
    }

    /// Ends the multicast and waits, without a time limit, until all queued events have been
    /// delivered.
    ///
    /// A listener must not call this while handling an event, because it would wait for itself.
    public func finishAndWait() async {
        let mailboxes = close()
        for mailbox in mailboxes { mailbox.finish() }
        for mailbox in mailboxes { await mailbox.waitForLastCall() }
    }

    private func close() -> [Mailbox<Event>] {
        audience.withLock { audience in
            audience.isFinished = true
            return audience.mailboxes.take()
        }
    }

    /// Returns the listeners that answer questions of a type, and the number of events that each
    /// must have received before it answers.
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

/// The work that remains after queuing an event: requesting turns and reporting overflows.
struct MulticastFollowUp<Event: Sendable>: Sendable {
    private typealias Work = (mailbox: Mailbox<Event>, result: MailboxState<Event>.PostResult)

    /// The first piece of work; nil if there is none. Most events need at most one turn, so the
    /// array is allocated only for more.
    private var first: Work?
    private var rest: [Work] = []

    fileprivate mutating func append(
        _ mailbox: Mailbox<Event>, _ result: MailboxState<Event>.PostResult
    ) {
        if first == nil { first = (mailbox, result) } else { rest.append((mailbox, result)) }
    }

    func run() {
        guard let first else { return }
        first.mailbox.follow(up: first.result)
        for work in rest { work.mailbox.follow(up: work.result) }
    }
}
