import ChatClient
import ChatModel
import ReferenceServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct SceneTests {
    @Test func anImageArrivesUnchangedInAPrivateSession() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let ann = try await chat.client("Ann")
            var events = try ann.events().makeAsyncIterator()
            let session = try await joe.open(.private, with: ["ANN"])
            let image = MessageContent.image(
                [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x7C, 0x5C, 0x00, 0xFF],
                mediaType: "image/png")
            try await joe.send(image, in: session.id)
            let message = await next(&events) { event -> ChatMessage? in
                if case .message(let message) = event { message } else { nil }
            }
            #expect(message?.content == image && message?.chat == session.id)
            let received = try #require(ann.sessions[session.id])
            #expect(received.scene == .private && received.members.map(\.text) == ["Joe", "Ann"])
            #expect(received.log.messages.map(\.content) == [image])
            #expect(session.log.messages.map(\.content) == [image])
            let history = try await ann.history(of: session.id)
            #expect(history.map(\.content) == [image])
        }
    }

    @Test func aBubbleAllowsOnlyText() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            _ = try await chat.client("Ann")
            let bubble = try await joe.open(.bubble, with: ["Ann"])
            try await joe.send(.text("over here"), in: bubble.id)
            let error = await #expect(throws: ChatError.self) {
                try await joe.send(.voice([1], mediaType: "audio/ogg"), in: bubble.id)
            }
            let refusal = ChatRefusal(
                command: "S0013", code: ChatRefusal.notCarried,
                reason: "bubble: voice is not allowed; allowed: text")
            #expect(error == .refused(refusal))
        }
    }

    @Test func privateSessionsAreReusedAndHintsAreNotKept() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let ann = try await chat.client("Ann")
            let first = try await joe.open(.private, with: ["Ann"])
            try await joe.send(.hint("Joe is typing"), in: first.id)
            try await joe.send(.text("Hello!"), in: first.id)
            #expect(try await joe.open(.private, with: ["Ann"]) === first)
            #expect(try await ann.open(.private, with: ["Joe"]).id == first.id)
            #expect(first.log.messages.map(\.content) == [.text("Hello!")])
            #expect(joe.messages.messages.map(\.content) == [.text("Hello!")])
        }
    }

    @Test func sessionsEndAtLogoutAndDataServicesDoNot() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            try await joe.join(2134)
            let session = try #require(joe.sessions[2134])
            #expect(session.scene == .group)
            #expect(joe.services.current(.session)?.nickname == "Joe")
            try await joe.say("kept", in: 2134)
            try await joe.logOut()
            #expect(session.hasEnded && joe.sessions.count == 0)
            #expect(joe.services.current(.session) == nil)
            let log = try #require(joe.services.current(.latestMessages))
            #expect(log.messages.map(\.text) == ["kept"])
            #expect(joe.services.current(.desk) === joe.desk)
        }
    }

    @Test func anUnknownSceneIsRefused() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let error = await #expect(throws: ChatError.self) {
                try await joe.open(Scene("opera"), with: [])
            }
            if case .refused(let refusal) = error {
                #expect(refusal.code == ChatRefusal.notFound)
            } else {
                Issue.record("got \(String(describing: error))")
            }
        }
    }
}
