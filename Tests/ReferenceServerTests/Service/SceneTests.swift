import ChatModel
import ReferenceServer
import Testing

/// Chats opened with a scene.
@Suite struct SceneTests {
    /// Returns the number of the chat opened by one of the notices.
    private func opened(_ notices: [ChatNotice]) -> RoomName? {
        for case .opened(let chat, _, _) in notices { return chat }
        return nil
    }

    private func open(_ scene: Scene, _ members: String...) -> ChatRequest {
        .open(scene: Array(scene.name.utf8), members: members.map(\.bytes))
    }

    private func show(_ type: ContentType, _ data: String, _ chat: RoomName) -> ChatRequest {
        .sendContent(chat: chat, type, format: "x/y".bytes, data: data.bytes)
    }

    private func contents(_ notices: [ChatNotice]) -> [ContentType] {
        notices.compactMap { notice in
            switch notice {
            case .message(let record, _), .record(let record, _): record.content
            default: nil
            }
        }
    }

    @Test(arguments: Scene.all)
    func everySceneAllowsAllTypesExceptTheBubble(scene: Scene) throws {
        let bench = ServiceBench()
        let (joe, ann) = (try bench.logIn("Joe"), try bench.logIn("Ann"))
        let chat = try #require(opened(bench.ask(open(scene, "Ann"), from: joe)))
        bench.clear()
        bench.send(.say("text", chat: chat), from: joe)
        for type in [ContentType.image, .voice, .hint] {
            let refusal = bench.refusal(of: show(type, "data", chat), from: joe)
            #expect(refusal == (scene == .bubble ? .notCarried : nil))
        }
        let all: [ContentType] = scene == .bubble ? [.text] : [.text, .image, .voice, .hint]
        #expect(contents(bench.read(ann)) == all)
    }

    @Test func hintsAreRelayedButNotKept() throws {
        let bench = ServiceBench()
        let (joe, _) = (try bench.logIn("Joe"), try bench.logIn("Ann"))
        let chat = try #require(opened(bench.ask(open(.private, "Ann"), from: joe)))
        for type in [ContentType.image, .hint, .voice] {
            bench.send(show(type, "a", chat), from: joe)
        }
        let history = bench.ask(.history(chat: chat, count: 9), from: joe)
        #expect(contents(history) == [.voice, .image])
    }

    @Test func openingIsAnnouncedToAllMembers() throws {
        let bench = ServiceBench()
        let ids = try ["Joe", "Ann", "Bob", "Eve"].map { try bench.logIn($0) }
        bench.clear()
        let answer = bench.ask(open(.temporary, "BOB", "ann", "Joe", "Ann"), from: ids[0])
        let chat = try #require(opened(answer))
        let notice = ChatNotice.opened(
            chat: chat, scene: "temporary".bytes, members: ["Joe", "Bob", "Ann"].map(\.bytes))
        #expect(answer == [notice])
        #expect(bench.read(ids[1]) == [notice] && bench.read(ids[2]) == [notice])
        #expect(bench.read(ids[3]).isEmpty)
    }

    @Test func privateChatIsReusedUntilAMemberLeaves() throws {
        let bench = ServiceBench()
        let (joe, ann) = (try bench.logIn("Joe"), try bench.logIn("Ann"))
        let first = try #require(opened(bench.ask(open(.private, "Ann"), from: joe)))
        #expect(opened(bench.ask(open(.private, "JOE"), from: ann)) == first)
        bench.send(.leave(chat: first), from: ann)
        let second = try #require(opened(bench.ask(open(.private, "JOE"), from: ann)))
        #expect(second != first)
        #expect(bench.refusal(of: .say("to nobody", chat: first), from: joe) == nil)
        bench.disconnect(joe)
        bench.disconnect(ann)
        #expect(bench.chatCount == 0)
    }

    @Test func eachGroupIsNew() throws {
        let bench = ServiceBench()
        let (joe, _) = (try bench.logIn("Joe"), try bench.logIn("Ann"))
        let first = opened(bench.ask(open(.group, "Ann"), from: joe))
        let second = opened(bench.ask(open(.group, "Ann"), from: joe))
        #expect(first != nil && second != nil && first != second)
    }

    @Test func aPrivateChatIsLimitedToTwo() throws {
        let bench = ServiceBench()
        let ids = try ["Joe", "Ann", "Bob"].map { try bench.logIn($0) }
        #expect(bench.refusal(of: open(.private, "Ann", "Bob"), from: ids[0]) == .roomIsFull)
        #expect(bench.refusal(of: open(.private), from: ids[0]) == .notUnderstood)
        let chat = try #require(opened(bench.ask(open(.private, "Ann"), from: ids[0])))
        #expect(bench.refusal(of: .join(chat: chat), from: ids[2]) == .roomIsFull)
    }

    @Test func oversizedContentIsRefused() throws {
        let bench = ServiceBench()
        let (joe, _) = (try bench.logIn("Joe"), try bench.logIn("Ann"))
        let chat = try #require(opened(bench.ask(open(.bubble, "Ann"), from: joe)))
        let longest = String(repeating: "x", count: Scene.bubble.contentBytesMax)
        #expect(bench.refusal(of: .say(longest, chat: chat), from: joe) == nil)
        #expect(bench.refusal(of: .say(longest + "x", chat: chat), from: joe) == .tooLong)
    }

    @Test func messagesOfABubbleExpireAfterEightSeconds() throws {
        let bench = ServiceBench()
        let (joe, ann) = (try bench.logIn("Joe"), try bench.logIn("Ann"))
        let chat = try #require(opened(bench.ask(open(.bubble, "Ann"), from: joe)))
        bench.send(.say("first", chat: chat), from: joe)
        bench.pass(5 * ServiceBench.second)
        bench.send(.say("second", chat: chat), from: joe)
        bench.pass(3 * ServiceBench.second + 1)
        let history = bench.ask(.history(chat: chat, count: 9), from: ann)
        #expect(history.compactMap(\.text) == ["second"])
    }

    @Test func aTemporaryChatEndsAfterTenIdleMinutes() throws {
        let bench = ServiceBench { $0.expiresAfter = nil }
        let minute = 60 * ServiceBench.second
        let (joe, ann) = (try bench.logIn("Joe"), try bench.logIn("Ann"))
        let chat = try #require(opened(bench.ask(open(.temporary, "Ann"), from: joe)))
        bench.pass(5 * minute)
        bench.send(.say("still here", chat: chat), from: joe)
        bench.clear()
        bench.pass(10 * minute - 1)
        #expect(bench.chatCount == 1 && bench.read(ann).isEmpty)
        let deadline = try #require(bench.nextDeadline)
        bench.pass(max(1, deadline - bench.now))
        #expect(bench.chatCount == 0)
        let ended = ChatNotice.ended(chat: chat, reason: "idle for too long")
        #expect(bench.read(joe) == [ended] && bench.read(ann) == [ended])
        #expect(bench.nextDeadline == nil)
        // Other clients cannot take its number.
        #expect(bench.refusal(of: .join(chat: chat), from: joe) == .noSuchRoom)
        #expect(bench.refusal(of: .say("late", chat: chat), from: joe) == .noSuchRoom)
    }

    @Test func membersAtTheirChatLimitAreNotAdded() throws {
        let bench = ServiceBench { $0.chatsPerSessionMax = 1 }
        let (joe, ann) = (try bench.logIn("Joe"), try bench.logIn("Ann"))
        bench.send(.join(chat: 1), from: ann)
        #expect(bench.refusal(of: open(.group, "Ann"), from: joe) == .tooManyRooms)
        #expect(bench.chatCount == 1)
    }
}
