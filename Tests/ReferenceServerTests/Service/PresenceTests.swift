import ReferenceServer
import Testing

@Suite struct PresenceTests {
    @Test func operatorLoginIsAnnouncedToAllOthers() throws {
        let bench = ServiceBench()
        let maria = try bench.logIn("Maria")
        let guest = try bench.logIn("Guest", visitor: true)
        bench.clear()
        let joe = try bench.connect()
        let own = bench.ask(.logIn("Joe"), from: joe)
        let notice = ChatNotice.operatorLoggedIn(identifier: 3, nickname: "Joe".bytes)
        #expect(bench.read(maria) == [notice])
        #expect(bench.read(guest) == [notice])
        #expect(own == [.loggedIn(identifier: 3, nickname: "Joe".bytes)])
    }

    @Test func eachSessionIsNotifiedOnce() throws {
        let bench = ServiceBench()
        let listeners = try (0..<20).map { try bench.logIn("Listener \($0)") }
        bench.clear()
        _ = try bench.logIn("Joe")
        let notice = ChatNotice.operatorLoggedIn(identifier: 21, nickname: "Joe".bytes)
        for listener in listeners { #expect(bench.read(listener) == [notice]) }
    }

    @Test func visitorLoginIsAnnouncedToOperatorsOnly() throws {
        let bench = ServiceBench()
        let maria = try bench.logIn("Maria")
        let guest = try bench.logIn("Guest", visitor: true)
        bench.clear()
        let other = try bench.logIn("Other", visitor: true)
        #expect(
            bench.read(maria) == [.visitorArrived(identifier: 3, nickname: "Other".bytes)])
        #expect(bench.read(guest) == [])
        bench.disconnect(other)
        #expect(
            bench.read(maria) == [
                .visitorLeft(identifier: 3, nickname: "Other".bytes, reason: "disconnected")
            ])
        #expect(bench.read(guest) == [])
    }

    @Test(arguments: [
        (DisconnectReason.loggedOut, "logged out"), (.disconnected, "disconnected"),
        (.expired, "expired: no ping received"), (.readsTooSlowly, "reads too slowly"),
    ])
    func operatorDepartureIsAnnouncedOnce(
        departure: DisconnectReason, reason: String
    ) throws {
        let bench = ServiceBench()
        let maria = try bench.logIn("Maria")
        let joe = try bench.logIn("Joe")
        bench.clear()
        switch departure {
        case .loggedOut: bench.send(.logout, from: joe)
        case .disconnected: bench.disconnect(joe)
        case .expired:
            bench.pass(29 * ServiceBench.second)
            bench.send(.ping(token: []), from: maria)
            bench.clear()
            bench.pass(ServiceBench.second)
        default: bench.end(joe, departure)
        }
        bench.disconnect(joe)
        #expect(
            bench.read(maria) == [
                .operatorLoggedOut(identifier: 2, nickname: "Joe".bytes, reason: reason)
            ])
    }

    @Test func leavingTheServerLeavesItsChats() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe", "Ann")
        bench.disconnect(ids[1])
        let left = ChatNotice.left(chat: 1, person: ChatUser("Joe".bytes))
        let gone = ChatNotice.operatorLoggedOut(
            identifier: 2, nickname: "Joe".bytes, reason: "disconnected")
        #expect(bench.read(ids[0]) == [left, gone])
        #expect(bench.read(ids[2]) == [left, gone])
    }

    @Test func presenceMayBeLimitedToSharedChats() throws {
        let bench = ServiceBench { $0.presence = .rooms }
        let ids = try bench.inChat("Maria", "Joe")
        let ann = try bench.logIn("Ann")
        bench.disconnect(ids[1])
        #expect(bench.read(ids[0]) == [.left(chat: 1, person: ChatUser("Joe".bytes))])
        #expect(bench.read(ann) == [])
    }

    @Test func connectionWithoutALoginIsNotAnnounced() throws {
        let bench = ServiceBench()
        let maria = try bench.logIn("Maria")
        bench.disconnect(try bench.connect())
        #expect(bench.read(maria) == [])
    }

    @Test func whoListsAllSessionsInLoginOrder() throws {
        let bench = ServiceBench()
        let ids = try ["Maria", "Joe", "Ann", "Bob"].map { try bench.logIn($0) }
        _ = try bench.logIn("Guest", visitor: true)
        bench.disconnect(ids[1])
        #expect(
            bench.ask(.who(chat: 0), from: ids[0]) == [
                .listed(identifier: 1, nickname: "Maria".bytes, isVisitor: false),
                .listed(identifier: 3, nickname: "Ann".bytes, isVisitor: false),
                .listed(identifier: 4, nickname: "Bob".bytes, isVisitor: false),
                .listed(identifier: 5, nickname: "Guest".bytes, isVisitor: true),
                .whoEnd(count: 4),
            ])
    }

    @Test func whoListsTheMembersOfAChat() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe")
        let ann = try bench.logIn("Ann")
        #expect(
            bench.ask(.who(chat: 1), from: ann) == [
                .listed(identifier: 1, nickname: "Maria".bytes, isVisitor: false),
                .listed(identifier: 2, nickname: "Joe".bytes, isVisitor: false),
                .whoEnd(count: 2),
            ])
        #expect(bench.refusal(of: .who(chat: 2), from: ids[0]) == .noSuchRoom)
    }

    @Test func shutdownNotifiesAndClosesAllConnections() throws {
        let bench = ServiceBench()
        let maria = try bench.logIn("Maria")
        let unnamed = try bench.connect()
        bench.closeService()
        let notice = ChatNotice.goingDown(seconds: 0, reason: "the server is shutting down")
        #expect(bench.read(maria) == [notice])
        #expect(bench.read(unnamed) == [notice])
        #expect(bench.closed == [maria, unnamed])
        #expect(bench.sessionCount == 0)
        #expect(bench.nextDeadline == nil)
    }
}
