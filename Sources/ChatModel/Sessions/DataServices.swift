import Synchronization

/// The name and the type under which a data service is published.
public struct ServiceKey<Service: Sendable>: Sendable, Hashable {
    /// The name.
    public let name: String

    /// A key; services of two types never meet, whatever their names.
    public init(_ name: String) {
        self.name = name
    }
}

/// Services that sessions use and that outlive them: stores, directories, whatever is published.
///
/// Who needs a service subscribes to its key, also before there is one, and is told when it is published,
/// replaced or withdrawn. A session that ends takes its subscriptions with it and leaves the services as they
/// are.
public final class DataServices: Sendable {
    /// Everything under one key.
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

    /// A directory without services.
    ///
    /// - Parameter report: hears of subscribers that are too slow.
    public init(reportingTo report: @escaping @Sendable (MulticastReport) -> Void) {
        self.report = report
    }

    /// Publishes a service; it takes the place of one that is there.
    public func publish<Service>(_ service: Service, as key: ServiceKey<Service>) {
        set(service, key)
    }

    /// Takes a service away.
    public func withdraw<Service>(_ key: ServiceKey<Service>) {
        set(nil, key)
    }

    /// The service that is published now.
    public func current<Service>(_ key: ServiceKey<Service>) -> Service? {
        slot(key).current.withLock { $0 }
    }

    /// Adds a subscriber, who is told every change to what is returned: the new service, or nil.
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
        let posting = slot.current.withLock { current in
            current = service
            return slot.changes.post(service)
        }
        posting.follow()
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

/// A subscription, which ends when it is told to.
public struct ServiceSubscription: Sendable {
    private let ends: @Sendable () -> Void

    init(_ ends: @escaping @Sendable () -> Void) {
        self.ends = ends
    }

    /// The subscriber is told nothing more, as with ``Multicast/remove(_:)``.
    public func end() { ends() }
}
