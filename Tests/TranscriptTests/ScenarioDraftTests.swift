import DialectModel
import Diagnostics
import DialectFiles
import LineProtocol
import Scenario
import Session
import Testing
import Transcript

/// Builds a conversation from lines such as `0 > NICK alice` (client), `0 < :srv 001 alice :hi` (server),
/// `0 >|` (client closes), `0 <!` (server resets), `+1500` (milliseconds pass).
private func conversation(_ text: String, _ dialect: Dialect) -> Conversation {
    var conversation = Conversation()
    var readers: [Int: ConversationReader] = [:]
    var time: Int64 = 0
    for row in text.split(separator: "\n") {
        if row.hasPrefix("+") {
            time += (Int64(row.dropFirst()) ?? 0) * 1_000_000
            continue
        }
        guard let number = row.first?.wholeNumberValue else { continue }
        if readers[number] == nil {
            readers[number] = ConversationReader(dialect)
            conversation.append(.init(time: time, connection: number, kind: .opened))
        }
        let rest = row.dropFirst(2)
        let side: Direction = rest.first == ">" ? .fromClient : .fromServer
        switch rest.dropFirst() {
        case "|", "!":
            let isReset = rest.last == "!"
            conversation.append(
                .init(time: time, connection: number, kind: .closed(by: side, isReset: isReset)))
        default:
            var bytes = Array(rest.dropFirst(2).utf8)
            let isBare = bytes.last == UInt8(ascii: "~")
            if isBare { bytes.removeLast() }
            bytes += isBare ? [0x0A] : dialect.framing.side(side).terminator.bytes
            readers[number]?.read(bytes, from: side) {
                conversation.append(.init(time: time, connection: number, kind: .line($0)))
            }
        }
    }
    return conversation
}

private func scenario(
    _ name: String, _ text: String, _ options: ScenarioDraft.Options = .init()
) throws -> String {
    let file = try DialectLibrary.find(name)
    let draft = try ScenarioDraft(
        conversation(text, file.dialect), dialect: BoundDialect.of(file),
        options: options)
    let written = draft.text()
    // Every scenario that is written can be run.
    let parsed = try ScenarioParser.file(from: SourceText(path: "written.chat", text: written))
    _ = try ProgramCompiler.compile(
        parsed, with: BoundDialect.of(file),
        given: Set(options.secrets.keys))
    return written
}

private func steps(_ text: String) -> [Substring] {
    Array(text.split(separator: "\n").drop { !$0.contains("->") || $0.hasPrefix("on ") })
}

@Test func operatorsAreCalledAsTheyLogIn() throws {
    let text = try scenario(
        "irc", "0 > NICK alice\n0 > USER a 0 * :A\n1 > NICK bob\n1 > USER b 0 * :B")
    #expect(text.contains("operators alice, bob\n"))
    let other = try scenario("livechat", "0 > S0001|Joe Doe\n1 > S0003|x")
    #expect(other.contains("operators JoeDoe, client\n"))
}

@Test func whatTheServerGaveAndAClientSaysBackIsAVariable() throws {
    let text = try scenario(
        "livechat",
        "0 > S0001|Maria\n0 < R0001|4711|Maria\n1 > S0001|Joe\n1 < R0001|4712|Joe\n"
            + "0 > S0007|4712|psst\n1 < R0009|4711|psst|Maria")
    #expect(
        steps(text) == [
            "Maria -> S0001|Maria", "Maria <- R0001|4711|Maria", "Joe   -> S0001|Joe",
            "Joe   <- R0001|{{identifier}}|Joe", "Maria -> S0007|{{identifier}}|psst",
            "Joe   <- R0009|4711|psst|Maria",
        ])
}

