import ChatModel
import Testing

@Suite struct SceneSessionTests {
    private let services = DataServices { Issue.record("\($0)") }
    private let queue = StepQueue()
    private let received = ReceivedEvents<SceneEvent>()

    private var sessions: SceneSessions {
        SceneSessions(services: services) { Issue.record("\($0)") }
    }

    private func message(
        _ content: MessageContent, by sender: String = "Joe", id: String = "1", at time: Int64 = 1
    ) -> SceneMessage {
        SceneMessage(id: id, time: time, sender: sender, content: content)
    }

    private var listener: Listener<SceneEvent> {
        Listener(named: "test", on: queue.listenerExecutor) { [received] in received.note($0) }
    }

    @Test func sessionsAreCreatedFoundAndEnded() throws {
        let sessions = sessions
        let group = try sessions.open(.group, members: ["Joe"], now: 0)
        let bubble = try sessions.open(.bubble, members: ["Joe", "Ann"], now: 0)
        #expect(sessions.all.map(\.id) == [group.id, bubble.id])
        #expect(sessions[group.id] === group)
        #expect(try sessions.sessions(of: Nickname("joe")).count == 2)
        #expect(try sessions.sessions(of: Nickname("ANN")).map(\.id) == [bubble.id])
        #expect(try sessions.sessions(of: Nickname("Joe"), in: .group).map(\.id) == [group.id])
        group.end()
        #expect(sessions[group.id] == nil && sessions.count == 1)
    }

    @Test func aPrivateSessionIsReusedInAnyOrderAndSpelling() throws {
        let sessions = sessions
        let first = try sessions.open(.private, members: ["Joe", "Ann"], now: 0)
        #expect(try sessions.open(.private, members: ["ANN", "joe"], now: 5) === first)
        #expect(try sessions.open(.private, members: ["Joe", "Bob"], now: 5) !== first)
        first.end()
        #expect(try sessions.open(.private, members: ["Joe", "Ann"], now: 9) !== first)
        #expect(try sessions.open(.group, members: ["Joe"], now: 0).id == 4)
        #expect(try sessions.open(.group, members: ["Joe"], now: 0).id == 5)
    }

    @Test func aSessionAllowsWhatItsSceneAllows() throws {
        let sessions = sessions
        let bubble = try sessions.open(.bubble, members: ["Joe"], now: 0)
        let group = try sessions.open(.group, members: ["Joe"], now: 0)
        let voice = message(.voice([1], mediaType: "audio/ogg"))
        let error = #expect(throws: SceneError.self) { try bubble.post(voice, now: 1) }
        #expect(error?.scene == "bubble" && error?.type == .voice)
        #expect(try group.post(voice, now: 1) == .inserted(at: 0, dropped: nil))
    }

    @Test func messagesAreDeliveredOnceAndHintsAreNotKept() throws {
        let session = try sessions.open(.group, members: ["Joe"], now: 0)
        try session.add(listener)
        try session.post(message(.text("a")), now: 1)
        #expect(try session.post(message(.text("a")), now: 1) == .duplicate)
        #expect(try session.post(message(.hint("typing"), id: "2"), now: 1) == nil)
        queue.run()
        #expect(
            received.all == [
                .message(message(.text("a"))), .message(message(.hint("typing"), id: "2")),
            ])
        #expect(session.log.messages.map(\.id) == ["1"])
    }

    @Test func onlyMembersCanPost() throws {
        let session = try sessions.open(.group, members: ["Joe"], now: 0)
        try session.post(message(.text("a"), by: "JOE"), now: 1)
        let error = #expect(throws: SceneError.self) {
            try session.post(message(.text("a"), by: "Ann"), now: 1)
        }
        #expect(error?.code == .notMember && error?.description == "group: Ann is not a member")
    }

    @Test func joinsAndLeavesAreReported() throws {
        let session = try sessions.open(.private, members: ["Joe"], now: 0)
        try session.add(listener)
        let ann = try Nickname("Ann")
        try session.join(ann)
        try session.join(Nickname("ann"))
        let error = #expect(throws: SceneError.self) { try session.join(Nickname("Bob")) }
        #expect(error?.code == .tooManyMembers)
        session.leave(ann)
        session.leave(ann)
        queue.run()
        #expect(received.all == [.joined(ann), .left(ann)])
        #expect(!session.hasEnded)
    }

    @Test(arguments: [(Scene.temporary, true), (.bubble, true), (.group, false), (.private, false)])
    func theLastMemberEndsASessionIfItsSceneSaysSo(_ scene: Scene, _ ends: Bool) throws {
        let sessions = sessions
        let session = try sessions.open(scene, members: ["Joe"], now: 0)
        try session.add(listener)
        try session.leave(Nickname("Joe"))
        queue.run()
        #expect(session.hasEnded == ends)
        #expect((sessions[session.id] == nil) == ends)
        #expect((received.all.last == .ended) == ends)
    }

    @Test func aTemporarySessionEndsAfterTenIdleMinutes() throws {
        let sessions = sessions
        let minute: Int64 = 60_000_000_000
        let temporary = try sessions.open(.temporary, members: ["Joe"], now: 0)
        let group = try sessions.open(.group, members: ["Joe"], now: 0)
        try temporary.post(message(.text("a")), now: 5 * minute)
        sessions.expire(now: 15 * minute - 1)
        #expect(!temporary.hasEnded)
        sessions.expire(now: 15 * minute)
        #expect(temporary.hasEnded && !group.hasEnded)
        let error = #expect(throws: SceneError.self) {
            try temporary.post(message(.text("b"), id: "2"), now: 15 * minute)
        }
        #expect(error?.code == .ended)
    }

    @Test func messagesOfABubbleExpire() throws {
        let sessions = sessions
        let second: Int64 = 1_000_000_000
        let bubble = try sessions.open(.bubble, members: ["Joe"], now: 0)
        for time in 0..<4 {
            try bubble.post(
                message(.text("a"), id: "\(time)", at: Int64(time) * second), now: 0)
        }
        sessions.expire(now: 10 * second)
        #expect(bubble.log.messages.map(\.id) == ["2", "3"])
    }

    @Test func sessionsAreLimited() throws {
        let sessions = SceneSessions(services: services, sessionsMax: 1) { Issue.record("\($0)") }
        let first = try sessions.open(.group, members: ["Joe"], now: 0)
        let error = #expect(throws: SceneError.self) {
            try sessions.open(.group, members: ["Joe"], now: 0)
        }
        #expect(error?.code == .tooManySessions)
        first.end()
        #expect(throws: Never.self) { try sessions.open(.group, members: ["Joe"], now: 0) }
    }

    @Test func aMemberNeedsAValidNickname() {
        let error = #expect(throws: SceneError.self) {
            try sessions.open(.group, members: ["Joe", " "], now: 0)
        }
        #expect(error?.code == .badMember)
    }
}
