import ChatModel
import Testing

@Suite struct MulticastTests {
    private let received = ReceivedEvents<String>()
    private let queue = StepQueue()
    private let multicast = Multicast<Int> { Issue.record("\($0)") }

    private func listener(_ name: String, on queue: StepQueue) -> Listener<Int> {
        Listener(named: name, on: queue.listenerExecutor) { [received] event in
            received.note("\(name) \(event)")
        }
    }

    @Test func oneEventGoesToManyListeners() throws {
        for name in ["a", "b", "c"] { try multicast.add(listener(name, on: queue)) }
        multicast.broadcast(7)
        queue.run()
        #expect(received.all == ["a 7", "b 7", "c 7"])
    }

    @Test func broadcastingDoesNotWaitForListeners() throws {
        try multicast.add(listener("a", on: queue))
        for event in 1...3 { multicast.broadcast(event) }
        #expect(received.all.isEmpty)
        queue.run()
        #expect(received.all == ["a 1", "a 2", "a 3"])
    }

    @Test func aBurstNeedsOneTurn() throws {
        try multicast.add(listener("a", on: queue))
        for event in 1...50 { multicast.broadcast(event) }
        #expect(queue.run() == 1)
        #expect(received.all.count == 50)
    }

    @Test func aLongBurstLeavesTurnsForOtherWork() throws {
        let other = ReceivedEvents<Int>()
        try multicast.add(listener("a", on: queue))
        for event in 1...100 { multicast.broadcast(event) }
        queue.submit { [received] in other.note(received.all.count) }
        queue.run()
        #expect(other.all == [64])
        #expect(received.all.count == 100)
    }

    @Test func listenersCanBeAddedAndRemovedAnyTime() throws {
        let first = try multicast.add(listener("first", on: queue))
        multicast.broadcast(1)
        queue.run()
        try multicast.add(listener("second", on: queue))
        multicast.broadcast(2)
        queue.run()
        #expect(multicast.remove(first))
        multicast.broadcast(3)
        queue.run()
        #expect(received.all == ["first 1", "first 2", "second 2", "second 3"])
        #expect(!multicast.remove(first))
        #expect(multicast.listenerCount == 1)
    }

    @Test func removingAListenerDropsItsQueue() throws {
        let id = try multicast.add(listener("a", on: queue))
        multicast.broadcast(1)
        multicast.remove(id)
        queue.run()
        #expect(received.all.isEmpty)
    }

    @Test func aListenerMayRemoveItselfAndAddOthersDuringAnEvent() throws {
        let own = ReceivedEvents<ListenerID>()
        let later = listener("later", on: queue)
        let id = try multicast.add(
            Listener(named: "once", on: queue.listenerExecutor) { [received, multicast] event in
                received.note("once \(event)")
                for id in own.all { multicast.remove(id) }
                #expect(throws: Never.self) { try multicast.add(later) }
                multicast.broadcast(event + 1)
            })
        own.note(id)
        multicast.broadcast(1)
        multicast.broadcast(10)
        queue.run()
        #expect(received.all == ["once 1", "later 2"])
    }

    @Test func removeAndWaitReturnsAfterTheRunningCall() async throws {
        let gate = ReceivedEvents<Void>()
        let listening = Listener<Int>(named: "slow") { [received] event in
            received.note("begins \(event)")
            _ = await gate.first(1)
            received.note("ends \(event)")
        }
        let id = try multicast.add(listening)
        multicast.broadcast(1)
        multicast.broadcast(2)
        #expect(await received.first(1) == ["begins 1"])
        async let removal: Void = multicast.removeAndWait(id)
        gate.note(())
        await removal
        #expect(received.all.prefix(2) == ["begins 1", "ends 1"])
        let countThen = received.all.count
        multicast.broadcast(3)
        #expect(received.all.count == countThen)
    }

    @Test func aFullMulticastRejectsListeners() throws {
        let small = Multicast<Int>(listenersMax: 2) { Issue.record("\($0)") }
        let first = try small.add(listener("a", on: queue))
        try small.add(listener("b", on: queue))
        #expect(throws: MulticastError.tooManyListeners(listenersMax: 2)) {
            try small.add(listener("c", on: queue))
        }
        small.remove(first)
        try small.add(listener("c", on: queue))
    }

    @Test func finishingDeliversOnlyQueuedEvents() throws {
        try multicast.add(listener("a", on: queue))
        multicast.broadcast(1)
        multicast.finish()
        multicast.broadcast(2)
        queue.run()
        #expect(received.all == ["a 1"])
        #expect(throws: MulticastError.finished) { try multicast.add(listener("b", on: queue)) }
    }

    @Test func finishAndWaitReturnsAfterAllDeliveries() async throws {
        try multicast.add(Listener(named: "idle", on: queue.listenerExecutor) { _ in })
        queue.run()
        for name in ["a", "b"] {
            try multicast.add(
                Listener(named: name) { @MainActor [received] event in
                    await Task.yield()
                    received.note("\(name) \(event)")
                })
        }
        multicast.broadcast(0)
        queue.run()
        for event in 1..<200 { multicast.broadcast(event) }
        async let end: Void = multicast.finishAndWait()
        while queue.run() > 0 || multicast.listenerCount > 0 { await Task.yield() }
        queue.run()
        await end
        #expect(received.all.count == 400)
    }
}