@Test func aBlockWithoutACommandIsATypedCommand() throws {
    let text = try scenario(
        "smtp",
        "0 < 220 hi\n0 > DATA\n0 < 354 go\n0 > Tea\n0 > ..milk\n0 > .\n0 < 250 ok\n0 > QUIT")
    #expect(
        steps(text) == [
            "client -> DATA", "client <- 354 go",
            #"client -> text(text: "Tea\r\n.milk\r\n")"#, "client <- 250 ok", "client -> QUIT",
        ])
}

@Test func pingsThatTheLoginAnswersAreLeftToItsRule() throws {
    let text = try scenario(
        "irc", "0 > NICK a1\n0 < PING :x7\n0 > PONG :x7\n0 < :s 001 a1 :hi\n0 > PONG :unasked")
    #expect(text.contains("on <- PING {{token}}  reply -> PONG {{token}}\n"))
    #expect(
        steps(text) == [
            "a1 -> NICK a1", "a1 <- 001 a1 :hi", "a1 -> PONG :unasked",
        ])
}

@Test func aSourceIsComparedAsFarAsItNamesAnOperator() throws {
    let text = try scenario(
        "irc",
        "0 > NICK alice\n0 < :irc.srv 001 alice :hi\n1 > NICK al\n1 < :irc.srv 001 al :hi\n"
            + "1 > PRIVMSG alice :x\n0 < :al!~u@host PRIVMSG alice :x\n0 < :other PRIVMSG alice :y")
    #expect(
        steps(text).suffix(3) == [
            "al    -> PRIVMSG alice :x", "alice <- :al!{{_}} PRIVMSG alice :x",
            "alice <- PRIVMSG alice :y",
        ])
}

@Test func endingsAreDistinguished() throws {
    let text = try scenario(
        "irc",
        "0 > NICK a1\n1 > NICK b1\n2 > NICK c1\n3 > NICK d1\n0 >|\n1 >|\n1 < ERROR :bye\n1 <|\n2 >!\n3 <!"
    )
    #expect(
        steps(text).suffix(6) == [
            "a1 close", "b1 half-close", "b1 <- ERROR :bye", "b1 closed", "c1 abort",
            "d1 closed by reset",
        ])
}

@Test func aLineThatTheDialectWouldNotWriteIsKeptByteByByte() throws {
    let text = try scenario("irc", "0 > NICK a1\n0 > PING x~\n0 < PONG x~")
    #expect(steps(text).suffix(2) == ["a1 -> \"PING x\\n\"", "a1 <- \"PONG x\\n\""])
}

@Test func pausesAreMentionedOrKept() throws {
    var options = ScenarioDraft.Options()
    let said = "0 > NICK a1\n+2500\n0 > USER a 0 * :A\n+4000\n0 < :s 001 a1 :hi"
    #expect(
        steps(try scenario("irc", said, options)) == [
            "a1 -> NICK a1", "# 2.5s later", "a1 -> USER a 0 * :A",
            "a1 <- 001 a1 :hi  within 8s",
        ])
    options.keepsPauses = true
    #expect(try scenario("irc", said, options).contains("\nwait 2.5s\n"))
}

@Test func secretsDoNotStandInTheText() throws {
    var options = ScenarioDraft.Options()
    options.secrets = ["password": Array("hunter2".utf8)]
    let text = try scenario("irc", "0 > PASS hunter2\n0 > NICK a1", options)
    #expect(!text.contains("hunter2"))
    #expect(text.contains("secret    password\n"))
    #expect(text.contains("a1 -> PASS {{password}}\n"))
}

@Test func onlyTheDataOfASASLExchangeIsSecret() throws {
    let file = try DialectLibrary.find("irc")
    let said = "0 > NICK a1\n0 > AUTHENTICATE PLAIN\n0 < AUTHENTICATE +\n0 > AUTHENTICATE AGEAYg=="
    let found = DialectSecrets(BoundDialect.of(file)).find(in: conversation(said, file.dialect))
    #expect(found == ["data": Array("AGEAYg==".utf8)])
}

