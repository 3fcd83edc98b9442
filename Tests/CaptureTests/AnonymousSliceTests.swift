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
        "example.org", "5551234567",
    ]

    private func slice(_ packets: [CapturedPacket], _ dialect: Dialect) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let collector = SliceCollector(.all, anonymiser: PacketAnonymiser([dialect])) {
            bytes += $0
            return true
        }
        var decoder = CaptureDecoder(
            MemorySource(CaptureWriter.pcap(packets)), SilentSink(), BoundDialect(dialect),
            ReassemblyOptions())
        decoder.slice = collector
        try decoder.run()
        decoder.finish()
        return bytes
    }

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
            return row.hasPrefix("· opened") ? "opened" : String(row.prefix { !"(\"".contains($0) })
        }
    }

    private static let conversations: [String: [(text: String, fromClient: Bool)]] = [
        "irc": [
            ("PASS hunter2\r\nNICK alice\r\nUSER alice 0 * :Alice of 192.0.2.77\r\n", true),
            (":irc.example.org 001 alice :Welcome to example.org\r\n", false),
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
        "nats": [
            (#"INFO {"server_id":"MALLORY","max_payload":1048576}"# + "\r\n", false),
            (#"CONNECT {"user":"alice","pass":"hunter2","verbose":false}"# + "\r\n", true),
            ("SUB secretroom.alice 1\r\nPUB secretroom.bobby 1005\r\n", true),
            (String(repeating: "hello", count: 201) + "\r\nPING\r\n", true),
        ],
    ]

    @Test(arguments: ["irc", "jsonl", "teamspeak", "nats"])
    func onlyTheProtocolStays(name: String) throws {
        let dialect = try DialectLibrary.find(name).dialect
        let connection = connection(try #require(Self.conversations[name]))
        let bytes = try slice(connection.packets, dialect)
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        for word in Self.privateWords { #expect(!text.contains(word), "\(word)") }
        for address in [[198, 51, 100, 23], [203, 0, 113, 99]] as [[UInt8]] {
            #expect(bytes.firstRange(of: address) == nil)
        }
        let before = try Decoding.log(CaptureWriter.pcap(connection.packets), name)
        let after = try Decoding.log(bytes, name)
        #expect(commands(after) == commands(before), "\(after.text)")
        #expect(after.counts.conversation.lines == before.counts.conversation.lines)
        #expect(
            after.counts.conversation.broken == before.counts.conversation.broken, "\(after.text)")
        let packets = try Slicing.packets(bytes)
        #expect(packets.map(\.time) == connection.packets.map(\.time))
        #expect(packets.allSatisfy { $0.linkType == .ethernet && $0.interfaceName.isEmpty })
    }

    @Test func theSameWordGetsTheSamePseudonym() throws {
        let anonymiser = PacketAnonymiser([try DialectLibrary.find("irc").dialect])
        let text = String(
            decoding: anonymiser.anonymised(Array("NICK alice\r\n:Alice!a@h NICK 42".utf8)),
            as: UTF8.self)
        let words = text.split { " \r\n:!@".contains($0) }.map(String.init)
        #expect(words[0] == "NICK" && words[5] == "NICK" && words[6] == "42")
        #expect(words[1] == words[2].lowercased() && words[1] != words[2])
        #expect(words[1].count == 5 && words[1] != "alice")
    }

    @Test func damageStaysAsItWas() throws {
        var connection = connection([("NICK alice\r\n", true)])
        connection.send("PING lost\r\n", isCaptured: false)
        connection.acknowledge()
        let repeated = connection.packet(fromClient: true, "PING alice\r\n")
        connection.append(repeated)
        connection.append(repeated)
        connection.move(12, true)
        let ipv6 = TCPPacket(source: "10.0.0.7:5", target: "10.0.0.8:6667", flags: [.syn])
        var packets = connection.packets
        packets.append(
            CapturedPacket(bytes: Wrapping.vlan.wrap(ipv6.ipv6()), time: connection.time))
        packets.append(
            CapturedPacket(
                bytes: Array(connection.packets[3].bytes.prefix(60)), time: connection.time,
                originalCount: connection.packets[3].bytes.count))
        let dialect = try DialectLibrary.find("irc").dialect
        let (before, after) = (
            try Decoding.log(CaptureWriter.pcap(packets)),
            try Decoding.log(try slice(packets, dialect))
        )
        #expect(after.counts.streams == before.counts.streams)
        #expect(after.counts.packets.segments == before.counts.packets.segments)
        #expect(after.text.contains("[fd00::"), "\(after.text)")
    }
}
