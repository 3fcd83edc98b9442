public import Observation
import Synchronization

/// An observable value that views follow without polling.
///
/// A reader in `withObservationTracking`, `Observations { }` or a view's body is notified after
/// each change. ``states(named:queue:)`` passes each state to a `for await` loop, and ``add(_:)``
/// to a listener on its executor. The model may be read and changed from any thread.
///
/// Observers are notified after a change rather than before it. Otherwise, an observer on another
/// thread that re-reads the state at once could see the old state and miss the change.
@dynamicMemberLookup
public final class ObservedModel<State: Sendable>: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let current: Mutex<State>
    private let changes: Multicast<State>

    /// Creates a model.
    ///
    /// - Parameters:
    ///   - state: the initial state.
    ///   - report: called when a listener is too slow; it may be called on any thread.
    public init(
        _ state: State, reportingTo report: @escaping @Sendable (MulticastReport) -> Void
    ) {
        current = Mutex(state)
        changes = Multicast(reportingTo: report)
    }

    /// The current state.
    public var state: State {
        registrar.access(self, keyPath: \.state)
        return current.withLock { $0 }
    }

    /// A property of the current state.
    public subscript<Part>(dynamicMember part: KeyPath<State, Part>) -> Part {
        state[keyPath: part]
    }

    /// Changes the state and notifies observers and listeners.
    ///
    /// - Parameter body: changes the state. It runs under a lock, so it must not access this model.
    /// - Returns: the result of `body`.
    @discardableResult
    public func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, followUp) = current.withLock { state in
            (body(&state), changes.post(state))
        }
        followUp.run()
        registrar.willSet(self, keyPath: \.state)
        registrar.didSet(self, keyPath: \.state)
        return result
    }

    /// Adds a listener.
    ///
    /// - Returns: the listener's id, and the current state. The listener receives every later
    ///   state.
    /// - Throws: ``MulticastError`` if there are too many listeners.
    public func add(
        _ listener: Listener<State>
    ) throws(MulticastError) -> (id: ListenerID, state: State) {
        let (added, state) = current.withLock { state in
            (Result { () throws(MulticastError) in try changes.add(listener) }, state)
        }
        return (try added.get(), state)
    }

    /// Removes a listener, as ``Multicast/remove(_:)`` does. Returns false if there is no such
    /// listener.
    @discardableResult
    public func remove(_ listener: ListenerID) -> Bool { changes.remove(listener) }

    /// Returns a sequence of states for `for await` loops, starting with the next change. A loop
    /// that is too slow misses intermediate states, which is reported, but always gets the latest
    /// state.
    ///
    /// - Throws: ``MulticastError`` if there are too many listeners.
    public func states(
        named name: String, queue: ListenerQueue = ListenerQueue(eventsMax: 64)
    ) throws(MulticastError) -> AsyncStream<State> {
        try changes.events(named: name, queue: queue)
    }
}
