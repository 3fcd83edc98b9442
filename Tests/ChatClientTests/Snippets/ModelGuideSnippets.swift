import ChatModel
import Dispatch
import LineProtocol
import Synchronization
import Testing

/// The code in `docs/chat-model.md`.
@Suite(.timeLimit(.minutes(5))) struct ModelGuideSnippets {
    private struct Notice: Sendable {
        var text: String
    }

    @MainActor private final class View {
        var texts: [String] = []
        var hasUnsentText = false

        func show(_ notice: Notice) { texts.append(notice.text) }
    }

    private final class Log: Sendable {
        private let lines = Mutex<[String]>([])

        func write(_ notice: Notice) { lines.withLock { $0.append(notice.text) } }
        func warning(_ text: String) { lines.withLock { $0.append(text) } }

        var count: Int { lines.withLock { $0.count } }
    }

    @Test func multicast() async throws {
        let (log, view, queue) = (Log(), View(), DispatchQueue(label: "log"))
        let notice = Notice(text: "hello")
        // snippet: multicast
        let events = Multicast<Notice> { report in log.warning("\(report)") }

        // On the closure's own executor: a global actor, an actor, or the pool. It may suspend.
        try events.add(
            Listener(named: "view", weakly: view) { @MainActor view, notice in view.show(notice) })
        // On an executor that you choose: a queue, a serial executor, a task executor, an actor.
        let id = try events.add(
            Listener(named: "log", on: .queue { queue.async(execute: $0) }) { log.write($0) })
        // In a loop.
        let loop = try events.events(named: "loop")
        let printing = Task {
            for await notice in loop { print(notice.text) }
        }

        events.broadcast(notice)  // does not block
        events.remove(id)
        // end
        events.finish()
        await printing.value
        while await view.texts.isEmpty { await Task.yield() }
        #expect(await view.texts == ["hello"])
        #expect(log.count <= 1)
    }

    // snippet: question
    struct MayLogOut: Question {}
    // end

    @Test func question() async throws {
        let (view, events) = (View(), Multicast<Notice> { Issue.record("\($0)") })
        await MainActor.run { view.hasUnsentText = true }
        var printed: [String] = []
        func print(_ text: String) { printed.append(text) }
        // snippet: ask
        try events.add(
            Listener(named: "editor", weakly: view) { @MainActor view, notice in view.show(notice) }
                .answering(MayLogOut.self, weakly: view) { @MainActor view, _ in
                    !view.hasUnsentText
                })

        let consent = await events.ask(
            MayLogOut(), within: .seconds(20), clock: ContinuousClock())
        if let objector = consent.objector {
            print("\(objector) says no")
        } else if !consent.isYes {
            print("no answer from \(consent.silent)")
        }
        // end
        #expect(printed == ["editor says no"])
    }

    @Test func messageLog() {
        let said = DeskMessage(id: .number(7), time: 1, sender: "Joe", text: "Hello!")
        let id = said.id
        var printed: [String] = []
        func print(_ text: String) { printed.append(text) }
        // snippet: message log
        var log = MessageLog<DeskMessage>(messagesMax: 512)
        log.insert(said)  // returns .inserted(at:dropped:), .duplicate or .tooOld
        let (oldest, newest, first) = (log.first, log.last, log[0])
        let (found, index) = (log[id: id], log.index(of: id))
        for said in log.newestFirst.prefix(20) { print(said.text) }
        // end
        #expect(oldest == said && newest == said && first == said)
        #expect(found == said && index == 0)
        #expect(printed == ["Hello!"])
    }

    @Test func desk() throws {
        let (log, dialect, now) = (Log(), try livechat(), Int64(1))
        let bytes = Array("R0004|7|Hello!|Joe|2134|0\n".utf8)
        // snippet: desk
        let desk = SupportDesk { log.warning("\($0)") }
        var reader = CommandReader(try SupportDeskEvent.map(dialect)) { log.warning("\($0)") }
        reader.append(bytes)
        while let event = try reader.next() { desk.apply(event, now: now) }
        // end
        #expect(log.count == 0)
    }
}
