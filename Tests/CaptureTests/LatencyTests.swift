import DialectModel
import DialectFiles
import LineProtocol
import Testing

@testable import Capture

/// Latencies measured from packet times.
@Suite struct LatencyTests {
    /// A sink that collects latencies.
    private struct Times: LatencySink {
        let metrics: [TimedMetric]
        var byName: [String: [Int64]] = [:]
        var requests = 0
        var servers: Set<IPEndpoint> = []

        mutating func met(_ server: IPEndpoint) { servers.insert(server) }
        mutating func requestSent(at time: Int64) { requests += 1 }
        mutating func took(_ nanoseconds: Int64, _ metric: Int, at time: Int64) {
            byName[metrics[metric].name, default: []].append(nanoseconds / 1_000_000)
        }
    }

    // MARK: Slow answers

    /// The slow answers, each as the number of milliseconds for the server, the network, and the
    /// client's receive window.
    private func slow(_ connection: ScriptedConnection) throws -> [[Int64]] {
        let bound = BoundDialect(try DialectLibrary.find("irc").dialect)
        var decoder = CaptureDecoder(
            MemorySource(connection.capture),
            ConversationLatencies(bound) { Slow(metrics: $0) }, bound, ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        let slow = try #require(decoder.sink.receiver as? Slow)
        return slow.answers.answers.map {
            [$0.server / 1_000_000, $0.network / 1_000_000, $0.window / 1_000_000]
        }
    }

    private struct Slow: LatencySink {
        let metrics: [TimedMetric]
        var answers = SlowAnswers()

        mutating func met(_ server: IPEndpoint) {}
        mutating func requestSent(at time: Int64) {}
        mutating func took(_ nanoseconds: Int64, _ metric: Int, at time: Int64) {}
        mutating func wasSlow(_ answer: TimedAnswer) { answers.add(answer) }
    }

    @Test func slowAnswersWaitForTheServerTheNetworkOrTheReceiver() throws {
        var alice = member("alice", 1)
        // The server takes two seconds, of which the way takes a millisecond, as the SYN did.
        alice.send("PING one\r\n")
        alice.time += 1_999_000_000
        alice.send(":srv PONG srv one\r\n", fromClient: false)
        #expect(try slow(alice) == [[1999, 1, 0]])
        // The request is lost, and sent again after 800 ms.
        let request = alice.packet(fromClient: true, "PING two\r\n")
        alice.send("PING two\r\n")
        alice.time += 799_000_000
        alice.append(request)
        alice.time += 199_000_000
        alice.send(":srv PONG srv two\r\n", fromClient: false)
        #expect(try slow(alice).last == [199, 801, 0])
        // The client cannot receive for 500 ms.
        alice.send("PING three\r\n")
        var closed = alice.packet(fromClient: true)
        closed.window = 0
        alice.append(closed)
        alice.time += 499_000_000
        alice.append(alice.packet(fromClient: true))
        alice.send(":srv PONG srv three\r\n", fromClient: false)
        #expect(try slow(alice).last == [1, 1, 500])
        // What happened before the request does not count.
        alice.send("PING four\r\n")
        alice.time += 299_000_000
        alice.send(":srv PONG srv four\r\n", fromClient: false)
        #expect(try slow(alice).last == [299, 1, 0])
        alice.send("PING five\r\n")
        alice.send(":srv PONG srv five\r\n", fromClient: false)
        #expect(try slow(alice).count == 4)
    }

    @Test func anAnswerWithALostPartWaitsForTheNetwork() throws {
        var alice = member("alice", 1)
        alice.send("PING one\r\n")
        alice.send(":srv PO", fromClient: false)
        let lost = alice.packet(fromClient: false, "NG srv one\r\n")
        alice.move(12, false)
        alice.send(":srv NOTICE * :next\r\n", fromClient: false)
        alice.time += 600_000_000
        alice.append(lost)
        let all = try slow(alice)
        #expect(all.count == 1 && all[0][1] > 590, "\(all)")
    }

    @Test func onlyTheSlowestAnswersAreKept() {
        var capture = TimedCapture([TimedMetric(name: "probe")])
        let connection = CapturedConnection(
            number: 1, client: IPEndpoint(), server: IPEndpoint(), vlans: 0,
            first: PacketInfo(number: 1, time: 0), BlockPool())
        for number in 1...30 {
            let time = Int64((number * 7) % 31) * 100_000_000
            capture.wasSlow(
                TimedAnswer(
                    0, connection, request: PacketInfo(number: number, time: 0),
                    answer: PacketInfo(number: number, time: time), closedBefore: 0))
        }
        let kept = capture.slowAnswers.answers.map { $0.nanoseconds / 100_000_000 }
        #expect(kept == Array((21...30).reversed()))
        let text = capture.slowAnswersTable
        #expect(text.contains("The slowest 10 of 30 slow answers"), "\(text)")
    }

    private func times(_ connections: [ScriptedConnection], _ dialect: String) throws -> Times {
        let packets = connections.flatMap(\.packets).sorted { $0.time < $1.time }
        let dialect = try DialectLibrary.find(dialect).dialect
        var decoder = CaptureDecoder(
            MemorySource(CaptureWriter.pcap(packets)),
            ConversationLatencies(BoundDialect(dialect)) { Times(metrics: $0) },
            BoundDialect(dialect), ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        return try #require(decoder.sink.receiver as? Times)
    }

    /// An IRC client that logs in, with one millisecond between packets.
    private func member(_ name: String, _ number: Int) -> ScriptedConnection {
        var connection = ScriptedConnection(client: "10.0.0.\(number):5000\(number)")
        connection.time += Int64(number) * 100_000_000
        connection.open()
        connection.send("NICK \(name)\r\nUSER \(name) 0 * :\(name)\r\n")
        connection.time += 40_000_000
        connection.send(":srv 001 \(name) :Welcome\r\n", fromClient: false)
        connection.time = ScriptedConnection().time + 10_000_000_000
        return connection
    }

    @Test func measuresConnectsLoginsAndProbes() throws {
        var alice = member("alice", 1)
        alice.send("PING one\r\nPING two\r\n")
        alice.time += 6_000_000
        alice.send(":srv PONG srv two\r\n", fromClient: false)
        alice.time += 1_000_000
        alice.send(":srv PONG srv one\r\n:srv PONG srv three\r\n", fromClient: false)
        let found = try times([alice], "irc")
        #expect(found.byName["connect"] == [1])
        // Measured from the server's SYN and ACK.
        #expect(found.byName["login"] == [43])
        #expect(found.byName["probe"] == [7, 9])
        #expect(found.metrics.first { $0.name == "probe" }?.command == "ping → ponged")
        #expect(found.requests == 2 && found.servers.map(\.port) == [6667])
    }

    /// A client that subscribes again logs in only once, although the lines are those of the login.
    @Test func onlyTheFirstLoginOfAConnectionIsMeasured() throws {
        var connection = ScriptedConnection(server: "10.0.0.2:4222")
        connection.open()
        connection.send("CONNECT {\"verbose\":false,\"name\":\"svc1\"}\r\nPING\r\n")
        connection.time += 7_000_000
        connection.send("PONG\r\n", fromClient: false)
        for number in 1...3 {
            connection.time += 500_000_000
            connection.send("SUB orders.\(number) \(number)\r\nPING\r\n")
            connection.send("PONG\r\n", fromClient: false)
        }
        let found = try times([connection], "nats")
        #expect(found.byName["login"] == [10])
        #expect(found.byName["probe"] == [8, 1, 1, 1])
    }

    @Test func measuresRoomMessagesForEachMember() throws {
        var (alice, bob, carol) = (member("alice", 1), member("bob", 2), member("carol", 3))
        alice.send("PRIVMSG #room :hello\r\nPRIVMSG #other :hello\r\n")
        let sentAt = alice.time - 1_000_000
        bob.time = sentAt + 5_000_000
        bob.send(":alice!a@h PRIVMSG #room :hello\r\n", fromClient: false)
        carol.time = sentAt + 25_000_000
        // Carol is in both rooms; messages of others do not count.
        carol.send(
            ":dave!d@h PRIVMSG #room :hello\r\n:alice!a@h PRIVMSG #other :hello\r\n"
                + ":alice!a@h PRIVMSG #room :hello\r\n", fromClient: false)
        let found = try times([alice, bob, carol], "irc")
        #expect(found.byName["say"]?.sorted() == [5, 25, 25])
        #expect(found.byName["say.first"]?.sorted() == [5, 25])
        #expect(found.byName["say.last"]?.sorted() == [25, 25])
        #expect(found.byName["say.spread"]?.sorted() == [0, 20])
        #expect(found.byName["relay"] == nil)
    }

    @Test func distinguishesDirectFromRoomMessages() throws {
        var (alice, bob) = (member("alice", 1), member("bob", 2))
        alice.send("PRIVMSG Bob :psst\r\n")
        bob.time = alice.time + 2_000_000
        bob.send(":alice!a@h PRIVMSG bob :psst\r\n", fromClient: false)
        let found = try times([alice, bob], "irc")
        #expect(found.byName["relay"] == [3])
        #expect(found.byName["say"] == nil && found.byName["say.first"] == nil)
    }

    /// The last bytes of these letters differ only in the bit that distinguishes upper and lower
    /// case in ASCII.
    @Test func distinguishesNamesWithDifferentLettersOutsideASCII() throws {
        var (alice, bob) = (member("alice", 1), member("bob", 2))
        alice.send("PRIVMSG \u{C0} :psst\r\n")
        bob.time = alice.time + 2_000_000
        bob.send(":alice!a@h PRIVMSG \u{E0} :psst\r\n", fromClient: false)
        #expect(try times([alice, bob], "irc").byName["relay"] == nil)
        #expect(NameFolding.isSame(Array("Bob[".utf8), Array("bOB{".utf8)))
    }

    @Test func measuresJoinForTheJoiningOperatorOnly() throws {
        var alice = member("alice", 1)
        alice.send("JOIN #a\r\nJOIN #b\r\n")
        alice.send(":srv 366 alice #b :End\r\n", fromClient: false)
        alice.send(":srv 366 alice #a :End\r\n", fromClient: false)
        alice.send("PART #a\r\n")
        alice.send(":bob!b@h PART #a\r\n", fromClient: false)
        alice.send(":alice!a@h PART #a\r\n", fromClient: false)
        let found = try times([alice], "irc")
        #expect(found.byName["enter"] == [1, 2])
        #expect(found.byName["leave"] == [2])
    }

    @Test func measuresCommandsByCorrelationId() throws {
        var connection = ScriptedConnection(server: "10.0.0.2:1863")
        connection.open()
        connection.send(
            "CVR 2 0x0409 winnt 5.1 i386 MSNMSGR 6.2.0205 MSMSGS a@b.c\r\nCHG 3 NLN 0\r\n")
        connection.send("CHG 3 NLN 0\r\n", fromClient: false)
        connection.send("CVR 2 6.0 6.0 6.0 u u\r\n", fromClient: false)
        let found = try times([connection], "msnp")
        #expect(found.byName["status"] == [1])
        #expect(found.byName.values.flatMap(\.self).filter { $0 == 2 }.count >= 1)
    }

    @Test func pairsAnswersWithoutIdByOrder() throws {
        var connection = ScriptedConnection(server: "10.0.0.2:4222")
        connection.open()
        connection.send("PING\r\n")
        connection.send("PING\r\nPUB a 1\r\nx\r\n")
        connection.send("PONG\r\nPONG\r\n", fromClient: false)
        let found = try times([connection], "nats")
        #expect(found.byName["probe"] == [2, 1])
    }

    @Test func pairsSharedAnswerOnlyIfNoOtherRequestIsPending() throws {
        var connection = ScriptedConnection(server: "10.0.0.2:10011")
        connection.open()
        connection.send("version\n")
        connection.send(
            "version=3 build=1 platform=Linux\n\rerror id=0 msg=ok\n\r", fromClient: false)
        connection.send("version\nwhoami\n")
        connection.send("error id=0 msg=ok\n\r", fromClient: false)
        let found = try times([connection], "teamspeak")
        #expect(found.byName["probe"] == [1])
    }

    @Test func ignoresWhatWasNotCaptured() throws {
        var connection = ScriptedConnection()
        connection.send("PING lost", isCaptured: false)
        connection.send(" one\r\nPING two\r\n")
        connection.send(":srv PONG srv one\r\n:srv PONG srv two\r\n", fromClient: false)
        let found = try times([connection], "irc")
        #expect(found.byName["connect"] == nil && found.byName["login"] == nil)
        #expect(found.byName["probe"]?.count ?? 0 <= 1)
    }

    @Test func limitsRememberedMessages() {
        var ledger = InFlightMessages()
        var over = 0
        for number in 0..<(InFlightMessages.messagesMax * 2) {
            over +=
                ledger.send(
                    InFlightMessages.Message(
                        key: number, sender: 1, target: [], time: Int64(number))
                ).count
        }
        let rest = ledger.finish().count
        #expect(
            rest <= InFlightMessages.messagesMax && over + rest == InFlightMessages.messagesMax * 2)
        _ = ledger.send(InFlightMessages.Message(key: 1, sender: 1, target: [], time: 0))
        #expect(ledger.expire(InFlightMessages.nanosecondsMax).isEmpty)
        #expect(ledger.expire(InFlightMessages.nanosecondsMax + 1).count == 1)
    }
}
