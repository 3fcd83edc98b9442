import ChatModel
import Synchronization
import Testing

/// A view that updates itself from the log's changes.
private final class View: Sendable {
    private let notes: Mutex<[Note]>

    init(_ notes: [Note] = []) { self.notes = Mutex(notes) }

    func show(_ changes: MessageLogChanges<Note>) {
        notes.withLock { notes in
            guard let new = notes.applying(changes.difference) else {
                Issue.record("the changes do not fit what is shown")
                return
            }
            notes = new
        }
    }

    func set(_ new: some Sequence<Note>) { notes.withLock { $0 = Array(new) } }
    var all: [Note] { notes.withLock { $0 } }
}

@Suite struct SharedMessageLogTests {
    private let log = SharedMessageLog<Note>(messagesMax: 100) { Issue.record("\($0)") }
    private let queue = StepQueue()
    private let view = View()

    private var viewer: Listener<MessageLogChanges<Note>> {
        Listener(
            named: "view", on: queue.listenerExecutor, queue: ListenerQueue(eventsMax: 10_000)
        ) { [view] in view.show($0) }
    }

    @Test func everyChangeIsReportedAsInsertionsAndRemovals() throws {
        try #expect(log.add(viewer).messages.isEmpty)
        log.insert(Note(1, at: 5))
        log.insert(Note(1, at: 5))
        log.insert(contentsOf: (2...101).map { Note($0, at: Int64($0) + 10) })
        log.remove(id: 50)
        log.replace(Note(60, at: 1_000))
        #expect(view.all.isEmpty)
        queue.run()
        #expect(view.all == Array(log.messages))
        #expect(view.all.last == Note(60, at: 1_000))
        log.removeAll()
        queue.run()
        #expect(view.all.isEmpty)
    }

    @Test func aBatchIsReportedOnce() throws {
        let counts = ReceivedEvents<Int>()
        _ = try log.add(
            Listener(named: "count", on: queue.listenerExecutor) {
                counts.note($0.insertions.count)
            })
        log.insert(contentsOf: (0..<40).map { Note($0, at: Int64($0)) })
        log.insert(contentsOf: (0..<40).map { Note($0, at: Int64($0)) })
        queue.run()
        #expect(counts.all == [40])
    }

    @Test func aNewListenerReceivesEverythingMissingFromItsSnapshot() async throws {
        let adding = Task { [log, view, viewer] in
            // Messages inserted meanwhile are either in the snapshot or reported, never both or
            // neither.
            try view.set(log.add(viewer).messages)
        }
        for id in 0..<500 { log.insert(Note(id, at: Int64(id))) }
        try await adding.value
        for id in 500..<600 { log.insert(Note(id, at: Int64(id))) }
        queue.run()
        #expect(view.all == Array(log.messages))
    }

    @Test func concurrentUseIsSafe() async throws {
        _ = try log.add(viewer)
        await withTaskGroup { group in
            for writer in 0..<4 {
                group.addTask { [log] in
                    for step in 0..<250 {
                        log.insert(Note(step * 4 + writer, at: Int64(step)))
                        // Another writer's message may be present or not; a duplicate never is.
                        log.insert(Note(step * 4 + (writer + 1) % 4, at: Int64(step)))
                    }
                }
            }
            group.addTask { [log] in
                for _ in 0..<200 {
                    let messages = log.messages
                    #expect(Set(messages.map(\.id)).count == messages.count)
                    let times = messages.map(\.time)
                    #expect(times == times.sorted())
                    if let last = messages.last { #expect(messages[messages.count - 1] == last) }
                }
            }
        }
        #expect(log.count == 100)
        queue.run()
        #expect(view.all == Array(log.messages))
    }

    @Test func messagesAreFoundByIndexIDFirstAndLast() {
        log.insert(contentsOf: [Note(1, at: 10), Note(2, at: 5)])
        #expect(log.first == Note(2, at: 5) && log.last == Note(1, at: 10))
        #expect(log[0]?.id == 2 && log[2] == nil && log[id: 1]?.time == 10 && log[id: 3] == nil)
    }

    @Test func aRemovedListenerReceivesNothing() throws {
        let (id, _) = try log.add(viewer)
        log.insert(Note(1, at: 1))
        #expect(log.remove(id))
        queue.run()
        #expect(view.all.isEmpty)
    }
}
