import ChatModel
import Testing

private let store = ServiceKey<Int>("store")

@Suite struct DataServicesTests {
    private let services = DataServices { Issue.record("\($0)") }
    private let queue = StepQueue()
    private let received = ReceivedEvents<Int?>()

    private var listener: Listener<Int?> {
        Listener(named: "test", on: queue.listenerExecutor) { [received] in received.note($0) }
    }

    @Test func servicesArePublishedAndSubscribedTo() throws {
        let (subscription, current) = try services.subscribe(to: store, listener)
        #expect(current == nil)
        services.publish(1, as: store)
        services.publish(2, as: store)
        services.withdraw(store)
        queue.run()
        #expect(received.all == [1, 2, nil])
        services.publish(3, as: store)
        subscription.end()
        queue.run()
        #expect(received.all.count == 3)
        #expect(services.current(store) == 3)
    }

    @Test func aSubscriberGetsTheCurrentServiceAndLaterChanges() throws {
        services.publish(1, as: store)
        #expect(try services.subscribe(to: store, listener).current == 1)
        queue.run()
        #expect(received.all.isEmpty)
    }

    @Test func keysOfDifferentTypesAreDistinct() {
        services.publish(1, as: store)
        #expect(services.current(ServiceKey<String>("store")) == nil)
    }

    @Test func dataServicesOutliveASession() throws {
        let sessions = SceneSessions(services: services) { Issue.record("\($0)") }
        let first = try sessions.open(.group, members: ["Joe"], now: 0)
        #expect(try first.subscribe(to: store, in: services, listener) == nil)
        services.publish(7, as: store)
        first.end()
        queue.run()
        // Changes queued for the ended session are not delivered.
        #expect(received.all.isEmpty)
        let next = try sessions.open(.group, members: ["Joe"], now: 0)
        #expect(try next.subscribe(to: store, in: sessions.services, listener) == 7)
        services.publish(8, as: store)
        queue.run()
        #expect(received.all == [8])
    }
}
