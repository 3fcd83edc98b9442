import DialectFiles
import DialectModel
import LineProtocol
import Results
import Testing

@testable import Capture

/// The comparison of a server's answers in two captures.
struct CompareTests {
    /// A conversation: lines of the client start with `>`, those of the server with `<`.
    private typealias Script = [(client: Int, line: String)]

    private static func capture(_ script: Script, startingAt start: Int64 = 1_700_000_000) throws
        -> ComparableCapture
    {
        let file = try DialectLibrary.find("irc")
        var writer = ConversationWriter(serverPort: 6667)
        var connections: [Int: Int] = [:]
        var time = start * 1_000_000_000
        for (client, line) in script {
            time += 1_000_000
            let index = connections[client] ?? writer.connect(at: time)
            connections[client] = index
            let side: Direction = line.hasPrefix(">") ? .fromClient : .fromServer
            if line.dropFirst() == "end" {
                writer.end(index, from: side, at: time)
            } else {
                writer.send(
                    Array((line.dropFirst() + "\r\n").utf8), from: side, over: index, at: time)
            }
        }
        for index in connections.values.sorted() {
            writer.end(index, from: .fromClient, at: time)
            writer.end(index, from: .fromServer, at: time)
        }
        var options = ReassemblyOptions()
        options.ports = [6667]
        let sink = ComparableSink(BoundDialect.of(file))
        return try decoded(writer.bytes, sink, BoundDialect.of(file), options).capture
    }

    private static func decoded(
        _ bytes: [UInt8], _ sink: ComparableSink, _ dialect: BoundDialect,
        _ options: ReassemblyOptions
    ) throws -> ComparableSink {
        var decoder = CaptureDecoder(
            MemorySource(bytes), sink, dialect, options)
        try decoder.run()
        decoder.finish()
        return decoder.sink
    }

    private static func compare(_ one: Script, _ other: Script) throws -> CaptureComparison {
        let empty = CaptureComparison(toolVersion: "1", dialect: "irc", captures: [])
        // The second capture is a day later.
        var comparer = CaptureComparer(
            try capture(one), try capture(other, startingAt: 1_700_086_400), empty)
        return comparer.compared()
    }

    private static func words(_ comparison: CaptureComparison) -> [String] {
        comparison.differences.map { $0.text { "`\($0)`" } }
    }

    private static let talk: Script = [
        (1, ">NICK alice"), (1, ">USER a 0 * :A"), (1, "<:irc.old 001 alice :Welcome"),
        (1, "<:irc.old 003 alice :This server was created 22:13:20 Nov 14 2023"),
        (2, ">NICK bob"), (2, ">USER b 0 * :B"), (2, "<:irc.old 001 bob :Welcome"),
        (2, "<:irc.old 003 bob :This server was created 22:13:20 Nov 14 2023"),
        (1, ">JOIN #a"), (1, "<:alice!a@10.0.0.1 JOIN #a"),
        (1, "<:irc.old 353 alice = #a :@alice"),
        (2, ">JOIN #a"), (2, "<:bob!b@10.0.0.1 JOIN #a"), (1, "<:bob!b@10.0.0.1 JOIN #a"),
        (2, "<:irc.old 353 bob = #a :@alice bob"), (2, ">PING t-1"),
        (2, "<:irc.old PONG irc.old t-1"),
        (1, ">PRIVMSG #a :one"), (2, "<:alice!a@10.0.0.1 PRIVMSG #a :one"),
        (1, ">PRIVMSG #a :two"), (2, "<:alice!a@10.0.0.1 PRIVMSG #a :two"),
        (2, ">PING t-2"), (2, "<:irc.old PONG irc.old t-2"),
    ]

    private static func talk(_ change: (String) -> String?) -> Script {
        talk.compactMap { client, line in change(line).map { (client, $0) } }
    }

    @Test func theSameConversationsHaveNoDifferences() throws {
        let found = try Self.compare(Self.talk, Self.talk)
        #expect(found.verdict == .passed && found.differences.isEmpty && found.varying.isEmpty)
        #expect(found.conversations == 2 && found.requests == 10)
    }

