import ChatModel
import Testing

private final class View: Sendable {
    let received: ReceivedEvents<Int>
    init(_ received: ReceivedEvents<Int>) { self.received = received }
}

@Suite struct MulticastLifetimeTests {
    private let received = ReceivedEvents<Int>()
    private let queue = StepQueue()
    private let multicast = Multicast<Int> { Issue.record("\($0)") }

    @Test func aWeakListenerEndsWithItsObject() throws {
        var view: View? = View(received)
        if let view {
            try multicast.add(
                Listener(named: "weak", weakly: view, on: queue.listenerExecutor) { view, event in
                    view.received.note(event)
                })
        }
        multicast.broadcast(1)
        queue.run()
        view = nil
        for event in 2...3 {
            multicast.broadcast(event)
            queue.run()
        }
        #expect(received.all == [1])
        #expect(multicast.listenerCount == 0)
    }

    @Test func aStrongListenerRetainsItsObjectUntilRemoved() throws {
        weak var held: View?
        let id: ListenerID
        do {
            let view = View(received)
            held = view
            id = try multicast.add(
                Listener(named: "strong", on: queue.listenerExecutor) { view.received.note($0) })
        }
        multicast.broadcast(1)
        queue.run()
        #expect(received.all == [1])
        #expect(held != nil)
        multicast.remove(id)
        #expect(held == nil)
    }

    @Test func aWeakListenerOnTheMainActorEndsWithItsObject() async throws {
        var view: View? = View(received)
        if let view {
            try multicast.add(
                Listener(named: "weak", weakly: view) { @MainActor view, event in
                    view.received.note(event)
                })
        }
        multicast.broadcast(1)
        #expect(await received.first(1) == [1])
        view = nil
        multicast.broadcast(2)
        #expect(received.all == [1])
    }

    @Test func eventsCanBeIteratedUntilTheMulticastFinishes() async throws {
        let events = try multicast.events(named: "loop")
        for event in 1...3 { multicast.broadcast(event) }
        multicast.finish()
        var seen: [Int] = []
        for await event in events { seen.append(event) }
        #expect(seen == [1, 2, 3])
    }

    @Test func leavingALoopStopsListening() async throws {
        do {
            let events = try multicast.events(named: "loop")
            multicast.broadcast(1)
            for await event in events {
                #expect(event == 1)
                break
            }
            #expect(multicast.listenerCount == 1)
        }
        #expect(multicast.listenerCount == 0)
    }

    @Test(arguments: [
        (ListenerQueue.Overflow.dropsOldest, [4, 5], ["began", "ended 3"]),
        (.dropsNewest, [1, 2], ["began", "ended 3"]),
        (.removesListener, [1, 2], ["removed"]),
    ])
    func aLoopThatIsTooSlowIsReported(
        _ overflow: ListenerQueue.Overflow, _ expected: [Int], _ reported: [String]
    ) async throws {
        let reports = ReceivedEvents<String>()
        let multicast = Multicast<Int> { report in
            switch report {
            case .overflowBegan: reports.note("began")
            case .overflowEnded(_, let missed): reports.note("ended \(missed)")
            case .removedForOverflow: reports.note("removed")
            case .tooManyQuestions: reports.note("questions")
            }
        }
        let events = try multicast.events(
            named: "loop", queue: ListenerQueue(eventsMax: 2, overflow: overflow))
        for event in 1...5 { multicast.broadcast(event) }
        var seen: [Int] = []
        for await event in events {
            seen.append(event)
            if seen.count == 2 { break }
        }
        multicast.finish()
        #expect(seen == expected)
        #expect(reports.all.first == reported.first)
    }
}
