import Foundation
import LineProtocol
import Testing

@testable import Capture

@Suite struct ConversationTests {
    @Test func logMatchesGoldenFile() throws {
        let log = try Decoding.log(SampleCapture.bytes)
        try expectGolden(log.text, "log.txt")
        #expect(log.error == nil)
    }

    @Test func colouredLogMatchesGoldenFile() throws {
        var options = LogOptions()
        options.isColoured = true
        options.columns = 100
        options.times = .full
        let log = try Decoding.log(SampleCapture.bytes, "irc", options)
        try expectGolden(log.text, "log-colour.txt")
    }

    @Test func jsonLinesMatchGoldenFile() throws {
        let decoding = try Decoding.json(SampleCapture.bytes)
        try expectGolden(decoding.text, "lines.jsonl")
        for line in decoding.text.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            #expect(object is [String: Any])
        }
    }

    @Test func blocksBelongToTheRequestsThatTheyAnswer() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("+OK ready\r\n", fromClient: false)
        connection.send("USER al\r\n")
        connection.send("+OK\r\n", fromClient: false)
        // One answer with one line, and one with several.
        connection.send("LIST 1\r\n")
        connection.send("+OK 1 30\r\n", fromClient: false)
        connection.send("LIST\r\n")
        connection.send("+OK 2 messages\r\n1 30\r\n2 30\r\n.\r\n", fromClient: false)
        connection.send("QUIT\r\n")
        connection.send("+OK bye\r\n", fromClient: false)
        let log = try Decoding.log(connection.capture, "pop3").text
        #expect(
            log.contains(#"ok(text: "2 messages", lines: "1 30\r\n2 30\r\n")"#), "\(log)")
        #expect(!log.contains("unknown"), "\(log)")
    }

    @Test func masksSecretsByDefault() throws {
        var connection = ScriptedConnection()
        connection.open()
        // As a known command, in the wrong direction, and as the rest of a line after a gap.
        connection.send("PASS hunter2\r\nAUTHENTICATE aHVudGVyMg==\r\n")
        connection.send("PASS hunter2\r\n", fromClient: false)
        connection.send("PASS hun", isCaptured: false)
        connection.send("ter2\r\n")
        connection.time += 1_000_000_000
        connection.acknowledge()
        connection.acknowledge()
        let texts = [try Decoding.log(connection.capture), try Decoding.json(connection.capture)]
        for text in texts.map(\.text) {
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("aHVudGVyMg"))
            #expect(!text.contains("ter2"))
        }
        let shown = try Decoding.json(connection.capture, showsSecrets: true).text
        #expect(shown.contains("hunter2"))
    }

    @Test(arguments: [
        ("WEBIRC hunter2 gw host.example 192.0.2.1", "webirc(password: \"***\", gateway: \"gw\""),
        ("REGISTER al al@mail.example hunter2", "password: \"***\")"),
        ("IDENTIFY hunter2", "identify(credentials: \"***\")"),
        ("NS IDENTIFY hunter2", "ns(command: \"IDENTIFY\", parameters: \"***\")"),
        ("NICKSERV IDENTIFY al hunter2", "parameters: \"***\")"),
        ("NS :IDENTIFY hunter2", "ns(command: \"IDENTIFY ***\", parameters: []"),
        ("NS SET PASSWORD hunter2", "parameters: \"***\")"),
        ("PRIVMSG NickServ IDENTIFY hunter2", "text: \"IDENTIFY***\")"),
        ("OPER hunter2", "oper(name: \"***\""),
        ("PRIVMSG *status :SET pass hunter2", "text: \"SET pass ***\")"),
        (
            "PRIVMSG NickServ :IDENTIFY hunter2",
            "privmsg(target: \"NickServ\", text: \"IDENTIFY ***\")"
        ),
        ("SQUERY nickserv :ghost al hunter2", "text: \"ghost ***\")"),
    ])
    func passwordsForServicesAreMasked(line: String, shown: String) throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send(line + "\r\n")
        let log = try Decoding.log(connection.capture).text
        #expect(log.contains(shown), "\(log)")
        let json = try Decoding.json(connection.capture).text
        let lines = try Decoding.lines(connection.capture).text
        for text in [log, json, lines] { #expect(!text.contains("hunter2"), "\(text)") }
        #expect(json.contains("\"masked\":true"), "\(json)")
    }

    @Test func messagesWithoutPasswordsAreNotMasked() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("PRIVMSG #a :IDENTIFY me\r\nPRIVMSG NickServ :HELP\r\nNS INFO bob\r\n")
        connection.send("PRIVMSG bob hello there\r\nPRIVMSG bob IDENTIFY yourself\r\n")
        for text in [
            try Decoding.log(connection.capture), try Decoding.json(connection.capture),
            try Decoding.lines(connection.capture),
        ].map(\.text) {
            #expect(!text.contains("***") && !text.contains("masked"), "\(text)")
        }
    }

    @Test func namesOfSASLMechanismsAreShown() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("AUTHENTICATE PLAIN\r\nAUTHENTICATE PLAIN aHVudGVyMg==\r\n")
        let texts = [try Decoding.log(connection.capture), try Decoding.json(connection.capture)]
        for text in texts.map(\.text) {
            #expect(text.contains("PLAIN"), "\(text)")
            #expect(!text.contains("aHVudGVyMg"), "\(text)")
        }
        #expect(texts[1].text.contains(#""line":"AUTHENTICATE PLAIN""#), "\(texts[1].text)")
        #expect(texts[1].text.contains(#""masked":true"#), "\(texts[1].text)")
    }

    @Test(arguments: [
        ("smtp", "AUTH LOGIN", "334 VXNlcm5hbWU6", "235 ok"), ("pop3", "AUTH PLAIN", "+ ", "+OK"),
        ("nntp", "AUTHINFO SASL PLAIN", "383 +", "281 ok"),
    ])
    func responsesToChallengesAreMasked(
        dialect: String, request: String, challenge: String, success: String
    ) throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("\(request)\r\n")
        connection.send("\(challenge)\r\n", fromClient: false)
        connection.send("aHVudGVyMg==\r\n")
        connection.send("\(success)\r\n", fromClient: false)
        let log = try Decoding.log(connection.capture, dialect).text
        #expect(log.contains("→ response(data: \"***\")"), "\(log)")
        #expect(!log.contains("unknown"), "\(log)")
        for text in [
            log, try Decoding.json(connection.capture, dialect).text,
            try Decoding.lines(connection.capture, dialect).text,
        ] {
            #expect(!text.contains("aHVudGVyMg"), "\(text)")
        }
    }

    @Test(arguments: [
        (["AUTH", "hunter2"], #"auth(password: "***")"#),
        (["AUTH", "al", "hunter2"], #"auth(user: "al", password: "***")"#),
        (["HELLO", "3", "auth", "al", "hunter2"], #"hello(version: 3, options: "***")"#),
        (
            ["HELLO", "3", "SETNAME", "x", "AUTH", "al", "hunter2"],
            #"hello(version: 3, options: "***")"#
        ),
        (
            ["CONFIG", "SET", "requirepass", "hunter2"],
            #"config(subcommand: "SET", values: "***")"#
        ),
        (["config", "GET", "port"], #"config(subcommand: "GET", values: ["port"])"#),
        (["acl", "setuser", "al", ">hunter2"], #"acl(subcommand: "setuser", values: "***")"#),
    ])
    func passwordsForRedisAreMasked(words: [String], shown: String) throws {
        var connection = ScriptedConnection()
        connection.open()
        let command = words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
        connection.send("*\(words.count)\r\n\(command)")
        let log = try Decoding.log(connection.capture, "redis").text
        #expect(log.contains(shown), "\(log)")
        #expect(!log.contains("!"), "\(log)")
        for text in [
            log, try Decoding.json(connection.capture, "redis").text,
            try Decoding.lines(connection.capture, "redis").text,
        ] {
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }

    @Test func linesDoNotDependOnSegmentation() throws {
        let text = "NICK alice\r\nPRIVMSG #room :Grüße\r\nPING 1\r\n"
        let bytes = Array(text.utf8)
        var expected: [String]?
        for cut in 0...bytes.count {
            var connection = ScriptedConnection()
            connection.open()
            for part in [bytes[..<cut], bytes[cut...]] where !part.isEmpty {
                var packet = connection.packet(fromClient: true)
                packet.payload = Array(part)
                connection.move(part.count, true)
                connection.append(packet)
            }
            connection.close()
            let lines = try Decoding.log(connection.capture).lines
            expected = expected ?? lines
            #expect(lines == expected)
        }
    }

    @Test func countedPayloadBelongsToItsLine() throws {
        var connection = ScriptedConnection(server: "10.0.0.2:4222")
        connection.open()
        connection.send("INFO {}\r\n", fromClient: false)
        connection.send("CONNECT {\"pass\":\"x\"}\r\nPUB room 11\r\nhello\r\nP")
        connection.send("UB!\r\nPING\r\n")
        let lines = try Decoding.log(connection.capture, "nats").lines
        #expect(lines.contains { $0.contains("payload: \"hello\\r\\nPUB!\"") }, "\(lines)")
        #expect(lines.contains { $0.hasSuffix("→ ping()") })
        #expect(
            lines.contains { $0.contains(#"connect(options: "{\"pass\":\"***\"}")"#) }, "\(lines)")
    }

    @Test func onlyTheSecretsOfAJSONObjectAreMasked() throws {
        var connection = ScriptedConnection(server: "10.0.0.2:4222")
        connection.open()
        connection.send(
            "CONNECT {\"user\":\"al\", \"pass\" : \"hunter2\", \"auth_token\":1234}\r\n")
        for text in [
            try Decoding.log(connection.capture, "nats").text,
            try Decoding.json(connection.capture, "nats").text,
        ] {
            #expect(text.contains(#"\"user\":\"al\""#), "\(text)")
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("1234"))
        }
    }

    @Test func onlyModesWithAKeyAreMasked() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("MODE #a +o bob\r\nMODE #a +k hunter2\r\n")
        connection.send(":srv 324 al #a +ntk hunter2\r\n", fromClient: false)
        let log = try Decoding.log(connection.capture).text
        #expect(log.contains(##"mode(target: "#a", modes: "+o", parameters: ["bob"])"##), "\(log)")
        #expect(log.contains(##"mode(target: "#a", modes: "+k", parameters: "***")"##))
        let json = try Decoding.json(connection.capture).text
        #expect(json.contains(##""line":"MODE #a +o bob""##), "\(json)")
        #expect(!(log + json).contains("hunter2"))
    }

    @Test func aJoinWithoutAKeyIsNotMasked() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("JOIN #open\r\nJOIN #locked hunter2\r\n")
        let text = try Decoding.json(connection.capture).text
        #expect(text.contains(#""line":"JOIN #open""#), "\(text)")
        #expect(!text.contains("hunter2"))
    }

    @Test func theLogShowsOnlyTheStartOfALongValue() throws {
        var connection = ScriptedConnection(server: "10.0.0.2:4222")
        connection.open()
        let text = String(repeating: "x", count: 100_000)
        connection.send("PUB a 100000\r\n")
        for _ in 0..<10 { connection.send(String(text.prefix(10_000))) }
        connection.send("\r\n")
        let log = try Decoding.log(connection.capture, "nats")
        #expect(log.text.utf8.count < 5_000)
        let row = log.lines.dropLast().last
        #expect(row?.hasSuffix("xx\"… and 95904 more bytes)") == true, "\(log.text.suffix(200))")
        #expect(try Decoding.json(connection.capture, "nats").text.contains(text))
    }

    @Test func limitsMemoryOfUnfinishedLines() throws {
        var packets: [CapturedPacket] = []
        let piece = String(repeating: "x", count: 60_000)
        for number in 0..<20 {
            var connection = ScriptedConnection(client: "10.0.1.\(number):50000")
            connection.open()
            for _ in 0..<17 { connection.send(piece) }
            packets += connection.packets
        }
        let decoding = try Decoding.log(CaptureWriter.pcap(packets))
        #expect(decoding.counts.conversation.cut > 0)
        #expect(decoding.text.utf8.count < 1 << 20)
    }

    @Test func operatorIsNamedByItsLogin() throws {
        for (name, port, login, shown) in [
            ("irc", 6667, "NICK alice\r\nNICK alicia\r\n", "alicia"),
            ("livechat", 6667, "S0001|alice||0\n", "alice"),
            ("nats", 4222, "SUB inbox.alice inbox\r\nSUB room.1 x\r\n", "alice"),
            (
                "msnp", 1863, "USR 3 TWN I alice@example.test\r\nUSR 4 TWN S t=1\r\n",
                "alice@example.test"
            ),
        ] {
            var connection = ScriptedConnection(server: "10.0.0.2:\(port)")
            connection.open()
            connection.send(login)
            let lines = try Decoding.log(connection.capture, name).lines
            #expect(lines.last?.contains(shown) == true, "\(lines)")
        }
    }

    @Test func marksAndCountsInvalidLines() throws {
        let decoding = try Decoding.log(SampleCapture.bytes)
        #expect(decoding.counts.conversation.broken == 4)
        #expect(decoding.lines.count { $0.contains("! ") } == 4)
    }
}
