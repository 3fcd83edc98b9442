/// One who hears what is broadcast: what is done with an event, where, and what of questions it answers.
///
/// There are two kinds. One has an executor that is named, and a plain function that is called there:
/// ```swift
/// Listener<Notice>(named: "log", on: .queue { queue.async(execute: $0) }) { notice in log.write(notice) }
/// ```
/// The other takes its place from the closure itself, which may wait; the next event comes when it is done:
/// ```swift
/// Listener<Notice>(named: "view", weakly: view) { @MainActor view, notice in view.show(notice) }
/// ```
/// Either holds what its closures hold, or, with `weakly:`, ends with an object that it does not hold.
public struct Listener<Event: Sendable>: Sendable {
    /// Tells one event on the executor it is called on; false: the object it was for is gone.
    typealias Told = @Sendable (Event) -> Bool
    /// As ``Told``, in the actor it is called in.
    typealias IsolatedTold = nonisolated(nonsending) @Sendable (Event) async -> Bool

    /// How and where an event is told.
    enum Ear: Sendable {
        case plain(ListenerExecutor, Told)
        case isolated((any Actor)?, IsolatedTold)
    }

    /// Tells of a gap.
    enum Missing: Sendable {
        case plain(@Sendable (Int) -> Void)
        case isolated(@isolated(any) @Sendable (Int) async -> Void)
    }

    /// What reports call it.
    public let name: String
    /// How many events may wait for it.
    public let queue: ListenerQueue
    let ear: Ear
    var missing: Missing?
    /// By the question's type.
    var answers: [ObjectIdentifier: Answer] = [:]
    /// Called after the last event, when the multicast has finished or the listener was removed.
    var ends: (@Sendable () -> Void)?

    /// A listener that is called on an executor.
    ///
    /// - Parameters:
    ///   - name: what reports call it.
    ///   - executor: where it is called.
    ///   - queue: how many events may wait for it.
    ///   - hears: what it does with an event.
    public init(
        named name: String, on executor: ListenerExecutor, queue: ListenerQueue = ListenerQueue(),
        hears: @escaping @Sendable (Event) -> Void
    ) {
        self.init(
            name: name, queue: queue,
            ear: .plain(executor) { event in
                hears(event)
                return true
            })
    }

    /// A listener that is called on an executor for as long as somebody else holds the object.
    public init<Object: AnyObject & Sendable>(
        named name: String, weakly object: Object, on executor: ListenerExecutor,
        queue: ListenerQueue = ListenerQueue(),
        hears: @escaping @Sendable (Object, Event) -> Void
    ) {
        self.init(
            name: name, queue: queue,
            ear: .plain(executor) { [weak object] event in
                guard let object else { return false }
                hears(object, event)
                return true
            })
    }

    /// A listener that is called where its closure belongs: a global actor, an actor, or the pool.
    public init(
        named name: String, queue: ListenerQueue = ListenerQueue(),
        hears: @escaping @isolated(any) @Sendable (Event) async -> Void
    ) {
        self.init(
            name: name, queue: queue,
            ear: .isolated(hears.isolation) { event in
                await hears(event)
                return true
            })
    }

    /// A listener that is called where its closure belongs for as long as somebody else holds the object.
    public init<Object: AnyObject & Sendable>(
        named name: String, weakly object: Object, queue: ListenerQueue = ListenerQueue(),
        hears: @escaping @isolated(any) @Sendable (Object, Event) async -> Void
    ) {
        self.init(
            name: name, queue: queue,
            ear: .isolated(hears.isolation) { [weak object] event in
                guard let object else { return false }
                await hears(object, event)
                return true
            })
    }

    private init(name: String, queue: ListenerQueue, ear: Ear) {
        self.name = name
        self.queue = queue
        self.ear = ear
    }

    /// The listener, told of gaps too: where events are missing, before the next one, on its executor.
    public func missing(_ told: @escaping @Sendable (_ events: Int) -> Void) -> Listener {
        var listener = self
        listener.missing = .plain(told)
        return listener
    }

    /// The listener, told of gaps where the closure belongs.
    public func missing(
        isolated told: @escaping @isolated(any) @Sendable (_ events: Int) async -> Void
    ) -> Listener {
        var listener = self
        listener.missing = .isolated(told)
        return listener
    }
}
