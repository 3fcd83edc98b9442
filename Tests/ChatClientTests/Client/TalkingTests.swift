import ChatClient
import ChatModel
import LineProtocol
import ReferenceServer
import Testing

@Suite(.timeLimit(.minutes(5))) struct TalkingTests {
    @Test func chatMessagesReachOtherMembersWithSenderTextAndTime() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let ann = try await chat.client("Ann")
            var events = try ann.events().makeAsyncIterator()
            try await ann.join(2134)
            try await joe.join(2134)
            try await joe.say("Hello | there\n", in: 2134)
            let message = await next(&events) { event -> ChatMessage? in
                if case .message(let message) = event { message } else { nil }
            }
            #expect(message?.text == "Hello | there\n")
            #expect(message?.sender == "Joe")
            #expect(message?.chat == 2134)
            #expect(message.map { $0.time > 1_700_000_000_000_000_000 } == true)
        }
    }

    @Test func privateMessagesReachTheirReceiver() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let ann = try await chat.client("Ann")
            var events = try ann.events().makeAsyncIterator()
            try await joe.say("psst", to: "ANN")
            #expect(await next(&events) { $0.text } == "psst")
        }
    }

    @Test func aRefusalReturnsOnlyToItsCaller() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            try await joe.join(1)
            async let good: Void = joe.say("a", in: 1)
            await #expect(throws: ChatError.self) { try await joe.say("b", to: "nobody") }
            let error = await #expect(throws: ChatError.self) { try await joe.say("c", in: 99) }
            if case .refused(let refusal) = error {
                #expect(refusal.command == "S0004")
                #expect(refusal.code == ChatRefusal.notFound)
            } else {
                Issue.record("got \(String(describing: error))")
            }
            try await good
        }
    }

    @Test func concurrentRequestsGetTheirOwnAnswers() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            try await joe.join(1)
            let refused = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
                for number in 0..<200 {
                    group.addTask {
                        do {
                            try await joe.say("\(number)", in: number.isMultiple(of: 3) ? 99 : 1)
                            return (number, false)
                        } catch ChatError.refused {
                            return (number, true)
                        }
                    }
                }
                return try await group.reduce(into: Set<Int>()) { refused, one in
                    if one.1 { refused.insert(one.0) }
                }
            }
            #expect(refused == Set((0..<200).filter { $0.isMultiple(of: 3) }))
        }
    }

    @Test func callbacksRunOnTheChosenExecutor() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            try await joe.join(1)
            let turns = AsyncStream<Void>.makeStream()
            let executor = ListenerExecutor.queue { work in
                turns.continuation.yield()
                work()
            }
            let result = await withCheckedContinuation { continuation in
                joe.say("a", in: 1, on: executor) { continuation.resume(returning: $0) }
            }
            #expect(throws: Never.self) { try result.get() }
            turns.continuation.finish()
            #expect(await turns.stream.reduce(0) { count, _ in count + 1 } == 1)
        }
    }

    @Test func listenersRunOnTheirOwnExecutors() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let ann = try await chat.client("Ann")
            let received = AsyncStream<String>.makeStream()
            try ann.add(
                Listener(named: "pool", on: .pool) { event in
                    if let text = event.text { received.continuation.yield("pool " + text) }
                })
            try ann.add(
                Listener(named: "main") { @MainActor event in
                    if let text = event.text { received.continuation.yield("main " + text) }
                })
            try await joe.say("hi", to: "Ann")
            var all: Set<String> = []
            for await text in received.stream {
                all.insert(text)
                if all.count == 2 { break }
            }
            #expect(all == ["pool hi", "main hi"])
        }
    }

    @Test func theLatestMessagesAreKept() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let ann = try await chat.client("Ann")
            var events = try ann.events().makeAsyncIterator()
            try await ann.join(1)
            try await joe.join(1)
            for number in 0..<150 { try await joe.say("\(number)", in: 1) }
            _ = await next(&events) { $0.text == "149" ? true : nil }
            #expect(ann.messages.count == 100)
            #expect(ann.messages.first?.text == "50")
            #expect(ann.messages.last?.text == "149")
            #expect(joe.messages.last?.text == "149", "one's own are among them")
            #expect(joe.messages.last?.isOwn == true)
        }
    }

    @Test func usersAndHistoryCanBeRequested() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let ann = try await chat.client("Ann")
            try await ann.join(1)
            try await joe.join(1)
            for text in ["a", "b", "c"] { try await joe.say(text, in: 1) }
            #expect(try await ann.people().map(\.nickname) == ["Joe", "Ann"])
            #expect(try await ann.history(of: 1).map(\.text) == ["c", "b", "a"])
            #expect(try await ann.history(of: 1, count: 2).map(\.text) == ["c", "b"])
            try await joe.leave(1)
            #expect(try await ann.people(in: 1).map(\.nickname) == ["Ann"])
            await #expect(throws: ChatError.self) { try await joe.history(of: 1) }
        }
    }

    @Test func anOverlongTextIsRefusedBeforeSending() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let text = String(repeating: "x", count: 70_000)
            await #expect(throws: ChatError.tooLong(bytes: 70_011, bytesMax: 65_536)) {
                try await joe.say(text, in: 1)
            }
        }
    }

    @Test func wireNamesComeFromTheDialect() async throws {
        var dialect = try livechat()
        dialect.commands = CommandTable(
            dialect.commands.signatures.map { signature in
                var signature = signature
                signature.wire = .exact(Array(("X" + signature.name).utf8))
                signature.arguments.reverse()
                return signature
            })
        try await ServerWithClients.run(dialect: dialect) { chat in
            let joe = try await chat.client("Joe")
            let ann = try await chat.client("Ann")
            var events = try ann.events().makeAsyncIterator()
            try await joe.say("hi", to: "Ann")
            #expect(await next(&events) { $0.text } == "hi")
            await #expect(
                throws: ChatError.refused(
                    ChatRefusal(
                        command: "Xjoin", code: 400, reason: "chat numbers start at 1"))
            ) { try await joe.join(-1) }
        }
    }
}
