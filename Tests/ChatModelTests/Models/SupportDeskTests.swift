import ChatModel
import Testing

@Suite struct SupportDeskTests {
    private let desk = SupportDesk { Issue.record("\($0)") }
    private let maria = Person(id: 7, nickname: "Maria")
    private let joe = Person(id: 9, nickname: "Joe")

    private func apply(_ events: SupportDeskEvent...) {
        for event in events { desk.apply(event, now: 50) }
    }

    private func said(
        _ number: Int, by sender: String, _ text: String = "Hello", at time: Int64 = 0
    ) -> Said {
        Said(id: .number(number), time: time, sender: sender, text: text)
    }

    private func logIn() {
        desk.logsIn(as: "maria")
        apply(.loggedIn(maria))
    }

    @Test func anAccountFollowsItsSession() {
        #expect(desk.account.phase == .loggedOut(reason: ""))
        desk.logsIn(as: "maria")
        #expect(desk.account.phase == .loggingIn && desk.account.nickname == "maria")
        apply(.loggedIn(maria))
        #expect(desk.account.isLoggedIn && desk.account.identifier == 7)
        #expect(desk.account.nickname == "Maria")
        apply(.goingDown(seconds: 5))
        #expect(desk.account.serverEndsAt == 5_000_000_050)
        apply(.loggedOut(reason: "expired: no ping"))
        #expect(desk.account.phase == .loggedOut(reason: "expired: no ping"))
    }

    @Test func aRefusedLoginLeavesOneLoggedOutAndALaterRefusalDoesNot() {
        desk.logsIn(as: "Maria")
        apply(.refused(reason: "the nickname is in use"))
        #expect(desk.account.phase == .loggedOut(reason: "the nickname is in use"))
        logIn()
        apply(.refused(reason: "no such chat"))
        #expect(desk.account.isLoggedIn && desk.account.lastRefusal == "no such chat")
    }

    @Test func operatorsAndVisitorsComeAndGo() {
        logIn()
        apply(
            .here(joe, isVisitor: true), .here(maria, isVisitor: false),
            .here(Person(id: 3, nickname: "Ann"), isVisitor: false),
            .here(maria, isVisitor: false))
        #expect(desk.operators.all.map(\.nickname) == ["Ann", "Maria"])
        #expect(desk.visitors.all == [joe])
        #expect(desk.operators.state[nickname: "ANN"]?.id == 3)
        #expect(desk.operators.state[id: 7] == maria)
        apply(.gone(joe, isVisitor: true), .gone(joe, isVisitor: true))
        #expect(desk.visitors.count == 0)
        apply(.loggedOut(reason: ""))
        #expect(desk.operators.count == 0)
    }

    @Test func chatsHaveMembersMessagesAndWhatIsUnread() throws {
        logIn()
        apply(
            .joined(chat: 1, nickname: "Maria"), .joined(chat: 1, nickname: "Joe"),
            .said(chat: 1, said(1, by: "Joe")), .said(chat: 1, said(1, by: "Joe")),
            .said(chat: 1, said(2, by: "Joe", "Anybody?")))
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

    @Test func historyStandsBeforeWhatIsSaidNowAndBringsTheServersTime() throws {
        logIn()
        apply(
            .joined(chat: 1, nickname: "Maria"), .said(chat: 1, said(3, by: "Joe")),
            .recorded(chat: 1, said(3, by: "Joe", at: 40)),
            .recorded(chat: 1, said(2, by: "Joe", at: 30)),
            .recorded(chat: 1, said(1, by: "Ann", at: 20)))
        let chat = try #require(desk.chats.state[1])
        #expect(chat.messages.messages.map(\.id) == [.number(1), .number(2), .number(3)])
        #expect(chat.messages.messages.map(\.time) == [20, 30, 40])
        #expect(chat.model.unreadCount == 1)
    }

    @Test func whatOneSaysIsShownAtOnceAndNotTwice() throws {
        logIn()
        #expect(!desk.says("Hello", in: 1, now: 60))
        apply(.joined(chat: 1, nickname: "Maria"))
        #expect(desk.says("Hello", in: 1, now: 60))
        let chat = try #require(desk.chats.state[1])
        #expect(chat.messages.last?.sender == "Maria" && chat.model.unreadCount == 0)
        apply(.recorded(chat: 1, said(1, by: "Maria", at: 55)))
        #expect(chat.messages.messages.map(\.id) == [.number(1)])
    }

    @Test func aDeskHasAPlaceForSoManyChats() {
        logIn()
        for number in 1...SupportDesk.chatsMax {
            #expect(desk.apply(.joined(chat: number, nickname: "Maria"), now: 0))
        }
        #expect(!desk.apply(.joined(chat: 0, nickname: "Maria"), now: 0))
        #expect(desk.apply(.joined(chat: 1, nickname: "Joe"), now: 0))
        #expect(desk.chats.count == SupportDesk.chatsMax)
    }
}
