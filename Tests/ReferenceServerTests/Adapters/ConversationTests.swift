import ReferenceServer
import Testing

/// Reads lines up to one that starts with `start`.
extension TestClient {
    func lines(upTo start: String) async -> [String] {
        var lines: [String] = []
        while let line = await next() {
            let text = String(line.filter { $0 != "\r" })
            lines.append(text)
            if text.hasPrefix(start) { break }
        }
        return lines
    }

    /// Sends a text and reads lines up to one that starts with `start`.
    func ask(_ text: String, upTo start: String) async throws -> [String] {
        try await send(text)
        return await lines(upTo: start)
    }
}

/// A few exchanges in each dialect over real sockets. `Scenarios/` has more.
@Suite(.timeLimit(.minutes(5))) struct ConversationTests {
    @Test func natsCountsPayloadsAndMatchesSubjects() async throws {
        try await withServer(speaking: "nats") { server in
            let client = try await TestClient.connect(to: server)
            let info = await client.lines(upTo: "INFO")
            #expect(info[0].contains("\"max_payload\":1048576"))
            #expect(
                try await client.ask("CONNECT {\"verbose\":true}\r\nSUB a.* 1\r\n", upTo: "+OK")
                    == ["+OK"])
            _ = await client.lines(upTo: "+OK")
            #expect(
                try await client.ask("PUB a.b r 5\r\nx\r\ny\0\r\nPING\r\n", upTo: "PONG")
                    == ["+OK", "MSG a.b 1 r 5", "x", "y\0", "PONG"])
            #expect(
                try await client.ask("PUB a..b 1\r\nx\r\n", upTo: "-ERR")
                    == ["-ERR 'Invalid Publish Subject'"])
        }
    }

    @Test func natsRelaysHeadersAndRefusesOversizedOnes() async throws {
        try await withServer(speaking: "nats") { server in
            let client = try await TestClient.connect(to: server)
            try await client.send("CONNECT {\"verbose\":false}\r\nSUB a 1\r\n")
            _ = try await client.ask("PING\r\n", upTo: "PONG")
            #expect(
                try await client.ask(
                    "HPUB a 18 23\r\nNATS/1.0\r\nA: b\r\n\r\nhello\r\n", upTo: "hello")
                    == ["HMSG a 1 18 23", "NATS/1.0", "A: b", "", "hello"])
            try await client.send("HPUB a 9 2\r\nhi\r\n")
            #expect(await client.lines(upTo: "x") == ["-ERR 'Unknown Protocol Operation'"])
        }
    }

    @Test func natsDeliversEachMessageToOneQueueMember() async throws {
        try await withServer(speaking: "nats") { server in
            let client = try await TestClient.connect(to: server)
            try await client.send("CONNECT {\"verbose\":false}\r\nSUB a q 1\r\nSUB a q 2\r\n")
            _ = try await client.ask("PING\r\n", upTo: "PONG")
            let lines = try await client.ask(
                String(repeating: "PUB a 1\r\nx\r\n", count: 10) + "PING\r\n", upTo: "PONG")
            #expect(lines.count { $0.hasPrefix("MSG a ") } == 10)
        }
    }

    @Test func teamspeakListsClientsInRows() async throws {
        try await withServer(speaking: "teamspeak") { server in
            let client = try await TestClient.connect(to: server)
            _ = await client.lines(upTo: "Welcome")
            _ = try await client.ask("use sid=1 client_nickname=A\\sb\n", upTo: "error")
            let other = try await TestClient.connect(to: server)
            _ = await other.lines(upTo: "Welcome")
            _ = try await other.ask("use sid=1 client_nickname=Cc\n", upTo: "error")
            #expect(
                try await client.ask("clientlist\n", upTo: "error").first
                    == "clid=1 cid=1 client_nickname=A\\sb client_database_id=1 client_type=1"
                    + "|clid=2 cid=1 client_nickname=Cc client_database_id=2 client_type=1")
        }
    }

    @Test func teamspeakReportsFlooding() async throws {
        try await withServer(speaking: "teamspeak") {
            $0.rules.rate = RateLimit(linesPerSecond: 0.001, burst: 2)
        } _: { server in
            let client = try await TestClient.connect(to: server)
            _ = await client.lines(upTo: "Welcome")
            try await client.send("version\nversion\nversion\n")
            _ = await client.lines(upTo: "error id=0")
            _ = await client.lines(upTo: "error id=0")
            #expect(
                await client.lines(upTo: "error").last
                    == "error id=524 msg=client\\sis\\sflooding "
                    + "extra_msg=please\\swait\\s1\\ssecond")
        }
    }

    @Test func plainRelaysLinesUnchanged() async throws {
        try await withServer(speaking: "plain") { server in
            let one = try await TestClient.connect(to: server)
            let two = try await TestClient.connect(to: server)
            _ = try await two.ask("/who\n", upTo: "2 here")
            _ = try await one.ask("/who\n", upTo: "2 here")
            try await one.send([0x61, 0x00, 0x62, 0x0A])
            #expect(await two.next() == "a\0b")
        }
    }

    @Test func msnpAnswersWithTheRequestsTransactionID() async throws {
        try await withServer(speaking: "msnp") { server in
            let client = try await TestClient.connect(to: server)
            #expect(
                try await client.ask("VER 7 MSNP8 CVR0\r\n", upTo: "VER") == ["VER 7 MSNP8 CVR0"])
            #expect(try await client.ask("SYN 8 0\r\n", upTo: "302") == ["302 8"])
            #expect(
                try await client.ask("USR 9 TWN I a@b\r\n", upTo: "USR")
                    == ["USR 9 TWN S challenge"])
            #expect(
                try await client.ask("USR 10 TWN S t\r\n", upTo: "USR") == ["USR 10 OK a@b a@b 1 0"]
            )
        }
    }
}
