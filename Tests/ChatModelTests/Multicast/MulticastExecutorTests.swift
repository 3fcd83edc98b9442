import ChatModel
import Testing

/// Delivery to many listeners, each on its own executor.
@Suite struct MulticastExecutorTests {
    private let received = ReceivedEvents<Int>()
    private let multicast = Multicast<Int> { Issue.record("\($0)") }

    private func deliversInOrder() async {
        for event in 0..<200 { multicast.broadcast(event) }
        #expect(await received.first(200) == Array(0..<200))
    }

    @Test func deliversInOrderOnTheMainActor() async throws {
        try multicast.add(
            Listener(named: "view") { @MainActor [received] event in
                MainActor.assertIsolated()
                received.note(event)
            })
        await deliversInOrder()
    }

    @Test func deliversInOrderOnAGlobalActor() async throws {
        try multicast.add(
            Listener(named: "actor") { @TestActor [received] event in
                TestActor.assertIsolated()
                await Task.yield()
                received.note(event)
            })
        await deliversInOrder()
    }

    @Test func deliversInOrderOnAGivenActor() async throws {
        try multicast.add(
            Listener(named: "actor", on: .actor(TestActor.shared)) { [received] event in
                TestActor.assertIsolated()
                received.note(event)
            })
        await deliversInOrder()
    }

    @Test func deliversInOrderOnASerialExecutor() async throws {
        let executor = OwnExecutor()
        try multicast.add(
            Listener(named: "serial", on: .serial(executor)) { [received] event in
                executor.preconditionIsolated()
                received.note(event)
            })
        await deliversInOrder()
    }

    @Test func deliversInOrderOnATaskExecutor() async throws {
        let executor = OwnExecutor()
        try multicast.add(
            Listener(named: "task", on: .task(executor)) { [received] event in
                executor.preconditionIsolated()
                received.note(event)
            })
        await deliversInOrder()
    }

    @Test func deliversInOrderOnThePool() async throws {
        try multicast.add(
            Listener(named: "pool", on: .pool) { [received] event in received.note(event) })
        await deliversInOrder()
    }

    @Test func deliversInOrderWithoutIsolation() async throws {
        try multicast.add(
            Listener(named: "anywhere") { [received] event in
                await Task.yield()
                received.note(event)
            })
        await deliversInOrder()
    }

    @Test func concurrentBroadcastsReachAllListenersInOneOrder() async throws {
        let others = [ReceivedEvents<Int>(), ReceivedEvents<Int>(), ReceivedEvents<Int>()]
        for (index, other) in others.enumerated() {
            try multicast.add(
                Listener(named: "\(index)", on: index == 0 ? .actor(MainActor.shared) : .pool) {
                    other.note($0)
                })
        }
        await withTaskGroup { group in
            for sender in 0..<4 {
                group.addTask { [multicast] in
                    for event in 0..<100 { multicast.broadcast(sender * 1_000 + event) }
                }
            }
        }
        let first = await others[0].first(400)
        #expect(await others[1].first(400) == first)
        #expect(await others[2].first(400) == first)
        for sender in 0..<4 {
            let own = first.filter { $0 / 1_000 == sender }
            #expect(own == own.sorted())
        }
    }
}
