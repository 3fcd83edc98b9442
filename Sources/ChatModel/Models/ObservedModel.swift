public import Observation
import Synchronization

/// A value that changes, and that views follow without polling.
///
/// Whoever reads it inside `withObservationTracking`, `Observations { }` or a view's body is told when it has
/// changed; ``states(named:queue:)`` gives each state to a `for await` loop, ``add(_:)`` to a listener on its
/// executor. Any thread may read and change it.
///
/// Observers are told after a change, not before it: on many threads, one who looks again at once would
/// otherwise see what was, and not be told any more.
@dynamicMemberLookup
public final class ObservedModel<State: Sendable>: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    private let current: Mutex<State>
    private let changes: Multicast<State>

    /// A model of a state.
    ///
    /// - Parameter report: hears of listeners that are too slow.
    public init(
        _ state: State, reportingTo report: @escaping @Sendable (MulticastReport) -> Void
    ) {
        current = Mutex(state)
        changes = Multicast(reportingTo: report)
    }

    /// The state now.
    public var state: State {
        registrar.access(self, keyPath: \.state)
        return current.withLock { $0 }
    }

    /// A part of the state.
    public subscript<Part>(dynamicMember part: KeyPath<State, Part>) -> Part {
        state[keyPath: part]
    }

    /// Changes the state and tells so; what `body` returns is returned.
    @discardableResult
    public func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        let (result, posting) = current.withLock { state in
            (body(&state), changes.post(state))
        }
        posting.follow()
        registrar.willSet(self, keyPath: \.state)
        registrar.didSet(self, keyPath: \.state)
        return result
    }

    /// Adds a listener, who is told each state after the one that is returned.
    public func add(
        _ listener: Listener<State>
    ) throws(MulticastError) -> (id: ListenerID, state: State) {
        let (added, state) = current.withLock { state in
            (Result { () throws(MulticastError) in try changes.add(listener) }, state)
        }
        return (try added.get(), state)
    }

    /// Removes a listener, as ``Multicast/remove(_:)`` does.
    @discardableResult
    public func remove(_ listener: ListenerID) -> Bool { changes.remove(listener) }

    /// Each state from the next change on. A loop that is too slow misses states in between, which is
    /// reported, and has the latest.
    public func states(
        named name: String, queue: ListenerQueue = ListenerQueue(eventsMax: 64)
    ) throws(MulticastError) -> AsyncStream<State> {
        try changes.events(named: name, queue: queue)
    }
}
