import ReferenceServer
import Testing

/// IRCv3 capabilities, tags, labels, MONITOR and SASL. The scenarios in `Scenarios/irc` cover the
/// specifications; these tests cover what they leave open.
@Suite(.timeLimit(.minutes(5))) struct IRCv3Tests {
    /// Returns a client that has registered with these capabilities.
    private func register(
        _ nickname: String, _ server: ReferenceServer, _ capabilities: String = ""
    ) async throws -> TestClient {
        let client = try await TestClient.connect(to: server)
        let request = capabilities.isEmpty ? "" : "CAP REQ :\(capabilities)\r\nCAP END\r\n"
        try await client.send("\(request)NICK \(nickname)\r\nUSER \(nickname) 0 * :Some Body\r\n")
        _ = await client.lines(upTo: ":irc.linejudge.test 376")
        return client
    }

    @Test func capabilitiesHaveValuesOnlyInVersion302() async throws {
        try await withServer(speaking: "irc") {
            $0.rules.accounts = ["tester".bytes: "sesame".bytes]
        } _: { server in
            let new = try await TestClient.connect(to: server)
            #expect(
                try await new.ask("CAP LS 302\r\n", upTo: ":irc") == [
                    ":irc.linejudge.test CAP * LS :account-notify account-tag away-notify batch "
                        + "cap-notify draft/chathistory echo-message extended-join invite-notify labeled-response "
                        + "message-tags multi-prefix sasl=PLAIN server-time setname "
                        + "standard-replies userhost-in-names"
                ])
            let old = try await TestClient.connect(to: server)
            let list = try await old.ask("CAP LS\r\n", upTo: ":irc").first
            #expect(list?.contains(" sasl server-time ") == true)
        }
    }

    @Test func aClientWithoutCapabilitiesReceivesNoneOfTheirLines() async throws {
        try await withServer(speaking: "irc") { server in
            let plain = try await register("plain", server)
            _ = try await plain.ask("JOIN #a\r\n", upTo: ":irc.linejudge.test 366")
            let modern = try await register(
                "modern", server,
                "account-tag away-notify extended-join invite-notify message-tags server-time setname"
            )
            _ = try await modern.ask("JOIN #a\r\n", upTo: ":irc.linejudge.test 366")
            _ = try await register("guest", server)
            try await modern.send(
                "AWAY :gone\r\nSETNAME :Another\r\n@+a=b TAGMSG #a\r\nINVITE guest #a\r\n")
            try await modern.send("@+a=b PRIVMSG #a :that is all\r\n")
            #expect(
                await plain.lines(upTo: ":modern!modern@127.0.0.1 PRIVMSG") == [
                    ":modern!modern@127.0.0.1 JOIN #a",
                    ":modern!modern@127.0.0.1 PRIVMSG #a :that is all",
                ])
        }
    }

    @Test func linesFromUsersHaveTheRequestedTags() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register("alice", server, "server-time message-tags")
            let bob = try await register("bob", server, "message-tags")
            try await bob.send("@+a=b\\s;x=y;+a=c PRIVMSG alice :hello\r\n")
            let line = try #require(await alice.lines(upTo: "@time=").last)
            let parts = line.split(separator: " ", maxSplits: 1)
            let tags = parts[0].split(separator: ";")
            #expect(
                tags[0].hasSuffix("Z") && tags[0].count == "@time=2026-01-01T00:00:00.000Z".count)
            #expect(tags[1...] == ["msgid=m1", "+a=c"])
            #expect(parts[1] == ":bob!bob@127.0.0.1 PRIVMSG alice hello")
        }
    }

    @Test func aLabelledCommandHasExactlyOneLabelledResponse() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register("alice", server, "labeled-response batch")
            let lines = try await alice.ask(
                "@label=a PONG x\r\n@label=b PING x\r\n@label=c TIME x y z\r\n@label=d JOIN #a\r\n"
                    + "PING end\r\n", upTo: ":irc.linejudge.test PONG irc.linejudge.test end")
            #expect(lines[0] == "@label=a :irc.linejudge.test ACK")
            #expect(lines[1] == "@label=b :irc.linejudge.test PONG irc.linejudge.test x")
            #expect(lines[2].hasPrefix("@label=c :irc.linejudge.test 391 alice "))
            #expect(
                lines[3...].dropLast() == [
                    "@label=d :irc.linejudge.test BATCH +b1 labeled-response",
                    "@batch=b1 :alice!alice@127.0.0.1 JOIN #a",
                    "@batch=b1 :irc.linejudge.test 353 alice = #a @alice",
                    "@batch=b1 :irc.linejudge.test 366 alice #a :End of NAMES list",
                    ":irc.linejudge.test BATCH -b1",
                ])
        }
    }

    @Test func aLabelledQuitIsAnsweredBeforeTheConnectionCloses() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register("alice", server, "labeled-response batch")
            try await alice.send("@label=a QUIT :bye\r\n")
            let lines = await alice.rest().map { $0.filter { $0 != "\r" } }
            #expect(lines == ["@label=a ERROR :Closing link: (Quit: bye)"])
        }
    }

    @Test func monitorReportsUntilItIsRemovedAndHasALimit() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register("alice", server)
            #expect(
                try await alice.ask("MONITOR + bob,carol\r\n", upTo: ":irc")
                    == [":irc.linejudge.test 731 alice bob,carol"])
            let bob = try await register("bob", server)
            #expect(
                await alice.lines(upTo: ":irc")
                    == [":irc.linejudge.test 730 alice bob!bob@127.0.0.1"])
            try await bob.send("NICK robert\r\nNICK bob\r\nQUIT\r\n")
            #expect(
                await alice.lines(upTo: ":irc") + alice.lines(upTo: ":irc")
                    + alice.lines(upTo: ":irc") == [
                        ":irc.linejudge.test 731 alice bob",
                        ":irc.linejudge.test 730 alice bob!bob@127.0.0.1",
                        ":irc.linejudge.test 731 alice bob",
                    ])
            let names = (0..<98).map { "n\($0)" }.joined(separator: ",")
            _ = try await alice.ask("MONITOR + \(names)\r\n", upTo: ":irc")
            let last = try await alice.ask(
                "MONITOR + x,y\r\n", upTo: ":irc.linejudge.test 734"
            ).last
            #expect(last == ":irc.linejudge.test 734 alice 100 x,y :Monitor list is full")
        }
    }

    @Test func exceptionsAreListedAndLimited() async throws {
        try await withServer(speaking: "irc") {
            $0.rules.masksMax = 1
        } _: { server in
            let alice = try await register("alice", server)
            _ = try await alice.ask("JOIN #a\r\n", upTo: ":irc.linejudge.test 366")
            for (mode, entry, end) in [("e", 348, 349), ("I", 346, 347)] {
                #expect(
                    try await alice.ask("MODE #a +\(mode) bob\r\n", upTo: ":alice").last
                        == ":alice!alice@127.0.0.1 MODE #a +\(mode) bob!*@*")
                #expect(
                    try await alice.ask("MODE #a +\(mode) more\r\n", upTo: ":irc").last
                        == ":irc.linejudge.test 478 alice #a \(mode) :Channel list is full")
                let list = try await alice.ask(
                    "MODE #a \(mode)\r\n", upTo: ":irc.linejudge.test \(end)")
                #expect(
                    list.first?.hasPrefix(":irc.linejudge.test \(entry) alice #a bob!*@* alice ")
                        == true)
                #expect(
                    try await alice.ask("MODE #a -\(mode) BOB!*@*\r\n", upTo: ":alice").last
                        == ":alice!alice@127.0.0.1 MODE #a -\(mode) bob!*@*")
            }
        }
    }

    @Test func bansKeepUsersOutAndSilent() async throws {
        try await withServer(speaking: "irc") {
            $0.rules.masksMax = 2
        } _: { server in
            let alice = try await register("alice", server)
            let bob = try await register("bob", server)
            _ = try await alice.ask("JOIN #a\r\n", upTo: ":irc.linejudge.test 366")
            _ = try await bob.ask("JOIN #a\r\n", upTo: ":irc.linejudge.test 366")
            #expect(
                try await alice.ask("MODE #a +bb B?B x@y\r\n", upTo: ":alice").last
                    == ":alice!alice@127.0.0.1 MODE #a +bb B?B!*@* *!x@y")
            #expect(
                try await alice.ask("MODE #a +b more\r\n", upTo: ":irc").last
                    == ":irc.linejudge.test 478 alice #a b :Channel ban list is full")
            #expect(
                try await bob.ask("PRIVMSG #a :hi\r\nPART #a\r\nJOIN #a\r\n", upTo: ":irc").last?
                    .hasPrefix(":irc.linejudge.test 404 bob #a ") == true)
            _ = await bob.lines(upTo: ":bob!bob@127.0.0.1 PART")
            #expect(
                await bob.lines(upTo: ":irc").last
                    == ":irc.linejudge.test 474 bob #a :Cannot join channel (+b)")
            let list = try await alice.ask("MODE #a b\r\n", upTo: ":irc.linejudge.test 368")
            #expect(list.count { $0.hasPrefix(":irc.linejudge.test 367 alice #a ") } == 2)
        }
    }

    @Test(arguments: [
        ("AHRlc3RlcgBzZXNhbWU=", true), ("dGVzdGVyAFRlc3RlcgBzZXNhbWU=", true),
        ("AHRlc3RlcgB3cm9uZw==", false), ("AHRlc3RlcgBzZXNhbWU", false), ("%%%%", false),
        ("+", false),
    ])
    func saslPlainNeedsTheRightPassword(data: String, isRight: Bool) async throws {
        try await withServer(speaking: "irc") {
            $0.rules.accounts = ["tester".bytes: "sesame".bytes]
        } _: { server in
            let client = try await TestClient.connect(to: server)
            _ = try await client.ask("CAP REQ :sasl\r\nAUTHENTICATE PLAIN\r\n", upTo: ":irc")
            #expect(
                await client.lines(upTo: ":irc.linejudge.test AUTH") == [
                    ":irc.linejudge.test AUTHENTICATE +"
                ])
            let lines = try await client.ask(
                "AUTHENTICATE \(data)\r\n", upTo: ":irc.linejudge.test 90\(isRight ? 3 : 4)")
            #expect(lines.count == (isRight ? 2 : 1))
        }
    }

    @Test func longTagsAreRefused() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register("alice", server, "message-tags")
            let tags = String(repeating: "x", count: 4_094)
            #expect(
                try await alice.ask(
                    "@\(tags) PING a\r\n@\(tags)x PING b\r\n", upTo: ":irc.linejudge.test 417")
                    == [
                        ":irc.linejudge.test PONG irc.linejudge.test a",
                        ":irc.linejudge.test 417 alice :Line too long",
                    ])
        }
    }

    /// Returns the texts of the messages in a batch.
    private func texts(_ lines: [String]) -> [String] {
        lines.compactMap { $0.split(separator: " PRIVMSG #a ").dropFirst().first.map(String.init) }
    }

    @Test func historyIsSelectedByIDAndByTime() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register(
                "alice", server,
                "draft/chathistory batch message-tags server-time echo-message")
            _ = try await alice.ask("JOIN #a\r\n", upTo: ":irc.linejudge.test 366")
            var ids: [String] = []
            for text in ["one", "two", "three", "four", "five"] {
                let echo = try await alice.ask("PRIVMSG #a \(text)\r\n", upTo: "@time=").last
                let tag = echo?.split(separator: " ").first?.split(separator: "msgid=").last
                ids.append(String(try #require(tag)))
            }
            func history(_ query: String) async throws -> [String] {
                try await alice.ask(
                    "CHATHISTORY \(query)\r\n", upTo: ":irc.linejudge.test BATCH -")
            }
            #expect(texts(try await history("LATEST #a * 2")) == ["four", "five"])
            #expect(texts(try await history("latest #a msgid=\(ids[2]) 9")) == ["four", "five"])
            #expect(texts(try await history("BEFORE #a msgid=\(ids[3]) 2")) == ["two", "three"])
            #expect(texts(try await history("AFTER #a msgid=\(ids[0]) 2")) == ["two", "three"])
            #expect(
                texts(try await history("AROUND #a msgid=\(ids[2]) 3")) == ["two", "three", "four"])
            let between = "#a msgid=\(ids[0]) msgid=\(ids[4])"
            #expect(texts(try await history("BETWEEN \(between) 2")) == ["two", "three"])
            let backwards = "#a msgid=\(ids[4]) msgid=\(ids[0])"
            #expect(texts(try await history("BETWEEN \(backwards) 2")) == ["three", "four"])
            let all = "timestamp=2001-01-01T00:00:00.000Z"
            #expect(texts(try await history("AFTER #a \(all) 9")).count == 5)
            #expect(texts(try await history("BEFORE #a \(all) 9")).isEmpty)
        }
    }

    @Test(arguments: [
        ("LATEST #a", "NEED_MORE_PARAMS LATEST #a :Missing parameters"),
        ("LATEST", "NEED_MORE_PARAMS LATEST :Missing parameters"),
        ("", "NEED_MORE_PARAMS :Missing parameters"),
        ("LATEST #a * none", "INVALID_PARAMS LATEST #a :Invalid parameters"),
        ("LATEST #a * 0", "INVALID_PARAMS LATEST #a :Invalid parameters"),
        ("BEFORE #a * 1", "INVALID_PARAMS BEFORE #a :Invalid parameters"),
        ("AFTER #a msgid=x 1", "MESSAGE_ERROR AFTER #a :There is no such message"),
        ("LATEST bob * 1", "INVALID_TARGET LATEST bob :You cannot read the history of this target"),
    ])
    func historyThatCannotBeReadIsRefused(query: String, refusal: String) async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register("alice", server, "draft/chathistory batch")
            _ = try await alice.ask("JOIN #a\r\n", upTo: ":irc.linejudge.test 366")
            let answer = try await alice.ask("CHATHISTORY \(query)\r\n", upTo: ":irc").last
            #expect(answer == ":irc.linejudge.test FAIL CHATHISTORY \(refusal)")
        }
    }

    @Test func aLabelledRequestForHistoryIsAnsweredWithOneBatch() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register(
                "alice", server, "draft/chathistory batch labeled-response")
            _ = try await alice.ask("JOIN #a\r\n", upTo: ":irc.linejudge.test 366")
            let lines = try await alice.ask(
                "PRIVMSG #a :x BATCH +y\r\n@label=h CHATHISTORY LATEST #a * 5\r\n",
                upTo: ":irc.linejudge.test BATCH -")
            #expect(
                lines == [
                    "@label=h :irc.linejudge.test BATCH +b1 chathistory #a",
                    "@batch=b1 :alice!alice@127.0.0.1 PRIVMSG #a :x BATCH +y",
                    ":irc.linejudge.test BATCH -b1",
                ])
        }
    }

    @Test func userModesAreSetOnceAndListed() async throws {
        try await withServer(speaking: "irc") { server in
            let alice = try await register("alice", server)
            #expect(
                try await alice.ask(
                    "MODE alice +BB-x\r\nMODE alice\r\n", upTo: ":irc.linejudge.test 221")
                    == [
                        ":alice MODE alice +B",
                        ":irc.linejudge.test 501 alice :Unknown MODE flag",
                        ":irc.linejudge.test 221 alice +B",
                    ])
        }
    }
}