@Test(arguments: [
    ("irc", "0 > PASS hunter2~", "client -> \"PASS {{password}}\\n\""),
    ("irc", "0 > PRIVMSG serv :identify hunter2", "client -> PRIVMSG serv :identify {{password}}"),
    ("nats", "0 > PUB foo 9\r\n<hunter2>", "client -> PUB foo 9  payload \"<{{password}}>\""),
    ("irc", "0 > WHO x\n0 < :s 401 x :no hunter2!", "client <- 401 x :no {{password}}!"),
])
func aSecretIsCoveredWhereverItStands(dialect: String, said: String, step: String) throws {
    var options = ScenarioDraft.Options()
    options.secrets = ["password": Array("hunter2".utf8)]
    let text = try scenario(dialect, said, options)
    #expect(steps(text).last == Substring(step))
    #expect(text.contains("secret    password\n"))
}

@Test func numbersOfAnEncodedSecretAreNotChanged() throws {
    let list = "104, 117, 110, 116, 101, 114, 50"
    var options = ScenarioDraft.Options()
    options.comparesOccurrences = true
    options.secrets = ["password_encoded": Array(list.utf8)]
    let text = try scenario(
        "irc", "0 > NICK a1\n0 < :s NOTICE a1 :There are 3 users, [\(list)]", options)
    #expect(
        steps(text).last == "a1 <- NOTICE a1 :There are {{_:int}} users, [{{password_encoded}}]")
}

@Test(arguments: [
    ("test", "0 > JOIN #testing\n0 > PRIVMSG serv :identify test", "identify {{password}}"),
    ("x", "0 > JOIN #x\n0 > PRIVMSG serv :it's x, not six", "it's {{password}}, not six"),
    ("correct-horse", "0 > PRIVMSG a :<correct-horsee>", ":<{{password}}e>"),
])
func wordsThatContainAShortSecretAreNotChanged(
    secret: String, said: String, expected: String
) throws {
    var options = ScenarioDraft.Options()
    options.secrets = ["password": Array(secret.utf8)]
    let text = try scenario("irc", said, options)
    #expect(text.contains(expected) && !text.contains("#{{password}}"), "\(text)")
}

@Test func stringsWithALengthBecomeTypedCommands() throws {
    let text = try scenario(
        "redis",
        "0 > GET tea\n0 < $5\r\ngreen\n0 > LRANGE tea 0 1\n"
            + "0 < *2\r\n$4\r\npear\r\n$4\r\nplum\n0 > PING\n0 < +PONG")
    #expect(
        steps(text) == [
            "client -> GET tea", #"client <- string(value: "green")"#, "client -> LRANGE tea 0 1",
            #"client <- array(values: ["pear", "plum"])"#, "client -> PING", "client <- +PONG",
        ])
}

@Test func listsAreComparedInAnyOrder() throws {
    let text = try scenario(
        "irc",
        "0 > NAMES #a\n0 < :srv 353 al = #a :@al bob\n0 < :srv 353 al = #b :al\n"
            + "0 < :srv 366 al #a :End")
    #expect(
        steps(text) == [
            "client -> NAMES #a",
            ##"client <- namesReply(client: "al", symbol: "=", channel: "#a", "##
                + ##"names: any order ["@al", "bob"])"##,
            "client <- 353 al = #b :al", "client <- 366 al #a :End",
        ])
}

@Test func anEmptyBodyIsNotWrittenWhereTheCommandTakesNone() throws {
    let file = try DialectLibrary.find("stomp")
    var talk = Conversation()
    var reader = ConversationReader(file.dialect)
    let frames = "DISCONNECT\nreceipt:1\n\n\0SEND\ndestination:a\n\n\0"
    reader.read(Array(frames.utf8), from: .fromClient) {
        talk.append(.init(time: 0, connection: 0, kind: .line($0)))
    }
    let text = try ScenarioDraft(talk, dialect: BoundDialect.of(file)).text()
    #expect(
        steps(text) == [
            #"client -> DISCONNECT{{"\n"}}receipt:1"#,
            #"client -> SEND{{"\n"}}destination:a  payload """#,
        ])
    let parsed = try ScenarioParser.file(from: SourceText(path: "written.chat", text: text))
    _ = try ProgramCompiler.compile(parsed, with: BoundDialect.of(file))
}

