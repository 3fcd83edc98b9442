import ChatModel
import Testing

@Suite struct SupportDeskTests {
    private let desk = SupportDesk { Issue.record("\($0)") }
    private let maria = Person(id: 7, nickname: "Maria")
    private let joe = Person(id: 9, nickname: "Joe")

    private func apply(_ events: SupportDeskEvent...) {
        for event in events { desk.apply(event, now: 50) }
    }

    private func message(
        _ number: Int, by sender: String, _ text: String = "Hello", at time: Int64 = 0
    ) -> DeskMessage {
        DeskMessage(id: .number(number), time: time, sender: sender, text: text)
    }

    private func logIn() {
        desk.beginLogin(as: "maria")
        apply(.loggedIn(maria))
    }

    @Test func anAccountFollowsItsSession() {
        #expect(desk.account.phase == .loggedOut(reason: ""))
        desk.beginLogin(as: "maria")
        #expect(desk.account.phase == .loggingIn && desk.account.nickname == "maria")
        apply(.loggedIn(maria))
        #expect(desk.account.isLoggedIn && desk.account.identifier == 7)
        #expect(desk.account.nickname == "Maria")
        apply(.goingDown(seconds: 5))
        #expect(desk.account.serverEndsAt == 5_000_000_050)
        apply(.loggedOut(reason: "expired: no ping"))
        #expect(desk.account.phase == .loggedOut(reason: "expired: no ping"))
    }

    @Test func onlyARefusedLoginLogsOut() {
        desk.beginLogin(as: "Maria")
        apply(.refused(reason: "the nickname is in use"))
        #expect(desk.account.phase == .loggedOut(reason: "the nickname is in use"))
        logIn()
        apply(.refused(reason: "no such chat"))
        #expect(desk.account.isLoggedIn && desk.account.lastRefusal == "no such chat")
    }

    @Test func operatorsAndVisitorsAreListed() {
        logIn()
        apply(
            .present(joe, isVisitor: true), .present(maria, isVisitor: false),
            .present(Person(id: 3, nickname: "Ann"), isVisitor: false),
            .present(maria, isVisitor: false))
        #expect(desk.operators.all.map(\.nickname) == ["Ann", "Maria"])
        #expect(desk.visitors.all == [joe])
        #expect(desk.operators.state[nickname: "ANN"]?.id == 3)
        #expect(desk.operators.state[id: 7] == maria)
        apply(.departed(joe, isVisitor: true), .departed(joe, isVisitor: true))
        #expect(desk.visitors.count == 0)
        apply(.loggedOut(reason: ""))
        #expect(desk.operators.count == 0)
    }

    @Test func chatsTrackMembersMessagesAndUnreadCount() throws {
        logIn()
        apply(
            .joined(chat: 1, nickname: "Maria"), .joined(chat: 1, nickname: "Joe"),
            .message(chat: 1, message(1, by: "Joe")), .message(chat: 1, message(1, by: "Joe")),
            .message(chat: 1, message(2, by: "Joe", "Anybody?")))
        let chat = try #require(desk.chats.state[1])
        #expect(chat.model.isJoined && chat.model.members == ["Maria", "Joe"])
        #expect(chat.model.unreadCount == 2)
        #expect(chat.model.last?.text == "Anybody?")
        #expect(chat.messages.messages.map(\.time) == [50, 50])
        chat.markRead()
        #expect(chat.model.unreadCount == 0)
        apply(.left(chat: 1, nickname: "Joe"))
        #expect(chat.model.members == ["Maria"])
        apply(.loggedOut(reason: ""))
        #expect(!chat.model.isJoined && chat.messages.count == 2)
    }

    @Test func historyPrecedesLiveMessagesAndHasTheServersTime() throws {
        logIn()
        apply(
            .joined(chat: 1, nickname: "Maria"), .message(chat: 1, message(3, by: "Joe")),
            .historyMessage(chat: 1, message(3, by: "Joe", at: 40)),
            .historyMessage(chat: 1, message(2, by: "Joe", at: 30)),
            .historyMessage(chat: 1, message(1, by: "Ann", at: 20)))
        let chat = try #require(desk.chats.state[1])
        #expect(chat.messages.messages.map(\.id) == [.number(1), .number(2), .number(3)])
        #expect(chat.messages.messages.map(\.time) == [20, 30, 40])
        #expect(chat.model.unreadCount == 1)
    }

    @Test func ownMessagesAreShownAtOnceAndOnlyOnce() throws {
        logIn()
        #expect(!desk.addOwnMessage("Hello", in: 1, now: 60))
        apply(.joined(chat: 1, nickname: "Maria"))
        #expect(desk.addOwnMessage("Hello", in: 1, now: 60))
        let chat = try #require(desk.chats.state[1])
        #expect(chat.messages.last?.sender == "Maria" && chat.model.unreadCount == 0)
        apply(.historyMessage(chat: 1, message(1, by: "Maria", at: 55)))
        #expect(chat.messages.messages.map(\.id) == [.number(1)])
    }

    @Test func aDeskLimitsItsChats() {
        logIn()
        for number in 1...SupportDesk.chatsMax {
            #expect(desk.apply(.joined(chat: number, nickname: "Maria"), now: 0))
        }
        #expect(!desk.apply(.joined(chat: 0, nickname: "Maria"), now: 0))
        #expect(desk.apply(.joined(chat: 1, nickname: "Joe"), now: 0))
        #expect(desk.chats.count == SupportDesk.chatsMax)
    }
}
