import ChatModel
import Observation
import Testing

private struct Door: Sendable, Hashable {
    var isOpen = false
    var openings = 0
}

@Suite struct ObservedModelTests {
    private let door = ObservedModel(Door()) { Issue.record("\($0)") }

    private func open() {
        door.change { state in
            state.isOpen = true
            state.openings += 1
        }
    }

    @Test func anObserverIsNotifiedOnceAfterAChange() {
        let received = ReceivedEvents<Int>()
        withObservationTracking {
            #expect(!door.isOpen)
        } onChange: { [door] in
            // The observer sees the new state.
            received.note(door.openings)
        }
        #expect(received.all.isEmpty)
        open()
        open()
        #expect(received.all == [1])
    }

    @Test func aModelThatIsNotReadNotifiesNoListener() {
        withObservationTracking {
        } onChange: {
            Issue.record("nothing was read")
        }
        open()
    }

    @Test func aViewFollowsTheStateWithoutPolling() async {
        let seen = ReceivedEvents<Int>()
        let view = Task { @MainActor [door] in
            for await openings in Observations({ door.openings }) {
                seen.note(openings)
                if openings == 100 { break }
            }
        }
        #expect(await seen.first(1) == [0])
        // Intermediate states may be skipped, but never the last.
        for _ in 0..<100 { open() }
        await view.value
        #expect(seen.all.last == 100)
        #expect(seen.all == seen.all.sorted())
    }

    @Test func viewsFollowChangesFromAnyThread() async {
        let views = (0..<4).map { _ in
            Task { [door] in
                for await openings in Observations({ door.openings }) where openings == 1_000 {
                    return true
                }
                return false
            }
        }
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { for _ in 0..<250 { self.open() } }
            }
        }
        for view in views { #expect(await view.value) }
    }

    @Test func aLoopReceivesEachStateFromTheNextChangeOn() async throws {
        open()
        let states = try door.states(named: "loop")
        for _ in 0..<3 { open() }
        var openings: [Int] = []
        for await state in states {
            openings.append(state.openings)
            if openings.count == 3 { break }
        }
        #expect(openings == [2, 3, 4])
    }

    @Test func aListenerReceivesEveryLaterState() throws {
        let queue = StepQueue()
        let received = ReceivedEvents<Int>()
        open()
        let (id, state) = try door.add(
            Listener(named: "view", on: queue.listenerExecutor) { received.note($0.openings) })
        #expect(state.openings == 1)
        open()
        open()
        queue.run()
        #expect(received.all == [2, 3])
        #expect(door.remove(id))
    }
}