@Test func portsOfServersAreNotCompared() throws {
    let file = try DialectLibrary.find("irc")
    var talk = conversation(
        "0 > NICK al\n0 < :srv 002 al :Your host is srv[127.0.0.1/6667], 16667", file.dialect)
    talk.serverPorts = [6667]
    let text = try ScenarioDraft(talk, dialect: BoundDialect.of(file)).text()
    #expect(
        text.contains("<- 002 al :Your host is srv[127.0.0.1/{{_:int}}], 16667"), "\(text)")
}

@Test func whatServersMakeUniqueIsNotComparedWithoutReplays() throws {
    var options = ScenarioDraft.Options()
    options.comparesOccurrences = true
    options.startedAt = 1_764_000_000
    let text = try scenario(
        "irc",
        "0 > NICK al\n0 < :srv 250 al :Highest connection count: 2 (2 connections received)\n"
            + "0 < :srv 372 al :Message <12a$b@host.example> of al\n"
            + "0 < :srv 372 al :from 10.0.0.1 on Thu Nov 26 19:30:31 2026.\n"
            + "0 < :srv 372 al :id 1432904b-4ed9-4c1e-9a0d-abcdefabcdef, kept ab-cd", options)
    #expect(text.contains("count: {{_:int}} ({{_:int}} connections received)"), "\(text)")
    #expect(text.contains("Message {{_:word}} of al"), "\(text)")
    #expect(text.contains("from 10.0.0.1 on {{_}}."), "\(text)")
    #expect(text.contains("id {{_:word}} kept ab-cd"), "\(text)")
}

@Test func payloadsStandBehindTheirLines() throws {
    let text = try scenario("nats", "0 > PUB foo 5\r\nhello\n0 > PING")
    #expect(steps(text) == ["client -> PUB foo 5  payload \"hello\"", "client -> PING"])
}

@Test(arguments: ["0 >|", "0 <|", "0 < ERROR :bye\n0 >|\n0 <|", ""], ["QUIT :bye", "quit"])
func thereIsNoBarrierAfterALogout(end: String, quit: String) throws {
    let text = try scenario(
        "irc",
        "0 > NICK a1\n0 < :s 001 a1 :hi\n1 > NICK b1\n1 < :s 001 b1 :hi\n0 > \(quit)\n1 > AWAY\n"
            + "\(end)\n1 < :s 305 b1 :back")
    #expect(!text.contains("sync"), "\(text)")
    #expect(text.contains("a1 -> \(quit)\nb1 -> AWAY\n"), "\(text)")
}

@Test func thereIsABarrierAfterALogoutThatIsFollowedByOtherLines() throws {
    let text = try scenario(
        "irc",
        "0 > NICK a1\n0 < :s 001 a1 :hi\n1 > NICK b1\n1 < :s 001 b1 :hi\n0 > QUIT\n1 > AWAY\n"
            + "1 < :s 305 b1 :back\n0 > AWAY\n0 < :s 305 a1 :back")
    #expect(text.contains("a1 -> QUIT\nsync a1\nb1 -> AWAY\n"), "\(text)")
}

@Test func whatTwoSayWithoutAnswerStaysInOrder() throws {
    let text = try scenario(
        "irc",
        "0 > NICK a1\n0 < :s 001 a1 :hi\n1 > NICK b1\n1 < :s 001 b1 :hi\n0 > AWAY :x\n1 > WHO\n"
            + "1 < :s 315 b1 * :end")
    #expect(
        steps(text).suffix(4) == [
            "a1 -> AWAY :x", "sync a1", "b1 -> WHO", "b1 <- 315 b1 * :end",
        ])
}

