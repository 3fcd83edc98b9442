import DialectFiles
import DialectModel
import LineProtocol
import Testing

@testable import Capture

/// Slices with anonymised packets.
@Suite struct AnonymousSliceTests {
    /// Words that must not be in a slice, in any letter case.
    private static let privateWords = [
        "alice", "bobby", "secretroom", "hunter2", "hello", "grüße", "192.0.2.77", "mallory",
        "example.org", "5551234567", "ahvudgvymg", "ahv", "vxnlcm",
    ]

    private func connection(_ lines: [(text: String, fromClient: Bool)]) -> ScriptedConnection {
        var connection = ScriptedConnection(
            client: "198.51.100.23:50000", server: "203.0.113.99:6667")
        connection.open()
        for line in lines { connection.send(line.text, fromClient: line.fromClient) }
        connection.close()
        return connection
    }

    /// The names of the commands in a log, and the descriptions of other rows.
    private func commands(_ log: Decoding) -> [String] {
        log.lines.map { line in
            let row = line.drop { $0 != "→" && $0 != "←" && $0 != "·" }
            let verb = row.prefix { !"(\"".contains($0) }
            return verb.prefix { !$0.isNumber || row.contains("bytes") } + ""
        }
    }

    /// The numbers of values in the lines that are shown as commands.
    private func argumentCounts(_ log: Decoding) -> [Int] {
        log.lines.filter { $0.contains("(") && !$0.contains("masked") }.map { line in
            line.split(separator: "\"", omittingEmptySubsequences: false).count
        }
    }

