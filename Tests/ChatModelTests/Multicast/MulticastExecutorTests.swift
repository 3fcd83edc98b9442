import ChatModel
import Testing

/// One event, many listeners, each on its own executor.
@Suite struct MulticastExecutorTests {
    private let heard = Heard<Int>()
    private let multicast = Multicast<Int> { Issue.record("\($0)") }

    private func tellsInOrder() async {
        for event in 0..<200 { multicast.broadcast(event) }
        #expect(await heard.first(200) == Array(0..<200))
    }

    @Test func aListenerOnTheMainActorHearsInOrder() async throws {
        try multicast.add(
            Listener(named: "view") { @MainActor [heard] event in
                MainActor.assertIsolated()
                heard.note(event)
            })
        await tellsInOrder()
    }

    @Test func aListenerOnAGlobalActorHearsInOrder() async throws {
        try multicast.add(
            Listener(named: "actor") { @TestActor [heard] event in
                TestActor.assertIsolated()
                await Task.yield()
                heard.note(event)
            })
        await tellsInOrder()
    }

    @Test func aListenerOnAnActorThatIsGivenHearsInOrder() async throws {
        try multicast.add(
            Listener(named: "actor", on: .actor(TestActor.shared)) { [heard] event in
                TestActor.assertIsolated()
                heard.note(event)
            })
        await tellsInOrder()
    }

    @Test func aListenerOnASerialExecutorHearsInOrder() async throws {
        let executor = OwnExecutor()
        try multicast.add(
            Listener(named: "serial", on: .serial(executor)) { [heard] event in
                executor.preconditionIsolated()
                heard.note(event)
            })
        await tellsInOrder()
    }

    @Test func aListenerOnATaskExecutorHearsInOrder() async throws {
        let executor = OwnExecutor()
        try multicast.add(
            Listener(named: "task", on: .task(executor)) { [heard] event in
                executor.preconditionIsolated()
                heard.note(event)
            })
        await tellsInOrder()
    }

    @Test func aListenerOnThePoolHearsInOrder() async throws {
        try multicast.add(
            Listener(named: "pool", on: .pool) { [heard] event in heard.note(event) })
        await tellsInOrder()
    }

    @Test func aListenerWithoutAPlaceOfItsOwnHearsInOrder() async throws {
        try multicast.add(
            Listener(named: "anywhere") { [heard] event in
                await Task.yield()
                heard.note(event)
            })
        await tellsInOrder()
    }

    @Test func allListenersHearWhatSeveralTasksBroadcastInOneOrder() async throws {
        let others = [Heard<Int>(), Heard<Int>(), Heard<Int>()]
        for (place, other) in others.enumerated() {
            try multicast.add(
                Listener(named: "\(place)", on: place == 0 ? .actor(MainActor.shared) : .pool) {
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
