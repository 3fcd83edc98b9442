import Synchronization

/// Key of a data service: its name and type.
public struct ServiceKey<Service: Sendable>: Sendable, Hashable {
    /// The name. Keys with the same name and type refer to the same service.
    public let name: String

    /// Creates a key. Keys of different service types are distinct even if they share a name.
    public init(_ name: String) {
        self.name = name
    }
}

/// A registry of services that outlive sessions, such as message stores and contact lists.
///
/// A client subscribes to a key and is notified when a service is published, replaced or withdrawn
/// under that key. It can subscribe before any service is published. When a session ends, its
/// subscriptions are cancelled; the services are not affected. All methods may be called from any
/// thread.
public final class DataServices: Sendable {
    /// The slot of one key: its service and subscribers.
    private final class Slot<Service: Sendable>: Sendable {
        let current = Mutex<Service?>(nil)
        let changes: Multicast<Service?>

        init(_ report: @escaping @Sendable (MulticastReport) -> Void) {
            changes = Multicast(reportingTo: report)
        }
    }

    private struct SlotID: Hashable {
        var type: ObjectIdentifier
        var name: String
    }

    private let report: @Sendable (MulticastReport) -> Void
    private let slots = Mutex<[SlotID: any Sendable]>([:])

    /// Creates an empty registry.
    ///
    /// - Parameter report: called when a subscriber is too slow; it may be called on any thread.
    public init(reportingTo report: @escaping @Sendable (MulticastReport) -> Void) {
        self.report = report
    }

    /// Publishes a service, replacing any earlier one.
    public func publish<Service>(_ service: Service, as key: ServiceKey<Service>) {
        set(service, key)
    }

    /// Withdraws a service. Has no effect if it is not published.
    public func withdraw<Service>(_ key: ServiceKey<Service>) {
        set(nil, key)
    }

    /// Returns the published service; nil if there is none.
    public func current<Service>(_ key: ServiceKey<Service>) -> Service? {
        slot(key).current.withLock { $0 }
    }

    /// Adds a subscriber, which is notified of every change: with the new service, or with nil if
    /// the service was withdrawn.
    ///
    /// - Returns: the subscription, and the currently published service.
    /// - Throws: ``MulticastError`` if there are too many subscribers.
    public func subscribe<Service>(
        to key: ServiceKey<Service>, _ listener: Listener<Service?>
    ) throws(MulticastError) -> (subscription: ServiceSubscription, current: Service?) {
        let slot = slot(key)
        let (added, current) = slot.current.withLock { current in
            (Result { () throws(MulticastError) in try slot.changes.add(listener) }, current)
        }
        let id = try added.get()
        return (ServiceSubscription { slot.changes.remove(id) }, current)
    }

    private func set<Service>(_ service: Service?, _ key: ServiceKey<Service>) {
        let slot = slot(key)
        let followUp = slot.current.withLock { current in
            current = service
            return slot.changes.post(service)
        }
        followUp.run()
    }

    private func slot<Service>(_ key: ServiceKey<Service>) -> Slot<Service> {
        let id = SlotID(type: ObjectIdentifier(Service.self), name: key.name)
        return slots.withLock { slots in
            if let slot = slots[id] as? Slot<Service> { return slot }
            let slot = Slot<Service>(report)
            slots[id] = slot
            return slot
        }
    }
}

/// A subscription to a data service. It lasts until ``end()`` is called.
public struct ServiceSubscription: Sendable {
    private let ends: @Sendable () -> Void

    init(_ ends: @escaping @Sendable () -> Void) {
        self.ends = ends
    }

    /// Ends the subscription, as ``Multicast/remove(_:)`` does.
    public func end() { ends() }
}