@Test func anOperatorWhoLeavesIsNotWaitedFor() throws {
    let text = try scenario(
        "irc",
        "0 > NICK alice\n0 < :s 001 alice :hi\n1 > NICK bob\n1 < :s 001 bob :hi\n"
            + "0 > QUIT :bye\n1 > QUIT :bye\n0 < ERROR :bye\n0 <|\n1 < ERROR :bye\n1 <|")
    #expect(!text.contains("sync"), "\(text)")
}

@Test func omittedProbeAnswersStillSeparateLinesOfDifferentOperators() throws {
    var options = ScenarioDraft.Options()
    options.dropsUnsolicited = true
    let text = """
        0 < INFO {}
        0 > CONNECT {"verbose":false,"name":"ann"}
        0 > PING
        0 < PONG
        1 < INFO {}
        1 > CONNECT {"verbose":false,"name":"bob"}
        1 > PING
        1 < PONG
        0 > SUB news 1
        1 > PUB other 0
        1 >

        """
    let rows = try scenario("nats", text, options).split(separator: "\n").map(String.init)
    let subscription = try #require(rows.firstIndex { $0.hasSuffix("-> SUB news 1") })
    #expect(rows[subscription + 1] == "sync client")
    #expect(!rows.contains { $0.contains("PONG") && !$0.hasPrefix("on ") })
}

@Test(arguments: ["plain", "mud"])
func inADialectWithoutCommandsALooseExpectationMatchesAnyLine(name: String) throws {
    let file = try DialectLibrary.find(name)
    let draft = try ScenarioDraft(
        conversation("0 > hello\n0 < two words", file.dialect), dialect: BoundDialect.of(file))
    #expect(steps(draft.text(isLoose: true)) == ["client -> hello", "client <- {{...}}"])
}

@Test func anyBytesMakeAScenarioThatRuns() throws {
    var random = SystemRandomNumberGenerator()
    var state = UInt64.random(in: 0...UInt64.max, using: &random)
    let seed = state
    func next(_ bound: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % bound
    }
    let likely = Array(" |:#{}\"\\=@;\r\n\t\0abc019NICK PRIVMSG S0001".utf8)
    for name in ["irc", "livechat", "nats", "msnp", "teamspeak", "plain"] {
        let file = try DialectLibrary.find(name)
        for _ in 0..<25 {
            var conversation = Conversation()
            var reader = ConversationReader(file.dialect)
            for _ in 0..<next(12) {
                let side: Direction = next(2) == 0 ? .fromClient : .fromServer
                var bytes = (0..<next(30)).map { _ in
                    next(5) == 0 ? UInt8(next(256)) : likely[Int(next(UInt64(likely.count)))]
                }
                bytes += file.dialect.framing.side(side).terminator.bytes
                reader.read(bytes, from: side) {
                    conversation.append(.init(time: 0, connection: 0, kind: .line($0)))
                }
            }
            let draft = try ScenarioDraft(
                conversation, dialect: BoundDialect.of(file))
            for isLoose in [false, true] {
                let text = draft.text(isLoose: isLoose)
                let source = SourceText(path: "written.chat", text: text)
                let outcome = ScenarioParser.parse(source)
                guard !outcome.diagnostics.hasErrors else {
                    Issue.record("\(name), seed \(seed):\n\(text)\n\(outcome.diagnostics)")
                    return
                }
                // Without any text there is nothing to run.
                if outcome.file.steps.isEmpty { continue }
                do {
                    _ = try ProgramCompiler.compile(
                        outcome.file, with: BoundDialect.of(file))
                } catch {
                    Issue.record("\(name), seed \(seed):\n\(text)\n\(error)")
                    return
                }
            }
        }
    }
}
