import ReferenceServer
import Testing

/// Each limit, at the limit and one past it.
@Suite struct LimitTests {
    @Test func connectionsUpToTheMaximum() throws {
        let bench = ServiceBench { $0.connectionsMax = 2 }
        let first = try bench.connect()
        _ = try bench.logIn("Joe")
        #expect(bench.tryToConnect() == nil)
        bench.disconnect(first)
        #expect(bench.tryToConnect() != nil)
    }

    @Test func chatsUpToTheMaximum() throws {
        let bench = ServiceBench { $0.chatsMax = 2 }
        let id = try bench.logIn("Joe")
        #expect(bench.refusal(of: .join(chat: 1), from: id) == nil)
        #expect(bench.refusal(of: .join(chat: 2), from: id) == nil)
        #expect(bench.refusal(of: .join(chat: 3), from: id) == .tooMany)
        #expect(bench.refusal(of: .join(chat: 2), from: try bench.logIn("Ann")) == nil)
        bench.send(.leave(chat: 1), from: id)
        #expect(bench.refusal(of: .join(chat: 3), from: id) == nil)
        #expect(bench.chatCount == 2)
    }

    @Test func chatsOfASessionUpToTheMaximum() throws {
        let bench = ServiceBench { $0.chatsPerSessionMax = 2 }
        let id = try bench.logIn("Joe")
        #expect(bench.refusal(of: .join(chat: 1), from: id) == nil)
        #expect(bench.refusal(of: .join(chat: 2), from: id) == nil)
        #expect(bench.refusal(of: .join(chat: 3), from: id) == .tooManyRooms)
        #expect(bench.refusal(of: .join(chat: 2), from: id) == nil)
        #expect(bench.chatCount == 2)
    }

    @Test func reusedSlotDistinguishesOldFromNewConnection() throws {
        let bench = ServiceBench()
        let old = try bench.logIn("Old")
        bench.disconnect(old)
        let new = try bench.logIn("New")
        #expect(new.slot == old.slot)
        bench.send(.logout, from: old)
        bench.disconnect(old)
        #expect(bench.sessionCount == 1)
    }

    @Test func closedConnectionsLeaveNothingBehind() throws {
        let bench = ServiceBench()
        for round in 0..<500 {
            let ids = try bench.inChat("a\(round)", "b\(round)")
            bench.send(.say("x"), from: ids[0])
            bench.disconnect(ids[0])
            bench.send(.logout, from: ids[1])
        }
        #expect(bench.connectionCount == 0)
        #expect(bench.sessionCount == 0)
        #expect(bench.chatCount == 0)
        #expect(bench.nextDeadline == nil)
        #expect(try bench.connect().slot < 2)
    }
}