    private static let conversations: [String: [(text: String, fromClient: Bool)]] = [
        "irc": [
            ("PASS hunter2\r\nNICK alice\r\nUSER alice 0 * :Alice of 192.0.2.77\r\n", true),
            (":irc.example.org 001 alice :Welcome to example.org\r\n", false),
            (":irc.example.org 005 alice CHANLIMIT=#:64 NICKLEN=30 :are supported\r\n", false),
            ("JOIN #secretroom hunter2\r\n", true),
            ("@time=2026-11-27T00:00:00.000Z :bobby!b@192.0.2.77 JOIN #secretroom\r\n", false),
            ("PRIVMSG #secretroom :hello bobby, call 5551234567, Grüße! %41%42 \\xy\r\n", true),
            ("FROBNICATE Mallory\r\n", true),
        ],
        "jsonl": [
            (#"{"type":"login","name":"alice","password":"hunter2"}"# + "\n", true),
            (#"{"type":"welcome","name":"alice"}"# + "\n", false),
            (#"{"type":"join","room":"secretroom"}"# + "\n", true),
            (
                #"{"type":"say","room":"secretroom","text":"hello\nbobby \"Grüße\" \u00fc"}"#
                    + "\n", true
            ),
        ],
        "teamspeak": [
            ("login alice hunter2\n\r", true),
            ("error id=0 msg=ok\n\r", false),
            ("sendtextmessage targetmode=2 target=1 msg=hello\\sbobby\\p192.0.2.77\n\r", true),
            (
                "notifytextmessage targetmode=2 msg=hello\\smallory target=1 invokerid=3 "
                    + "invokername=bobby\n\r", false
            ),
        ],
        "smtp": [
            ("220 example.org\r\n", false), ("EHLO mallory\r\n", true),
            ("250-example.org\r\n250-hello alice\r\n250 5551234567\r\n", false),
            ("MAIL FROM:<alice@example.org>\r\n", true), ("250 alice\r\n", false),
            ("RCPT TO:<bobby@example.org>\r\n", true), ("250 OK\r\n", false),
            ("AUTH LOGIN\r\n", true), ("334 VXNlcm5hbWU6\r\n", false),
            ("aHVudGVyMg==\r\n", true), ("235 OK\r\n", false),
            ("DATA\r\n", true), ("354 Go\r\n", false),
            ("Subject: hello\r\n\r\n..Grüße\r\n250 hunter2\r\n.\r\n", true),
            ("250 OK\r\n", false),
        ],
        "memcached": [
            ("set alice 0 0 5\r\nhello\r\nincr bobby 5\r\n", true),
            ("STORED\r\n5551234567\r\n", false),
        ],
        "nats": [
            (#"INFO {"server_id":"MALLORY","max_payload":1048576}"# + "\r\n", false),
            (#"CONNECT {"user":"alice","pass":"hunter2","verbose":false}"# + "\r\n", true),
            ("SUB secretroom.alice 1\r\nPUB secretroom.bobby 1005\r\n", true),
            (String(repeating: "hello", count: 201) + "\r\nPING\r\n", true),
        ],
    ]

    /// Only commands, times, choices and short numbers stay.
    @Test(arguments: conversations.keys.sorted())
    func onlyTheProtocolStays(name: String) throws {
        let connection = connection(try #require(Self.conversations[name]))
        let slice = try Slicing(
            connection.capture, dialect: name, anonymiser: Anonymiser(replacesNumbers: true))
        let text = String(decoding: slice.bytes, as: UTF8.self).lowercased()
        for word in Self.privateWords { #expect(!text.contains(word), "\(word)") }
        for address in [[198, 51, 100, 23], [203, 0, 113, 99]] as [[UInt8]] {
            #expect(slice.bytes.firstRange(of: address) == nil)
        }
        let before = try Decoding.log(connection.capture, name)
        let after = try Decoding.log(slice.bytes, name)
        #expect(commands(after) == commands(before), "\(after.text)")
        #expect(after.counts.conversation.lines == before.counts.conversation.lines)
        #expect(after.counts.conversation.unknown == before.counts.conversation.unknown)
        // Other texts contain quotes.
        if name == "irc" { #expect(argumentCounts(after) == argumentCounts(before)) }
        #expect(after.error == nil && after.counts.streams.gaps == 0)
    }

    @Test func theSameNamesGetTheSamePseudonymsAsInTheLog() throws {
        let connection = connection(try #require(Self.conversations["irc"]))
        let anonymiser = Anonymiser(replacesNumbers: true)
        let slice = try Slicing(connection.capture, anonymiser: anonymiser)
        var options = LogOptions()
        options.anonymiser = anonymiser
        let before = try Decoding.log(connection.capture, "irc", options).lines
        let after = try Decoding.log(slice.bytes).lines
        for (before, after) in zip(before, after)
        where !["user(", "privmsg(", "welcome(", "isupport(", "masked"].contains(
            where: before.contains)
        {
            #expect(before == after)
        }
        #expect(
            after.contains { $0.contains("joined(source: \"name3!name4@198.18.0.3\"") }, "\(after)")
    }

    /// What is next to an address is replaced with it, unless it is a port.
    @Test(arguments: [
        ("192.0.2.77", "198.18.0.1"), ("192.0.2.77:6667", "198.18.0.1:6667"),
        ("[fe80::1]:6667", "[2001:db8::1]:6667"), ("[192.0.2.77]alice", "host1.example"),
        ("192.0.2.77:10.0.0.1", "host1.example"), ("192.0.2.77:5551234567", "host1.example"),
        ("192.0.2.77]bobby", "host1.example"), ("5551234567", "name1"), ("@alice", "@name1"),
        ("alice@bobby", "name1@host1.example"), ("#tea,#Tea", "#room1,#room1"),
    ])
    func namesAreReplacedAsAWhole(name: String, pseudonym: String) {
        let bytes = Anonymiser(replacesNumbers: true).value(Array(name.utf8).span, .names)
        #expect(String(decoding: bytes, as: UTF8.self) == pseudonym)
    }

    /// However many addresses there are, each of them becomes an address.
    @Test func pseudonymsOfAddressesAreAddresses() {
        let anonymiser = Anonymiser()
        var seen: Set<IPAddress> = []
        for number in 1...150_000 {
            let address =
                number % 2 == 0
                ? IPAddress(ipv4: UInt32(number)) : IPAddress(high: 1, low: UInt64(number))
            let pseudonym = anonymiser.address(address)
            #expect(pseudonym.isIPv4 == address.isIPv4 && pseudonym != IPAddress())
            #expect(seen.insert(pseudonym).inserted)
        }
    }

    /// Connections that follow one another, or that are in different VLANs, stay distinct even if
    /// their endpoints are the same.
    @Test func connectionsWithTheSameEndpointsStayDistinct() throws {
        var packets: [CapturedPacket] = []
        for number in 0..<4 {
            var connection = ScriptedConnection()
            connection.clientNext = UInt32(1_000 + number * 1_000_000)
            connection.serverNext = UInt32(9_000_000 + number * 1_000_000)
            if number >= 2 { connection.wrapping = .vlan }
            connection.open()
            connection.send("NICK alice\r\nPING \(number)\r\n")
            if number % 2 == 0 { connection.close() }
            packets += connection.packets
        }
        let capture = CaptureWriter.pcap(packets)
        let slice = try Slicing(capture, anonymiser: Anonymiser(replacesNumbers: true))
        let (before, after) = (try Decoding.log(capture), try Decoding.log(slice.bytes))
        #expect(after.counts.streams.connections == before.counts.streams.connections)
        #expect(after.counts.conversation == before.counts.conversation, "\(after.text)")
        #expect(before.counts.conversation.lines == 8)
    }

    @Test func equalTextsStayEqualAndKeepTheirLength() throws {
        let contents = ContentPseudonyms()
        func text(_ text: String) -> String {
            String(decoding: contents.text(Array(text.utf8)), as: UTF8.self)
        }
        #expect(text("hello") == text("hello") && text("hello") != text("Hello"))
        #expect(text("hello").count == 16 && text("hello").hasPrefix("text"))
        #expect(text(String(repeating: "a", count: 1_000)).count == 1_000)
        #expect(text("") == "" && text("*") == "*")
        let other = ContentPseudonyms().text(Array("hello".utf8))
        #expect(other != Array(text("hello").utf8))
    }

    @Test func longNumbersKeepTheirDigitCount() {
        let contents = ContentPseudonyms()
        #expect([0, 7, -12, 9_999].allSatisfy { contents.number($0) == $0 })
        let numbers: [Int64] = [12_341, 12_342, 99_999, 555_123_456, .max, .min, -12_341]
        let pseudonyms = numbers.map(contents.number)
        #expect(pseudonyms == numbers.map(contents.number))
        #expect(Set(pseudonyms).count == numbers.count && Set(pseudonyms).isDisjoint(with: numbers))
        #expect(pseudonyms.map { "\($0)".count } == numbers.map { "\($0)".count })
        #expect(pseudonyms.first.map(-) == pseudonyms.last)
    }

    /// Whatever a reader notices about the connections and broken lines is in the slice as well.
    @Test func damageStays() throws {
        var lossy = ScriptedConnection(client: "192.0.2.77:1024", server: "203.0.113.99:6667")
        lossy.open()
        lossy.send("NICK alice\r\nJOIN\r\nFROB mallory\r\n")
        lossy.send("PING lost\r\n", isCaptured: false)
        lossy.send("PING there\r\nPRIVMSG #a :half a li")
        lossy.acknowledge()
        lossy.finish(fromClient: true)
        var reset = ScriptedConnection(client: "192.0.2.77:1025", server: "203.0.113.99:6667")
        reset.open()
        reset.send("QUIT :bye\r\n")
        reset.append(reset.packet(fromClient: false, "", [.rst, .ack]))
        var refused = ScriptedConnection(client: "192.0.2.77:1026", server: "203.0.113.99:6667")
        refused.append(refused.packet(fromClient: true, "", [.syn]))
        refused.move(1, true)
        refused.append(refused.packet(fromClient: false, "", [.rst, .ack]))
        let capture = CaptureWriter.pcap(lossy.packets + reset.packets + refused.packets)
        let slice = try Slicing(capture, anonymiser: Anonymiser(replacesNumbers: true))
        let before = try Decoding.log(capture)
        let after = try Decoding.log(slice.bytes)
        #expect(commands(after) == commands(before), "\(after.text)")
        #expect(after.counts.conversation == before.counts.conversation, "\(after.text)")
        #expect(after.counts.streams.missingBytes == before.counts.streams.missingBytes)
        #expect(before.counts.streams.gaps == 1)
    }

    @Test func theOriginalPacketsAreNotInASliceOfOneConnection() throws {
        var other = ScriptedConnection(client: "10.0.0.9:1024")
        other.open()
        other.send("NICK zoe\r\n")
        let packets = connection(try #require(Self.conversations["irc"])).packets + other.packets
        for passes in Slicing.Passes.allCases {
            let slice = try Slicing(
                CaptureWriter.pcap(packets), passes, anonymiser: Anonymiser(replacesNumbers: true)
            ) { $0.operators = [Array("zoe".utf8)] }
            let log = try Decoding.log(slice.bytes)
            #expect(log.counts.conversation.lines == 1, "\(log.text)")
            #expect(log.text.contains("nick(nickname: \"name"), "\(log.text)")
            #expect(try slice.read().allSatisfy { $0.interfaceName.isEmpty })
        }
    }
}
