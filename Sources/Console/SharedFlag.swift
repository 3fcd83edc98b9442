import Synchronization

/// A flag that several tasks share, such as a request to stop.
package final class SharedFlag: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isSet: Bool { flag.load(ordering: .relaxed) }

    /// Sets the flag and returns its previous value.
    @discardableResult
    package func set() -> Bool { flag.exchange(true, ordering: .relaxed) }
}
