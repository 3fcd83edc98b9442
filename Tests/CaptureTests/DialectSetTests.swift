import DialectModel
import DialectFiles
import LineProtocol
import Testing

@testable import Capture

/// Captures with several dialects.
@Suite struct DialectSetTests {
    private static let names = ["irc", "nats", "plain", "teamspeak"]

    private static func capture(_ natsPort: Int = 4222) -> [UInt8] {
        var irc = ScriptedConnection()
        irc.open()
        var nats = ScriptedConnection(client: "10.0.0.1:50001", server: "10.0.0.2:\(natsPort)")
        nats.time += 500_000
        nats.open()
        irc.send("NICK alice\r\nUSER alice 0 * :A\r\nPRIVM")
        nats.send("INFO {}\r\n", fromClient: false)
        irc.send("SG #room :in two\r\nFROB\r\n")
        nats.send("PUB a 5\r\nhel")
        irc.send(":srv 001 alice :Welcome\r\n", fromClient: false)
        nats.send("lo\r\nFROB\r\n")
        irc.close()
        nats.close()
        return CaptureWriter.pcap((irc.packets + nats.packets).sorted { $0.time < $1.time })
    }

    private static func set(_ change: (inout DialectSet) -> Void) throws -> DialectSet {
        var set = DialectSet(try names.map { try BoundDialect.find($0) })
        change(&set)
        return set
    }

    private func decode<Sink: ConversationSink>(
        _ bytes: [UInt8], _ set: DialectSet, _ sink: ([Dialect]) -> Sink
    ) throws -> (sink: Sink, counts: CaptureCounts) {
        var decoder = CaptureDecoder(
            MemorySource(bytes), sink(set.dialects.map(\.dialect)), set, ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        return (decoder.sink, decoder.counts)
    }

    private func log(_ bytes: [UInt8], _ set: DialectSet) throws -> String {
        let decoded = try decode(bytes, set) { LogWriter(CollectedText(), $0, LogOptions()) }
        #expect(decoded.counts.conversation.broken == 2)
        return String(decoding: decoded.sink.collected, as: UTF8.self)
    }

    @Test func decodesEachPortInItsDialect() throws {
        let set = try Self.set { $0.ports = [6667: 0, 4222: 1] }
        let text = try log(Self.capture(), set)
        #expect(
            text.contains("#1 alice      → privmsg(target: \"#room\", text: \"in two\")"), "\(text)"
        )
        #expect(text.contains("payload: \"hello\""))
        #expect(text.contains("#2            → \"FROB\"  ! unknown command"))
        #expect(text.contains("welcome("))
    }

    @Test(arguments: [4222, 5000])
    func detectsDialectFromFirstBytes(port: Int) throws {
        let set = try Self.set { $0.candidates = [0, 1, 2, 3] }
        let text = try log(Self.capture(port), set)
        #expect(text.contains("#1            · detected as irc"), "\(text)")
        #expect(text.contains("#2            · detected as nats"))
        #expect(text.contains("payload: \"hello\"") && text.contains("text: \"in two\""))
    }

    @Test func appliesDetectedDialectToOtherConnectionsOfTheServer() throws {
        var first = ScriptedConnection(server: "10.0.0.2:5000")
        first.open()
        first.send("NICK alice\r\nUSER a 0 * :A\r\nJOIN #a\r\nPING 1\r\n")
        first.send(":srv 001 alice :Hi\r\n:srv 422 alice :No\r\n", fromClient: false)
        first.send(":alice!a@h JOIN #a\r\n:srv PONG srv 1\r\n", fromClient: false)
        var second = ScriptedConnection(client: "10.0.0.1:50001", server: "10.0.0.2:5000")
        second.time = first.time
        second.open()
        second.send("FROB\r\n")
        let set = try Self.set { $0.candidates = [0, 1, 2, 3] }
        let bytes = CaptureWriter.pcap(first.packets + second.packets)
        let decoded = try decode(bytes, set) {
            LogWriter(CollectedText(), $0, LogOptions())
        }
        let text = String(decoding: decoded.sink.collected, as: UTF8.self)
        #expect(text.contains("#2            → \"FROB\"  ! unknown command"), "\(text)")
    }

