import ChatModel
import Observation
import Testing

/// From the bytes of a live-support server to observable models.
@Suite struct DeskWireTests {
    @Test func serverLinesUpdateTheModels() throws {
        let desk = SupportDesk { Issue.record("\($0)") }
        let lines = """
            R0001|7|Maria
            R0014|9|Joe
            R0005|2134|Maria
            R0005|2134|Joe
            R0004|12341|Hello!|Joe|2134|0
            R0012|3|Ann
            R0004|12342|Is anybody here\\|there?|Joe|2134|0
            R0015|9|Joe|logged out

            """
        desk.beginLogin(as: "maria")
        var reader = CommandReader(try SupportDeskEvent.map(livechat())) { _ in }
        reader.append(Array(lines.utf8))
        while let event = try reader.next() { desk.apply(event, now: 1) }

        #expect(desk.account.isLoggedIn && desk.account.identifier == 7)
        #expect(desk.operators.all == [Person(id: 3, nickname: "Ann")])
        #expect(desk.visitors.count == 0)
        let chat = try #require(desk.chats.state[2134])
        #expect(chat.messages.messages.map(\.text) == ["Hello!", "Is anybody here|there?"])
        #expect(chat.messages.messages.map(\.id) == [.number(12341), .number(12342)])
        #expect(chat.model.unreadCount == 2)
    }

    @Test func aChatViewFollowsTheServer() async throws {
        let desk = SupportDesk { Issue.record("\($0)") }
        desk.apply(.joined(chat: 1, nickname: "Maria"), now: 0)
        let chat = try #require(desk.chats.state[1])
        let shown = ReceivedEvents<String>()
        let view = Task { @MainActor in
            for await state in Observations({ chat.model.state }) {
                shown.note(state.last?.text ?? "nothing")
                if state.unreadCount == 1 { break }
            }
        }
        #expect(await shown.first(1) == ["nothing"])
        let message = DeskMessage(id: .number(1), time: 5, sender: "Joe", text: "Hello")
        desk.apply(.message(chat: 1, message), now: 5)
        await view.value
        #expect(shown.all.last == "Hello")
    }
}
