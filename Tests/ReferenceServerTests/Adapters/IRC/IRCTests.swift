import ChatModel
import ReferenceServer
import Testing

/// IRC behaviour that the scenarios do not cover.
@Suite(.timeLimit(.minutes(5))) struct IRCTests {
    /// Returns a client that has registered and read its welcome.
    private func register(
        _ nickname: String, _ server: ReferenceServer
    ) async throws -> TestClient {
        let client = try await TestClient.connect(to: server)
        try await client.send("NICK \(nickname)\r\nUSER \(nickname) 0 * :Some Body\r\n")
        _ = await client.lines(upTo: ":irc.linejudge.test 376")
        return client
    }

    @Test func loginWaitsForTheNegotiation() async throws {
        try await withServer(speaking: "irc") { server in
            let client = try await TestClient.connect(to: server)
            #expect(
                try await client.ask("CAP LS 302\r\nNICK a\r\nUSER a 0 * :A\r\n", upTo: ":irc")
                    .first?.hasPrefix(":irc.linejudge.test CAP * LS :account-notify ") == true)
            #expect(
                try await client.ask("CAP REQ :multi-prefix sasl\r\n", upTo: ":irc")
                    == [":irc.linejudge.test CAP a NAK :multi-prefix sasl"])
            #expect(
                try await client.ask("CAP END\r\n", upTo: ":irc").first?
                    .hasPrefix(":irc.linejudge.test 001 a ") == true)
        }
    }

    @Test func theMessageOfTheDayExplainsTheServer() async throws {
        try await withServer(speaking: "irc") { server in
            let client = try await register("alice", server)
            let lines = try await client.ask("MOTD\r\n", upTo: ":irc.linejudge.test 376")
            #expect(
                lines.contains(
                    ":irc.linejudge.test 372 alice :- It follows the protocol, except for injected faults."
                ), "\(lines)")
        }
    }

    @Test func whoisShowsUserChannelsAndAway() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register("alice", server)
            _ = try await alice.ask("JOIN #a\r\nAWAY :gone\r\n", upTo: ":irc.linejudge.test 306")
            let bob = try await register("bob", server)
            let lines = try await bob.ask("WHOIS ALICE\r\n", upTo: ":irc.linejudge.test 318")
            let codes = lines.map { String($0.dropFirst(20).prefix(3)) }
            #expect(codes == ["311", "319", "312", "301", "317", "318"])
            #expect(lines[0].hasSuffix(" bob alice alice 127.0.0.1 * :Some Body"))
            #expect(lines[1].hasSuffix(" bob alice @#a"))
        }
    }

    @Test func channelOperatorSetsModesAndOthersCannot() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register("alice", server)
            _ = try await alice.ask("JOIN #a\r\n", upTo: ":irc.linejudge.test 366")
            #expect(
                try await alice.ask("MODE #a +kl-t secret 5\r\n", upTo: ":alice")
                    == [":alice!alice@127.0.0.1 MODE #a +kl-t secret 5"])
            let bob = try await register("bob", server)
            #expect(
                try await bob.ask("JOIN #a\r\n", upTo: ":irc").first?
                    .hasPrefix(":irc.linejudge.test 475 bob #a ") == true)
            _ = try await bob.ask("JOIN #a secret\r\n", upTo: ":irc.linejudge.test 366")
            #expect(
                try await bob.ask("MODE #a +m\r\n", upTo: ":irc").first?
                    .hasPrefix(":irc.linejudge.test 482 bob #a ") == true)
            #expect(
                try await bob.ask("TOPIC #a :new\r\n", upTo: ":bob")
                    == [":bob!bob@127.0.0.1 TOPIC #a new"])
        }
    }

    @Test func kickRemovesAndInviteAdmits() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register("alice", server)
            let bob = try await register("bob", server)
            _ = try await alice.ask(
                "JOIN #a\r\nMODE #a +i\r\n", upTo: ":alice!alice@127.0.0.1 MODE")
            #expect(
                try await bob.ask("JOIN #a\r\n", upTo: ":irc").first?
                    .hasPrefix(":irc.linejudge.test 473 bob #a ") == true)
            _ = try await alice.ask("INVITE bob #a\r\n", upTo: ":irc.linejudge.test 341")
            #expect(
                await bob.lines(upTo: ":alice") == [":alice!alice@127.0.0.1 INVITE bob #a"])
            _ = try await bob.ask("JOIN #a\r\n", upTo: ":irc.linejudge.test 366")
            try await alice.send("KICK #a bob :enough of this\r\n")
            #expect(
                await bob.lines(upTo: ":alice").last
                    == ":alice!alice@127.0.0.1 KICK #a bob :enough of this")
        }
    }

    @Test func statsCountFaults() async throws {
        let faults = FaultInjector(rates: [.drop: 1], seed: 1)
        try await withServer(speaking: "irc") {
            $0.faults = faults
        } _: { server in
            let alice = try await register("alice", server)
            try await alice.send("PRIVMSG alice :lost\r\nPRIVMSG alice :lost too\r\n")
            #expect(
                try await alice.ask("STATS f\r\n", upTo: ":irc.linejudge.test 219").first
                    == ":irc.linejudge.test 212 alice drop 2")
        }
    }

    @Test func silentClientIsPingedThenDisconnected() async throws {
        try await withServer(speaking: "irc") {
            $0.rules.expiresAfter = 2_000_000_000
        } _: { server in
            let alice = try await register("alice", server)
            let lines = await alice.rest().map { $0.filter { $0 != "\r" } }
            #expect(lines.first == "PING irc.linejudge.test")
            #expect(lines.last == "ERROR :Closing link: (Ping timeout)")
        }
    }

    @Test(arguments: [
        "", "1a", "-a", "a b", "a!b", "a@b", "a:b", "#a", String(repeating: "a", count: 31),
    ])
    func badNicknamesAreRefused(nickname: String) async throws {
        let rules = NameRules(bytesMax: 30, folding: .rfc1459, alphabet: .irc)
        #expect(throws: NicknameError.self) { try Nickname(nickname.bytes, rules) }
    }
}