    /// Decodes connections to a port whose dialect is not known, with all built-in dialects.
    private func detect(_ connections: [ScriptedConnection]) throws -> (
        text: String, ports: [UInt16: Int], set: DialectSet
    ) {
        var set = DialectSet(try DialectLibrary.builtInNames.map { try BoundDialect.find($0) })
        set.candidates = Array(set.dialects.indices)
        var decoder = CaptureDecoder(
            MemorySource(CaptureWriter.pcap(connections.flatMap(\.packets))),
            LogWriter(CollectedText(), set.dialects.map(\.dialect), LogOptions()), set,
            ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        let text = String(decoding: decoder.sink.collected, as: UTF8.self)
        return (text, decoder.ports, set)
    }

    private static func ftp(_ number: Int, isWhole: Bool = true) -> ScriptedConnection {
        var connection = ScriptedConnection(
            client: "10.0.0.1:\(50_000 + number)", server: "10.0.0.2:2121")
        connection.time += Int64(number) * 1_000_000_000
        connection.open()
        connection.send("220 ready\r\n", fromClient: false)
        guard isWhole else { return connection }
        connection.send("USER anonymous\r\n")
        connection.send("331 pw\r\n", fromClient: false)
        connection.send("PASS g\r\n")
        connection.send("230 hello\r\n", fromClient: false)
        connection.send("SYST\r\nPWD\r\nTYPE I\r\nPASV\r\nQUIT\r\n")
        connection.send("215 UNIX\r\n257 \"/\"\r\n200 ok\r\n221 bye\r\n", fromClient: false)
        connection.close()
        return connection
    }

    @Test(arguments: [true, false])
    func aGreetingDoesNotDecideTheDialect(isWhole: Bool) throws {
        let (text, ports, set) = try detect([Self.ftp(0, isWhole: isWhole)])
        #expect(!text.contains("detected as") && text.contains("\"220 ready\""), "\(text)")
        #expect(ports[2121] == set.fallback)
    }

    @Test func theDialectOfAPortIsRevised() throws {
        // The commands of the first connection are also those of POP3.
        var first = ScriptedConnection(client: "10.0.0.1:40000", server: "10.0.0.2:2121")
        first.time -= 1_000_000_000
        first.open()
        first.send("USER anonymous\r\nPASS g\r\nQUIT\r\n")
        first.close()
        let (text, ports, set) = try detect([first] + (0..<3).map { Self.ftp($0) })
        #expect(!text.contains("#2            · detected as"), "\(text)")
        #expect(ports[2121] == set.fallback)
    }

    @Test func twoLinesOfAShortConnectionAreEnough() throws {
        var connection = ScriptedConnection(server: "10.0.0.2:7000")
        connection.open()
        connection.send("QUIT\r\n")
        connection.send("+OK\r\n", fromClient: false)
        connection.close()
        let (text, _, _) = try detect([connection])
        #expect(text.contains("· detected as pop3"), "\(text)")
    }

    @Test func showsUnknownTrafficAsTextAndReportsEncryption() throws {
        var web = ScriptedConnection(server: "10.0.0.2:8080")
        web.open()
        web.send("GET / HTTP/1.1\r\nHost: example.test\r\n")
        var tls = ScriptedConnection(client: "10.0.0.1:50001", server: "10.0.0.2:6697")
        tls.time = web.time
        tls.open()
        tls.send("\u{16}\u{3}\u{1}\u{0}\u{10}\u{1}" + String(repeating: "x", count: 16))
        tls.send("NICK mallory\r\n")
        let set = try Self.set { $0.candidates = [0, 1, 2, 3] }
        let decoded = try decode(CaptureWriter.pcap(web.packets + tls.packets), set) {
            LogWriter(CollectedText(), $0, LogOptions())
        }
        let text = String(decoding: decoded.sink.collected, as: UTF8.self)
        #expect(text.contains("\"GET / HTTP/1.1\""), "\(text)")
        #expect(text.contains("encrypted (TLS) from here on") && !text.contains("mallory"))
        #expect(decoded.counts.conversation.encrypted == 1)
    }

    @Test func keepsStatisticsByDialect() throws {
        let set = try Self.set { $0.ports = [6667: 0, 4222: 1] }
        let decoded = try decode(Self.capture(), set) {
            SinkPerDialect($0.map { ConversationStatistics($0) })
        }
        let lines = decoded.sink.sinks.map { $0.lines.reduce(0, +) + $0.otherLines }
        #expect(lines == [5, 3, 0, 0])
    }

    @Test func jsonNamesTheDialectAndFilterKnowsCommandsOfEach() throws {
        let set = try Self.set { $0.ports = [6667: 0, 4222: 1] }
        let decoded = try decode(Self.capture(), set) {
            JSONLinesWriter(CollectedText(), $0, showsSecrets: false)
        }
        let text = String(decoding: decoded.sink.collected, as: UTF8.self)
        #expect(text.contains("\"dialect\":\"irc\"") && text.contains("\"dialect\":\"nats\""))
        var selection = ConversationSelection()
        selection.commands = ["publish", "nick"]
        let filtered = try decode(Self.capture(), set) {
            ConversationFilter(
                LogWriter(CollectedText(), $0, LogOptions()), $0, selection)
        }
        let shown = String(decoding: filtered.sink.sink.collected, as: UTF8.self)
        #expect(shown.split(separator: "\n").count == 3, "\(shown)")
    }

    @Test func findsServerPorts() throws {
        let all = try Self.names.map { (name: $0, dialect: try BoundDialect.find($0)) }
        let ports = DialectSearch.ports(Self.capture(), among: all, ReassemblyOptions())
        #expect(ports == [4222, 6667])
    }
}
