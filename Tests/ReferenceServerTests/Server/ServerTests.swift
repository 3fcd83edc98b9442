import DialectFiles
import LineProtocol
import NIOCore
import ReferenceServer
import Testing
import Transport

/// Runs `body` with a server.
func withServer(
    at address: ListenAddress = .tcp(host: "127.0.0.1", port: 0),
    speaking name: String = "livechat",
    _ change: (inout ServerOptions) -> Void = { _ in },
    _ body: (ReferenceServer) async throws -> Void
) async throws {
    let dialect = try DialectLibrary.find(name).dialect
    try await withServer(at: address, speaking: dialect, change, body)
}

/// Runs `body` with a server that speaks `dialect`.
func withServer(
    at address: ListenAddress = .tcp(host: "127.0.0.1", port: 0), speaking dialect: Dialect,
    _ change: (inout ServerOptions) -> Void = { _ in },
    _ body: (ReferenceServer) async throws -> Void
) async throws {
    var options = ServerOptions(dialect)
    // On a busy machine no session may expire unless the test is about expiry.
    options.rules.expiresAfter = nil
    options.rules.loginWithin = nil
    options.lingerMillisecondsMax = 20_000
    change(&options)
    let server = try await ReferenceServer.start(at: address, speaking: dialect, options: options)
    do {
        try await body(server)
    } catch {
        await server.shutdown()
        throw error
    }
    await server.shutdown()
}

