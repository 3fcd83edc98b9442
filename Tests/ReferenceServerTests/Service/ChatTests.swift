import ReferenceServer
import Testing

@Suite struct ChatTests {
    @Test func joinIsAnnouncedToAllMembers() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria")
        let joe = try bench.logIn("Joe")
        bench.clear()
        let notice = ChatNotice.joined(chat: 1, person: ChatUser("Joe".bytes))
        #expect(bench.ask(.join(chat: 1), from: joe) == [notice])
        #expect(bench.read(ids[0]) == [notice])
    }

    @Test func joiningTwiceNotifiesOnlyTheCaller() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe")
        #expect(
            bench.ask(.join(chat: 1), from: ids[1])
                == [.joined(chat: 1, person: ChatUser("Joe".bytes))])
        #expect(bench.read(ids[0]) == [])
        bench.send(.say("once"), from: ids[0])
        #expect(bench.read(ids[1]).count == 1)
    }

    @Test(arguments: [0, -1, Int64.min])
    func chatsNumberIsGreaterThanZero(chat: Int64) throws {
        let bench = ServiceBench()
        let id = try bench.logIn("Joe")
        #expect(bench.refusal(of: .join(chat: .number(chat)), from: id) == .notUnderstood)
        #expect(bench.chatCount == 0)
    }

    @Test func messageReachesEachOtherMemberOnce() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe", "Ann")
        let outsider = try bench.logIn("Bob")
        bench.clear()
        #expect(bench.ask(.say("a|b\nc"), from: ids[0]) == [])
        let record = ChatRecord(
            identifier: 1, time: 0, text: "a|b\nc".bytes, sender: ChatUser("Maria".bytes),
            isHidden: false)
        #expect(bench.read(ids[1]) == [.message(record, chat: 1)])
        #expect(bench.read(ids[2]) == [.message(record, chat: 1)])
        #expect(bench.read(outsider) == [])
    }

    @Test func messagesAreNumberedInEachChat() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe")
        for id in ids { bench.send(.join(chat: 2), from: id) }
        bench.clear()
        for chat: RoomName in [1, 1, 2, 1] { bench.send(.say("x", chat: chat), from: ids[0]) }
        let numbers = bench.read(ids[1]).compactMap { notice -> [Int64]? in
            guard case .message(let record, let chat) = notice else { return nil }
            return [chat.number, record.identifier]
        }
        #expect(numbers == [[1, 1], [1, 2], [2, 1], [1, 3]])
    }

    @Test func ownIdentifierOrNoneIsAcceptedAsSender() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe")
        #expect(bench.refusal(of: .say("x", from: 1), from: ids[0]) == nil)
        #expect(bench.refusal(of: .say("x", from: 0), from: ids[0]) == nil)
        bench.clear()
        #expect(bench.refusal(of: .say("x", from: 2), from: ids[0]) == .notAllowed)
        #expect(bench.read(ids[1]) == [])
    }

    @Test func messagesAreAnsweredOnlyWithErrors() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe")
        let outsider = try bench.logIn("Bob")
        bench.clear()
        #expect(bench.ask(.say("fine"), from: ids[0]) == [])
        #expect(bench.refusal(of: .say("x"), from: outsider) == .notInRoom)
        #expect(bench.refusal(of: .say("x", chat: 7), from: outsider) == .noSuchRoom)
        #expect(bench.read(ids[1]).count == 1)
    }

    @Test func leaveIsAnnouncedToAllMembers() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe")
        let notice = ChatNotice.left(chat: 1, person: ChatUser("Joe".bytes))
        #expect(bench.ask(.leave(chat: 1), from: ids[1]) == [notice])
        #expect(bench.read(ids[0]) == [notice])
        bench.send(.say("x"), from: ids[0])
        #expect(bench.read(ids[1]) == [])
        #expect(bench.refusal(of: .leave(chat: 1), from: ids[1]) == .notInRoom)
    }

    @Test func emptyChatIsDeleted() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe")
        bench.send(.leave(chat: 1), from: ids[0])
        #expect(bench.chatCount == 1)
        bench.disconnect(ids[1])
        #expect(bench.chatCount == 0)
        #expect(bench.refusal(of: .leave(chat: 1), from: ids[0]) == .noSuchRoom)
    }

    @Test func hiddenMessageReachesOnlyOperators() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe")
        let guest = try bench.logIn("Guest", visitor: true)
        bench.send(.join(chat: 1), from: guest)
        bench.clear()
        bench.send(.sayHidden("psst"), from: ids[0])
        let record = ChatRecord(
            identifier: 1, time: 0, text: "psst".bytes, sender: ChatUser("Maria".bytes),
            isHidden: true)
        #expect(bench.read(ids[1]) == [.message(record, chat: 1)])
        #expect(bench.read(guest) == [])
        #expect(bench.refusal(of: .sayHidden("x"), from: guest) == .notAllowed)
    }

    @Test func actionArgumentIsRelayedUnchanged() throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe")
        let action = "<a b=\"c|d\">\n&lt;</a>".bytes
        #expect(bench.ask(.runAction(chat: 1, action: action), from: ids[0]) == [])
        #expect(
            bench.read(ids[1])
                == [.actionDone(chat: 1, sender: ChatUser("Maria".bytes), action: action)])
        #expect(
            bench.refusal(of: .runAction(chat: 1, action: []), from: ids[0]) == .notUnderstood)
    }

    @Test(arguments: ["Joe", "joe", "JOE"])
    func privateMessageFindsTheNicknameInAnySpelling(nickname: String) throws {
        let bench = ServiceBench()
        let ids = try bench.inChat("Maria", "Joe", "Ann")
        #expect(bench.ask(.whisper("hello", to: nickname), from: ids[0]) == [])
        #expect(
            bench.read(ids[1]) == [
                .privateMessage(identifier: 1, text: "hello".bytes, sender: ChatUser("Maria".bytes))
            ])
        #expect(bench.read(ids[2]) == [])
    }

    @Test func privateMessageToOneselfIsAllowed() throws {
        let bench = ServiceBench()
        let id = try bench.logIn("Joe")
        #expect(
            bench.ask(.whisper("note", to: "Joe"), from: id) == [
                .privateMessage(identifier: 1, text: "note".bytes, sender: ChatUser("Joe".bytes))
            ])
    }

    @Test(arguments: ["Nobody".bytes, [], [0xFF], Array(repeating: 0x41, count: 100)])
    func privateMessageToAnUnknownNicknameIsRefused(nickname: [UInt8]) throws {
        let bench = ServiceBench()
        let id = try bench.logIn("Joe")
        let request = ChatRequest.sayPrivately(to: nickname, text: "x".bytes)
        #expect(bench.refusal(of: request, from: id) == .noSuchName)
    }
}
