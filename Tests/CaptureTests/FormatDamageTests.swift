import DialectModel
import DialectFiles
import LineProtocol
import Testing
import Transcript

@testable import Capture

/// Decodes truncated captures and captures with flipped bytes in every format, link type and dialect; none may
/// crash the process.
@Suite struct FormatDamageTests {
    /// Damaged copies per capture.
    private static let copies = 18

    private static func text(_ dialect: String) -> (client: String, server: String) {
        switch dialect {
        case "nats":
            ("CONNECT {}\r\nPUB a 5\r\nhello\r\nPING\r\n", "INFO {}\r\nMSG a 1 2\r\nhi\r\nPONG\r\n")
        case "msnp": ("VER 1 MSNP8\r\nMSG 2 N 4\r\nabcd", "VER 1 MSNP8\r\nMSG a@b.c A 2\r\nhi")
        case "livechat": ("S0001|maria|pw\nS0002|a\\|b\n", "R0001|1|maria\nR0002|x\\n\n")
        case "teamspeak": ("use sid=1\nwhoami\n", "TS3\n\rerror id=0 msg=ok\n\r")
        default:
            (
                "NICK a\r\nPASS b\r\nPRIVMSG #c :Grü\u{1B}ße\r\n",
                ":s 001 a :Hi\r\n@a=b :x JOIN #c\r\n"
            )
        }
    }

    private static func packets(_ wrapping: Wrapping, _ dialect: String) -> [CapturedPacket] {
        let sample = text(dialect)
        var connection = ScriptedConnection(wrapping: wrapping)
        connection.open()
        connection.send(sample.server, fromClient: false)
        connection.send(String(sample.client.prefix(9)))
        connection.send(String(sample.client.dropFirst(9)))
        connection.send("\u{16}\u{3}\u{1}\u{0}\u{10}\u{1}xxxx", fromClient: false)
        connection.close()
        return connection.packets
    }

    /// Returns one capture in each format.
    private static func captures(_ wrapping: Wrapping, _ dialect: String) -> [[UInt8]] {
        let packets = packets(wrapping, dialect)
        var captures = [false, true].flatMap { isBig in
            [false, true].map { isFine in
                CaptureWriter.pcap(
                    packets, linkType: wrapping.linkType, nanoseconds: isFine, bigEndian: isBig)
            }
        }
        for isBig in [false, true] {
            var writer = CaptureWriter(isBigEndian: isBig)
            for half in [packets.prefix(packets.count / 2), packets.suffix(packets.count / 2)] {
                writer.section()
                writer.interface(wrapping.linkType, resolution: isBig ? 9 : nil)
                for packet in half { writer.packet(packet, units: UInt64(packet.time / 1000)) }
            }
            captures.append(writer.bytes)
        }
        return captures
    }

    private static let dialects: [Dialect] = [
        "irc", "nats", "msnp", "livechat", "teamspeak", "plain",
    ]
    .compactMap { try? DialectLibrary.find($0).dialect }
    private static let bound = dialects.map { BoundDialect($0) }

    private struct NoTimes: LatencySink {
        mutating func met(_ server: IPEndpoint) {}
        mutating func requestSent(at time: Int64) {}
        mutating func took(_ nanoseconds: Int64, _ metric: Int, at time: Int64) {
            #expect(metric >= 0)
        }
    }

    private func run<Sink: ConversationSink>(
        _ bytes: [UInt8], _ sink: Sink, _ set: DialectSet
    ) -> Sink {
        var decoder = CaptureDecoder(
            MemorySource(bytes, pieceBytesMax: 1_000), sink, set, ReassemblyOptions())
        do throws(CaptureError) {
            try decoder.run()
        } catch {
            // A damaged capture may end early.
        }
        decoder.finish()
        expectPlausible(decoder.counts, of: bytes)
        return decoder.sink
    }

    /// Decodes a capture to one of the output forms, chosen by `turn`.
    private func decode(_ bytes: [UInt8], _ turn: Int, _ bound: BoundDialect) {
        let (dialect, set) = (bound.dialect, DialectSet(bound))
        var guessing = DialectSet(Self.bound)
        guessing.candidates = Array(Self.dialects.indices)
        switch turn % 6 {
        case 0:
            let log = run(bytes, LogWriter(CollectedText(), Self.dialects, LogOptions()), guessing)
            #expect(!log.collected.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F })
        case 1:
            var options = LogOptions()
            options.anonymiser = Anonymiser()
            options.columns = 80
            options.isColoured = true
            let log = run(bytes, LogWriter(CollectedText(), dialect, options), set)
            let text = TerminalText.plain(String(decoding: log.collected, as: UTF8.self))
            #expect(!text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F })
        case 2:
            let writer = JSONLinesWriter(CollectedText(), dialect, showsSecrets: false)
            let lines = run(bytes, writer, set).collected
            #expect(!lines.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F })
        case 3:
            let sink = run(bytes, TranscriptSink(dialect), set)
            #expect(sink.silentConnections >= 0)
            #expect(sink.conversation.events.count <= bytes.count)
        case 4:
            _ = run(
                bytes, ConversationLatencies(bound) { _ in NoTimes() }, set)
        default:
            let sink = run(bytes, ConversationStatistics(dialect), set)
            let lines = sink.lines.reduce(sink.otherLines, +)
            #expect(lines <= bytes.count)
            #expect(sink.hasLines == (lines > 0))
            #expect((sink.first == nil) == (sink.last == nil))
        }
    }

    @Test(arguments: Wrapping.allCases)
    func survivesDamageInEveryFormat(wrapping: Wrapping) throws {
        let names = ["irc", "nats", "msnp", "livechat", "teamspeak"]
        let index = Wrapping.allCases.firstIndex(of: wrapping) ?? 0
        let name = names[index % names.count]
        let bound = BoundDialect.of(try DialectLibrary.find(name))
        var random = SeededRandom(seed: UInt64(index), part: "damage")
        for capture in Self.captures(wrapping, name) {
            for copy in 0..<Self.copies {
                var bytes = capture
                if copy % 2 == 0 {
                    bytes = Array(bytes.prefix(random.next(below: bytes.count + 1)))
                }
                for _ in 0..<random.next(below: 8) where !bytes.isEmpty {
                    bytes[random.next(below: bytes.count)] = UInt8(
                        truncatingIfNeeded: random.next())
                }
                decode(bytes, copy, bound)
            }
        }
    }

    @Test func decodesIntactCapturesInEveryFormat() throws {
        let dialect = try DialectLibrary.find("irc").dialect
        for wrapping in Wrapping.allCases {
            for capture in Self.captures(wrapping, "irc") {
                let set = DialectSet(BoundDialect(dialect))
                let log = run(capture, LogWriter(CollectedText(), dialect, LogOptions()), set)
                let text = String(decoding: log.collected, as: UTF8.self)
                #expect(text.contains("privmsg(target: \"#c\", text: \"Grü\\x1bße\")"), "\(text)")
                #expect(text.contains("encrypted (TLS)"))
            }
        }
    }
}
