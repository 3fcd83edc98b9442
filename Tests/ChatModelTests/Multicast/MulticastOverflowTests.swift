import ChatModel
import Testing

@Suite struct MulticastOverflowTests {
    private let received = ReceivedEvents<String>()
    private let reports = ReceivedEvents<String>()
    private let queue = StepQueue()

    private func multicast() -> Multicast<Int> {
        Multicast { [reports] in reports.note($0.description) }
    }

    private func listener(_ overflow: ListenerQueue.Overflow, eventsMax: Int) -> Listener<Int> {
        Listener(
            named: "view", on: queue.listenerExecutor,
            queue: ListenerQueue(eventsMax: eventsMax, overflow: overflow)
        ) { [received] event in
            received.note("\(event)")
        }
        .onMissedEvents { [received] count in received.note("missed \(count)") }
    }

    @Test(arguments: ListenerQueue.Overflow.allCases)
    func aFullQueueLosesNothing(_ overflow: ListenerQueue.Overflow) throws {
        let multicast = multicast()
        try multicast.add(listener(overflow, eventsMax: 3))
        for event in 1...3 { multicast.broadcast(event) }
        queue.run()
        #expect(received.all == ["1", "2", "3"])
        #expect(reports.all.isEmpty)
    }

    @Test(arguments: [
        (
            ListenerQueue.Overflow.dropsOldest, ["missed 2", "3", "4", "5", "6"],
            ["view: queue is full (limit 3), dropping the oldest events", "view: missed 2 events"]
        ),
        (
            .dropsNewest, ["1", "2", "3", "missed 2", "6"],
            ["view: queue is full (limit 3), dropping new events", "view: missed 2 events"]
        ),
        (.removesListener, [], ["view: queue is full (limit 3), listener removed"]),
    ])
    func overflowAppliesThePolicyAndIsReported(
        _ overflow: ListenerQueue.Overflow, _ delivered: [String], _ reported: [String]
    ) throws {
        let multicast = multicast()
        try multicast.add(listener(overflow, eventsMax: 3))
        for event in 1...5 { multicast.broadcast(event) }
        queue.run()
        multicast.broadcast(6)
        queue.run()
        #expect(received.all == delivered)
        #expect(reports.all == reported)
        #expect(multicast.listenerCount == (overflow == .removesListener ? 0 : 1))
    }

    @Test func eachGapIsReportedWhenItBeginsAndWhenItEnds() throws {
        let multicast = multicast()
        try multicast.add(listener(.dropsOldest, eventsMax: 1))
        for event in 1...3 { multicast.broadcast(event) }
        #expect(reports.all == ["view: queue is full (limit 1), dropping the oldest events"])
        queue.run()
        for event in 4...5 { multicast.broadcast(event) }
        queue.run()
        #expect(received.all == ["missed 2", "3", "missed 1", "5"])
        #expect(
            reports.all.suffix(3) == [
                "view: missed 2 events",
                "view: queue is full (limit 1), dropping the oldest events",
                "view: missed 1 event",
            ])
    }

    @Test func aSlowListenerDoesNotAffectOthers() throws {
        let multicast = multicast()
        let other = StepQueue()
        try multicast.add(listener(.dropsNewest, eventsMax: 1))
        let fast = ReceivedEvents<Int>()
        try multicast.add(
            Listener(named: "fast", on: other.listenerExecutor) { fast.note($0) })
        for event in 1...5 {
            multicast.broadcast(event)
            other.run()
        }
        #expect(fast.all == [1, 2, 3, 4, 5])
        queue.run()
        #expect(received.all == ["1", "missed 4"])
    }
}
