/// A receiver of broadcast events: a handler, the executor or actor that it runs on, and the
/// questions that it can answer.
///
/// There are two kinds of listener. The first kind specifies an executor and has a synchronous
/// handler, which is called on that executor:
/// ```swift
/// Listener<Notice>(named: "log", on: .queue { queue.async(execute: $0) }) { notice in
///     log.write(notice)
/// }
/// ```
/// The second kind runs in the isolation of its closure, which may be asynchronous. The next event
/// is delivered after the closure has returned:
/// ```swift
/// Listener<Notice>(named: "view", weakly: view) { @MainActor view, notice in view.show(notice) }
/// ```
/// A listener retains whatever its closures capture. A listener created with `weakly:` does not
/// retain the given object, and receives no more events once the object has been deallocated.
public struct Listener<Event: Sendable>: Sendable {
    /// Handles an event. Called on the listener's executor. Returns false if the listener's object
    /// has been deallocated.
    typealias Handler = @Sendable (Event) -> Bool
    /// Like ``Handler``, but isolated to the calling actor.
    typealias IsolatedHandler = nonisolated(nonsending) @Sendable (Event) async -> Bool

    /// A listener's event handler, and where it runs.
    enum Receiver: Sendable {
        case plain(ListenerExecutor, Handler)
        case isolated((any Actor)?, IsolatedHandler)
    }

    /// Handler that is called with the number of missed events.
    enum GapHandler: Sendable {
        case plain(@Sendable (Int) -> Void)
        case isolated(@isolated(any) @Sendable (Int) async -> Void)
    }

    /// The name used in reports.
    public let name: String
    /// The listener's queue of undelivered events.
    public let queue: ListenerQueue
    let receiver: Receiver
    var gapHandler: GapHandler?
    var answers: [ObjectIdentifier: Answer] = [:]
    /// Called after the last event, either because the multicast has finished or because the
    /// listener was removed. Nil to do nothing.
    var ends: (@Sendable () -> Void)?

    /// Creates a listener that is called on an executor.
    ///
    /// - Parameters:
    ///   - name: the name used in reports.
    ///   - executor: the executor that runs `handler`.
    ///   - queue: the queue of undelivered events and its overflow policy.
    ///   - handler: handles an event. It is never called concurrently with itself.
    public init(
        named name: String, on executor: ListenerExecutor, queue: ListenerQueue = ListenerQueue(),
        handler: @escaping @Sendable (Event) -> Void
    ) {
        self.init(
            name: name, queue: queue,
            receiver: .plain(executor) { event in
                handler(event)
                return true
            })
    }

    /// Creates a listener that is called on an executor until `object` is deallocated.
    ///
    /// - Parameters:
    ///   - name: the name used in reports.
    ///   - object: passed to `handler`; it is not retained.
    ///   - executor: the executor that runs `handler`.
    ///   - queue: the queue of undelivered events and its overflow policy.
    ///   - handler: handles an event. It is never called concurrently with itself.
    public init<Object: AnyObject & Sendable>(
        named name: String, weakly object: Object, on executor: ListenerExecutor,
        queue: ListenerQueue = ListenerQueue(),
        handler: @escaping @Sendable (Object, Event) -> Void
    ) {
        self.init(
            name: name, queue: queue,
            receiver: .plain(executor) { [weak object] event in
                guard let object else { return false }
                handler(object, event)
                return true
            })
    }

    /// Creates a listener that runs in the isolation of its closure: a global actor, an actor, or
    /// the default thread pool.
    ///
    /// - Parameters:
    ///   - name: the name used in reports.
    ///   - queue: the queue of undelivered events and its overflow policy.
    ///   - handler: handles an event. The next event is delivered when it returns.
    public init(
        named name: String, queue: ListenerQueue = ListenerQueue(),
        handler: @escaping @isolated(any) @Sendable (Event) async -> Void
    ) {
        self.init(
            name: name, queue: queue,
            receiver: .isolated(handler.isolation) { event in
                await handler(event)
                return true
            })
    }

    /// Creates a listener that runs in the isolation of its closure until `object` is deallocated.
    ///
    /// - Parameters:
    ///   - name: the name used in reports.
    ///   - object: passed to `handler`; it is not retained.
    ///   - queue: the queue of undelivered events and its overflow policy.
    ///   - handler: handles an event. The next event is delivered when it returns.
    public init<Object: AnyObject & Sendable>(
        named name: String, weakly object: Object, queue: ListenerQueue = ListenerQueue(),
        handler: @escaping @isolated(any) @Sendable (Object, Event) async -> Void
    ) {
        self.init(
            name: name, queue: queue,
            receiver: .isolated(handler.isolation) { [weak object] event in
                guard let object else { return false }
                await handler(object, event)
                return true
            })
    }

    private init(name: String, queue: ListenerQueue, receiver: Receiver) {
        self.name = name
        self.queue = queue
        self.receiver = receiver
    }

    /// Returns a copy of the listener that is also notified of gaps.
    ///
    /// - Parameter handler: called on the listener's executor before the next event, with the
    ///   number of missed events.
    public func onMissedEvents(_ handler: @escaping @Sendable (_ events: Int) -> Void) -> Listener {
        var listener = self
        listener.gapHandler = .plain(handler)
        return listener
    }

    /// Returns a copy of the listener that is also notified of gaps.
    ///
    /// - Parameter handler: called in its own isolation before the next event, with the number of
    ///   missed events.
    public func onMissedEvents(
        isolated handler: @escaping @isolated(any) @Sendable (_ events: Int) async -> Void
    ) -> Listener {
        var listener = self
        listener.gapHandler = .isolated(handler)
        return listener
    }
}