    @Test func timesAddressesTokensAndNamesThatDifferAreNotDifferences() throws {
        let other = Self.talk { line in
            line.replacing("alice", with: "anna").replacing("bob", with: "bert")
                .replacing("t-1", with: "q7").replacing("t-2", with: "q8")
                .replacing("10.0.0.1", with: "192.168.0.77")
                .replacing("22:13:20 Nov 14 2023", with: "01:02:03 Nov 15 2023")
                .replacing("@anna bert", with: "bert @anna")
        }
        let found = try Self.compare(Self.talk, other)
        #expect(
            found.verdict == .passed,
            "\(Self.words(found)) \(String(describing: found.differences.first?.example))")
    }

    /// The lines of other clients may arrive at any time.
    @Test func theOrderOfIndependentConnectionsDoesNotMatter() throws {
        var other = Self.talk
        let joined = other.remove(at: 13)
        other.insert(joined, at: 18)
        #expect(try Self.compare(Self.talk, other).verdict == .passed)
    }

    /// A client that is leaving sees only the first of the others who leave, in either order.
    @Test func whichOfTheOthersLeftFirstDoesNotMatter() throws {
        func talk(_ last: String) -> Script {
            Self.talk + [
                (3, ">NICK carol"), (3, "<:irc.old 001 carol :Welcome"), (2, "<:\(last)"),
            ]
        }
        let alice = talk("alice!a@10.0.0.1 QUIT :Connection closed")
        let carol = talk("carol!c@10.0.0.1 QUIT :Connection closed")
        let found = try Self.compare(alice, carol)
        #expect(found.verdict == .passed, "\(Self.words(found))")
        let other = talk("alice!a@10.0.0.1 QUIT :Ping timeout")
        #expect(try Self.compare(alice, other).verdict == .failed)
    }

    @Test func missingAnswersAreCounted() throws {
        let found = try Self.compare(Self.talk, Self.talk { $0.contains(" 353 ") ? nil : $0 })
        #expect(Self.words(found) == ["`join`: 2 of 2 answers lack `namesReply`"])
        let example = found.differences[0].example
        #expect(example?.request?.text == "→ join(channels: [\"#a\"])")
        #expect(example?.before?.packet ?? 0 > 10 && example?.after == nil)
    }

    @Test func anotherAnswerIsAReplacement() throws {
        let other = Self.talk { line in
            line.contains("353 bob") ? "<:irc.old 475 bob #a :Cannot join channel (+k)" : line
        }
        let found = try Self.compare(Self.talk, other)
        #expect(found.differences.count == 1)
        #expect(found.differences[0].kind == .replaced && found.differences[0].request == "join")
    }

    @Test func aRequestWithoutAnswerIsReported() throws {
        let other = Self.talk { $0.contains("PONG") ? nil : $0 }
        #expect(Self.words(try Self.compare(Self.talk, other)) == ["`ping`: 2 of 2 not answered"])
    }

    @Test func aNewNameOfTheServerIsOneDifference() throws {
        let other = Self.talk { $0.replacing("irc.old", with: "irc.new") }
        let found = try Self.compare(Self.talk, other)
        #expect(Self.words(found) == ["`irc.old` → `irc.new` in several lines (10 times)"])
    }

    @Test func changedArgumentsAreReportedByArgument() throws {
        let other = Self.talk { $0.replacing(":Welcome", with: ":Hello") }
        let found = try Self.compare(Self.talk, other)
        #expect(found.differences.count == 1 && found.differences[0].kind == .argument)
        #expect(found.differences[0].count == 2)
        #expect(found.differences[0].before == "Welcome" && found.differences[0].after == "Hello")
    }

    @Test func missingDuplicateAndSwappedMessagesAreReported() throws {
        let missing = try Self.compare(
            Self.talk, Self.talk { $0.hasPrefix("<") && $0.hasSuffix(":one") ? nil : $0 })
        #expect(Self.words(missing) == ["1 of 2 unsolicited `privmsg` lines are missing"])
        var twice = Self.talk
        twice.insert(twice[18], at: 18)
        #expect(
            Self.words(try Self.compare(Self.talk, twice)) == [
                "1 unsolicited `privmsg` line is new"
            ])
        var swapped = Self.talk
        swapped.insert(swapped.remove(at: 20), at: 18)
        #expect(
            Self.words(try Self.compare(Self.talk, swapped)) == [
                "`privmsg` lines from the same source in another order (once)"
            ])
    }

    @Test func theServerEndsAConnectionEarly() throws {
        var other = Self.talk.filter {
            $0.client == 2 || !$0.line.contains("two") && !$0.line.contains("one")
        }
        other.removeAll { $0.line.hasPrefix("<:alice!a@10.0.0.1 PRIVMSG") }
        other.append((1, "<end"))
        let found = try Self.compare(Self.talk, other)
        #expect(found.differences.contains { $0.kind == .closed && $0.request == "join" })
        #expect(found.notes == ["lines that a client sent in only one of the captures: 2"])
    }

    @Test func capturesWithNothingInCommonAreInconclusive() throws {
        let one: Script = [(1, ">NICK alice"), (1, "<:s 001 alice :hi")]
        let other: Script = [(1, ">QUIT"), (1, "<ERROR :bye")]
        #expect(try Self.compare(one, other).verdict == .inconclusive)
    }

    private static func notices(_ text: String, to names: [String]) -> Script {
        names.enumerated().flatMap { client, name -> Script in
            [
                (client, ">NICK \(name)"), (client, ">USER a 0 * :A"),
                (client, "<:s 001 \(name) :Welcome"), (client, "<:s NOTICE \(name) :\(text)"),
                (client, ">PING \(name)"), (client, "<:s PONG s \(name)"),
            ]
        }
    }

    /// A number that the server sends once may be different in each run.
    @Test func numbersAreDifferencesOnlyIfTheyAreTheSameThroughoutEachCapture() throws {
        let once = try Self.compare(
            Self.notices("ticket 17", to: ["alice"]), Self.notices("ticket 23", to: ["alice"]))
        #expect(once.verdict == .passed && once.differences.isEmpty)
        #expect(
            once.varying.map { $0.text { "`\($0)`" } } == [
                "`notice` has another `text`: `17` → `23` (once)"
            ])
        let names = ["alice", "bob"]
        let always = try Self.compare(
            Self.notices("limit 17", to: names), Self.notices("limit 23", to: names))
        #expect(Self.words(always) == ["`notice` has another `text`: `17` → `23` (2 times)"])
        var varying = Self.notices("ticket 17", to: names)
        varying[9].line = "<:s NOTICE bob :ticket 18"
        let ids = try Self.compare(varying, Self.notices("ticket 23", to: names))
        #expect(ids.verdict == .passed && ids.varying.count == 1)
    }

    @Test func incompleteDataIsNoDifference() throws {
        let other = Self.talk { $0.contains("PONG irc.old t-2") || $0.contains(" 353 ") ? nil : $0 }
        for hasGaps in [true, false] {
            var captures = (try Self.capture(Self.talk), try Self.capture(other))
            for index in captures.1.conversations.indices {
                captures.1.conversations[index].hasGaps = hasGaps
                captures.1.conversations[index].isOpen = true
            }
            let empty = CaptureComparison(toolVersion: "1", dialect: "irc", captures: [])
            var comparer = CaptureComparer(captures.0, captures.1, empty)
            let found = comparer.compared()
            // The last request may be answered after the end of the capture.
            #expect(
                Self.words(found) == (hasGaps ? [] : ["`join`: 2 of 2 answers lack `namesReply`"]))
        }
    }

    /// Names that differ do not identify conversations, but their order does.
    @Test func conversationsWithOtherNamesCorrespondByTheirCommands() throws {
        let names = (0..<6).map { "a\($0)x" }
        var other = Self.notices("hello", to: (0..<6).map { "b\($0)y" })
        // The third client gives up earlier.
        other.removeAll { $0.client == 2 && $0.line.contains("P") && $0.line.contains("b2y") }
        let found = try Self.compare(Self.notices("hello", to: names), other)
        #expect(found.conversations == 6 && found.verdict == .passed, "\(Self.words(found))")
        #expect(found.notes == ["lines that a client sent in only one of the captures: 1"])
    }
}
