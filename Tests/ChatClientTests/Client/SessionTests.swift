import ChatClient
import ChatModel
import ReferenceServer
import Testing
import Transport

@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    @Test func loginReturnsTheServersSession() async throws {
        try await ServerWithClients.run { chat in
            let joe = try chat.client()
            #expect(joe.session == nil)
            let session = try await joe.logIn(as: ChatAccount(nickname: "Joe"))
            #expect(session.nickname == "Joe")
            #expect(joe.session == session)
            try await joe.logOut()
            #expect(joe.session == nil)
            #expect(await chat.server.counts().sessions == 0)
        }
    }

    @Test func nicknamesAreUniqueInAnySpelling() async throws {
        try await ServerWithClients.run { chat in
            _ = try await chat.client("Joe")
            let error = await #expect(throws: ChatError.self) { try await chat.client("JOE") }
            #expect(error?.isConflict == true)
        }
    }

    @Test func aRefusedLoginCanBeRetried() async throws {
        try await ServerWithClients.run { chat in
            _ = try await chat.client("Joe")
            let other = try chat.client()
            await #expect(throws: ChatError.self) {
                try await other.logIn(as: ChatAccount(nickname: "joe"))
            }
            #expect(try await other.logIn(as: ChatAccount(nickname: "Jim")).nickname == "Jim")
        }
    }

    @Test func aRouterSelectsServerAndAccount() async throws {
        struct Gate: ChatRouter {
            struct Turned: Error, CustomStringConvertible { let description = "wrong password" }
            let endpoint: Endpoint

            func route(_ account: ChatAccount) async throws -> ChatRoute {
                guard account.password == "sesame" else { throw Turned() }
                return ChatRoute(endpoint, as: ChatAccount(name: account.name, password: "ticket"))
            }
        }
        try await ServerWithClients.run({ $0.rules.password = Array("ticket".utf8) }) { chat in
            let client = try ChatClient(
                speaking: chat.dialect, through: Gate(endpoint: chat.endpoint))
            await #expect(throws: ChatError.notConnected(reason: "wrong password")) {
                try await client.logIn(as: ChatAccount(name: "Joe", password: "guess"))
            }
            let session = try await client.logIn(as: ChatAccount(name: "Joe", password: "sesame"))
            #expect(session.nickname == "Joe")
            client.close()
        }
    }

    @Test func loginFailsIfNothingListens() async throws {
        var closed = Endpoint(.host("127.0.0.1", port: 1))
        try await ServerWithClients.run { closed = $0.endpoint }
        let client = try ChatClient(speaking: try livechat(), at: closed)
        let error = await #expect(throws: ChatError.self) {
            try await client.logIn(as: ChatAccount(nickname: "Joe"))
        }
        #expect(
            error?.description.hasSuffix("refused the connection: no server is listening") == true)
        client.close()
    }

    @Test func nothingCanBeSentBeforeTheLogin() async throws {
        try await ServerWithClients.run { chat in
            let client = try chat.client()
            await #expect(throws: ChatError.notLoggedIn) { try await client.say("a", in: 1) }
            await #expect(throws: ChatError.notLoggedIn) { try await client.logOut() }
        }
    }

    @Test func aSecondLoginFails() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            await #expect(throws: ChatError.alreadyLoggedIn) {
                try await joe.logIn(as: ChatAccount(nickname: "Jim"))
            }
        }
    }

    @Test func pingsKeepTheSessionAliveUntilLogout() async throws {
        // Without pings the server ends a session after one second.
        try await ServerWithClients.run({ $0.rules.expiresAfter = 1_000_000_000 }) { chat in
            let joe = try chat.client { $0.pingInterval = 20_000_000 }
            let session = try await joe.logIn(as: ChatAccount(nickname: "Joe"))
            let watcher = try chat.client { $0.pingInterval = 1_000_000_000_000 }
            var events = try watcher.events().makeAsyncIterator()
            try await watcher.logIn(as: ChatAccount(nickname: "Silent"))
            // The client that does not ping has expired; by then the other would have, too.
            _ = await next(&events) { event -> Bool? in
                if case .connectionLost = event { true } else { nil }
            }
            #expect(joe.session == session)
            try await joe.say("still here", to: "Joe")
        }
    }

    @Test func aLostSessionIsRestoredWithItsChats() async throws {
        // Long enough to join on a busy machine before the session is lost.
        try await ServerWithClients.run({ $0.rules.expiresAfter = 2_000_000_000 }) { chat in
            let joe = try chat.client {
                $0.pingInterval = 1_000_000_000_000
                $0.reconnect = ReconnectPolicy(delayFirst: 1_000_000, delayMax: 1_000_000)
            }
            var events = try joe.events().makeAsyncIterator()
            let first = try await joe.logIn(as: ChatAccount(nickname: "Joe"))
            try await joe.join(7)
            // It does not ping, so the server ends the session.
            let second = await next(&events) { event -> ClientSession? in
                if case .loggedIn(let session) = event, session != first { session } else { nil }
            }
            #expect(second?.nickname == "Joe")
            let joined = await next(&events) { event -> Int? in
                if case .joined(let chat, "Joe") = event { chat } else { nil }
            }
            #expect(joined == 7)
        }
    }

    @Test func withoutRetriesALostSessionEnds() async throws {
        try await ServerWithClients.run { chat in
            let joe = try chat.client { $0.reconnect = .never }
            var events = try joe.events().makeAsyncIterator()
            try await joe.logIn(as: ChatAccount(nickname: "Joe"))
            await chat.server.shutdown()
            let isOver = await next(&events) { event -> Bool? in
                if case .ended = event { true } else { nil }
            }
            #expect(isOver == true)
            #expect(joe.session == nil)
            await #expect(throws: ChatError.notLoggedIn) { try await joe.say("a", in: 1) }
        }
    }

    @Test func aClosedClientEndsItsEventsAndTakesNoRequests() async throws {
        try await ServerWithClients.run { chat in
            let joe = try await chat.client("Joe")
            let events = try joe.events()
            joe.close()
            joe.close()
            for await _ in events {}
            await #expect(throws: ChatError.closed) { try await joe.say("a", in: 1) }
        }
    }

    @Test func aCancelledLoginIsAborted() async throws {
        let requests = AsyncStream<Void>.makeStream()
        let client = try ChatClient(
            speaking: try livechat(), through: Never(requests: requests.continuation))
        let login = Task { try await client.logIn(as: ChatAccount(nickname: "Joe")) }
        for await _ in requests.stream { break }
        login.cancel()
        let result = await login.result
        #expect(throws: ChatError.cancelled) { try result.get() }
        client.close()
    }

    @Test func requestsOverTheLimitFailImmediately() async throws {
        var options = ChatClientOptions(try livechat())
        options.requestsMax = 1
        let requests = AsyncStream<Void>.makeStream()
        let client = try ChatClient(
            speaking: try livechat(), through: Never(requests: requests.continuation),
            options: options)
        // The login uses the only request slot.
        let login = Task { try await client.logIn(as: ChatAccount(nickname: "Joe")) }
        for await _ in requests.stream { break }
        await #expect(throws: ChatError.busy(requestsMax: 1)) { try await client.say("a", in: 1) }
        client.close()
        let result = await login.result
        #expect(throws: ChatError.closed) { try result.get() }
    }

    @Test func passwordsAreNotShown() {
        let account = ChatAccount(name: "Joe", password: "sesame")
        #expect(!"\(account)".contains("sesame"))
        #expect(!String(reflecting: account).contains("sesame"))
    }
}

/// A router that never answers.
private struct Never: ChatRouter {
    let requests: AsyncStream<Void>.Continuation

    func route(_ account: ChatAccount) async throws -> ChatRoute {
        requests.yield()
        try await Task.sleep(for: .seconds(1_000_000))
        throw CancellationError()
    }
}