/// A few tests over real sockets. The service itself is tested without.
@Suite(.timeLimit(.minutes(5))) struct ServerTests {
    @Test func loginIsAnswered() async throws {
        try await withServer { server in
            let client = try await TestClient.connect(to: server)
            try await client.send("S0001|Maria\n")
            #expect(await client.next() == "R0001|1|Maria")
            #expect(await server.counts() == ServerCounts(connections: 1, sessions: 1, chats: 0))
        }
    }

    @Test func messageIsRelayedToBothOthers() async throws {
        try await withServer { server in
            var clients: [TestClient] = []
            for nickname in ["Maria", "Joe", "Ann"] {
                let client = try await TestClient.logIn(nickname, to: server)
                try await client.send("S0005|2134\n")
                _ = try await client.barrier()
                clients.append(client)
            }
            try await clients[0].send("S0004|0|2134|a\\|b\\nc\n")
            #expect(await clients[1].next("R0004") == "R0004|1|a\\|b\\nc|Maria|2134|0")
            #expect(await clients[2].next("R0004") == "R0004|1|a\\|b\\nc|Maria|2134|0")
            #expect(try await clients[0].barrier().allSatisfy { !$0.hasPrefix("R0004") })
        }
    }

    @Test func privateMessageReachesOnlyItsReceiver() async throws {
        try await withServer { server in
            let maria = try await TestClient.logIn("Maria", to: server)
            let joe = try await TestClient.logIn("Joe", to: server)
            let ann = try await TestClient.logIn("Ann", to: server)
            try await maria.send("S0007|JOE|hello\n")
            #expect(await joe.next("R0007") == "R0007|1|hello|Maria")
            #expect(try await ann.barrier() == [])
        }
    }

    @Test func abruptCloseFreesTheNicknameAndIsAnnouncedOnce() async throws {
        try await withServer { server in
            let maria = try await TestClient.logIn("Maria", to: server)
            let joe = try await TestClient.logIn("Joe", to: server)
            try await joe.abort()
            #expect(await maria.next("R0013") == "R0013|2|Joe|disconnected")
            let again = try await TestClient.connect(to: server)
            try await again.send("S0001|JOE\n")
            #expect(await again.next() == "R0001|3|JOE")
            #expect(try await maria.barrier() == ["R0012|3|JOE"])
        }
    }

    @Test func halfClosedClientGetsItsAnswersThenTheEnd() async throws {
        try await withServer { server in
            let client = try await TestClient.logIn("Joe", to: server)
            try await client.send("S0003|one\nS0003|two\n")
            try await client.halfClose()
            #expect(await client.rest() == ["R0003|one", "R0003|two"])
        }
    }

    @Test func onlyCompleteLinesAreCarriedOutAtTheEnd() async throws {
        try await withServer { server in
            let maria = try await TestClient.logIn("Maria", to: server)
            let joe = try await TestClient.logIn("Joe", to: server)
            try await joe.send("S0007|Maria|whole\nS0007|Maria|part")
            try await joe.halfClose()
            #expect(await joe.rest() == [])
            #expect(
                try await maria.barrier()
                    == ["R0012|2|Joe", "R0007|1|whole|Joe", "R0013|2|Joe|disconnected"])
        }
    }

    @Test func bytesMayArriveOneByOne() async throws {
        try await withServer { server in
            let client = try await TestClient.connect(to: server)
            for byte in Array("S0001|Zoë\nS0005|1\nS0008|1\n".utf8) {
                try await client.send([byte])
            }
            #expect(await client.next() == "R0001|1|Zoë")
            #expect(await client.next() == "R0005|1|Zoë")
            #expect(await client.next() == "R0008|1|Zoë|0")
            #expect(await client.next() == "R0009|1")
        }
    }

    @Test func anEntireSessionMayArriveInOneWrite() async throws {
        try await withServer { server in
            let client = try await TestClient.connect(to: server)
            try await client.send("\n\nS0001|Joe\nS0003|t\nS0007|joe|me\nS0002\nS0003|late\n")
            #expect(
                await client.rest()
                    == ["R0001|1|Joe", "R0003|t", "R0007|1|me|Joe", "R0018|logged out"])
        }
    }

    @Test func sessionWithoutPingExpires() async throws {
        try await withServer {
            $0.rules.expiresAfter = 50_000_000
        } _: { server in
            let client = try await TestClient.logIn("Joe", to: server)
            #expect(await client.rest() == ["R0018|expired: no ping received"])
            #expect(await server.counts().connections == 0)
        }
    }

    @Test func connectionWithoutLoginIsClosed() async throws {
        try await withServer {
            $0.rules.loginWithin = 50_000_000
        } _: { server in
            let client = try await TestClient.connect(to: server)
            #expect(await client.rest() == ["R0002|S0001|408|no login in time"])
        }
    }

    @Test func connectionOverTheLimitIsRefused() async throws {
        try await withServer {
            $0.rules.connectionsMax = 1
        } _: { server in
            let first = try await TestClient.logIn("Joe", to: server)
            let second = try await TestClient.connect(to: server)
            #expect(await second.rest() == ["R0002||429|too many connections"])
            #expect(try await first.barrier() == [])
        }
    }

    @Test func longLineIsRefusedAndTheNextIsRead() async throws {
        try await withServer { server in
            let client = try await TestClient.logIn("Joe", to: server)
            try await client.send("S0003|" + String(repeating: "x", count: 300_000))
            try await client.send("|S0002\n")
            #expect(await client.next() == "R0002|S0003|413|line too long")
            #expect(try await client.barrier() == [])
        }
    }

    @Test(arguments: ["::1", "127.0.0.2", "localhost"])
    func listensAtTheGivenAddress(host: String) async throws {
        try await withServer(at: .tcp(host: host, port: 0)) { server in
            let client = try await TestClient.logIn("Joe", to: server)
            #expect(try await client.barrier() == [])
            #expect(server.port != 0)
        }
    }

    @Test func listensAtAUnixSocketAndRemovesItsFile() async throws {
        let path = "/tmp/linejudge-\(UInt64.random(in: 0 ... .max)).socket"
        for _ in 0..<2 {
            try await withServer(at: .unixSocket(path: path)) { server in
                let client = try await TestClient.logIn("Joe", to: server)
                #expect(try await client.barrier() == [])
                #expect(server.port == nil)
            }
        }
    }

    @Test func portInUseIsAClearError() async throws {
        try await withServer { server in
            let dialect = try livechat()
            let error = await #expect(throws: ServerError.self) {
                try await ReferenceServer.start(at: server.address, speaking: dialect)
            }
            #expect(error?.code == .addressInUse)
            #expect(
                error?.message
                    == "\(server.address) is in use: stop the other server or choose another port "
                    + "(0 for any free port)")
        }
    }

    @Test func invalidAddressIsAClearError() async throws {
        let dialect = try livechat()
        let error = await #expect(throws: ServerError.self) {
            try await ReferenceServer.start(
                at: .tcp(host: "192.0.2.1", port: 0), speaking: dialect)
        }
        #expect(error?.code == .cannotListen)
        #expect(error?.message.hasPrefix("cannot listen on 192.0.2.1:0: ") == true)
    }

    @Test func dialectWithoutANeededCommandIsAClearError() async throws {
        let dialect = try livechat().without("join")
        let error = await #expect(throws: ServerError.self) {
            try await ReferenceServer.start(speaking: dialect)
        }
        #expect(error?.code == .missingCommand("join"))
    }
}
