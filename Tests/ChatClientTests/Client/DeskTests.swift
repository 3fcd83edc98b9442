import ChatClient
import ChatModel
import ReferenceServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeskTests {
    @Test func modelsFollowTheServerWithoutPolling() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            try await joe.join(7)
            let ann = try chat.client()
            var events = try ann.events().makeAsyncIterator()
            try await ann.logIn(as: ChatAccount(nickname: "Ann"))
            try await ann.join(7)
            #expect(ann.desk.account.nickname == "Ann")
            #expect(ann.desk.operators.state.count == 2)
            try await joe.say("hi", in: 7)
            _ = await next(&events) { $0.text }
            try await ann.say("hello", in: 7)
            let here = ann.desk.chats.state[7]
            #expect(here?.messages.messages.map(\.text) == ["hi", "hello"])
            try await joe.logOut()
            _ = await next(&events) { event -> Bool? in
                if case .departed = event { true } else { nil }
            }
            #expect(ann.desk.operators.state.count == 1)
        }
    }
}
