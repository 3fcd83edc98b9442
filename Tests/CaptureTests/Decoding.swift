import DialectModel
import DialectFiles
import Foundation
import LineProtocol
import Testing

@testable import Capture

/// Log and counts of a decoded capture.
struct Decoding {
    var text: String
    var counts: CaptureCounts
    var error: CaptureError?

    /// Lines of the log without the time.
    var lines: [String] {
        text.split(separator: "\n").filter { !$0.hasPrefix("---") }
            .map { String($0.dropFirst(17).drop { $0 == " " }) }
    }

    private init<Sink: ConversationSink>(
        _ bytes: [UInt8], _ sink: Sink, _ dialect: Dialect, keyLog: String?,
        _ read: (Sink) -> [UInt8]
    ) {
        var options = ReassemblyOptions()
        options.keys = TLSKeys()
        if let problem = options.keys?.add(file: Array((keyLog ?? "").utf8)) {
            Issue.record("line \(problem.line) of the key log: \(problem.text)")
        }
        var decoder = CaptureDecoder(MemorySource(bytes), sink, BoundDialect(dialect), options)
        do throws(CaptureError) {
            try decoder.run()
        } catch {
            self.error = error
        }
        decoder.finish()
        counts = decoder.counts
        text = String(decoding: read(decoder.sink), as: UTF8.self)
    }

    static func log(
        _ bytes: [UInt8], _ name: String = "irc", _ options: LogOptions = LogOptions(),
        keyLog: String? = nil
    ) throws -> Decoding {
        let dialect = try DialectLibrary.find(name).dialect
        let sink = LogWriter(CollectedText(), dialect, options)
        return Decoding(bytes, sink, dialect, keyLog: keyLog) { $0.collected }
    }

    /// Returns the log of packets in IRC.
    static func log(of input: PacketInput) throws -> String {
        let bound = BoundDialect(try DialectLibrary.find("irc").dialect)
        let sink = LogWriter(CollectedText(), bound.dialect, LogOptions())
        var decoder = CaptureDecoder(input, sink, DialectSet(bound), ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        return String(decoding: decoder.sink.collected, as: UTF8.self)
    }

    static func lines(
        _ bytes: [UInt8], _ name: String = "irc", showsSecrets: Bool = false,
        keyLog: String? = nil
    ) throws -> Decoding {
        let dialect = try DialectLibrary.find(name).dialect
        let sink = LinesWriter(CollectedText(), [dialect], showsSecrets: showsSecrets)
        return Decoding(bytes, sink, dialect, keyLog: keyLog) {
            ($0.target as? CollectedText)?.bytes ?? []
        }
    }

    static func json(
        _ bytes: [UInt8], _ name: String = "irc", showsSecrets: Bool = false,
        keyLog: String? = nil
    ) throws -> Decoding {
        let dialect = try DialectLibrary.find(name).dialect
        let sink = JSONLinesWriter(CollectedText(), dialect, showsSecrets: showsSecrets)
        return Decoding(bytes, sink, dialect, keyLog: keyLog) { $0.collected }
    }
}

/// Expects that the counts are possible for the size of the capture.
func expectPlausible(
    _ counts: CaptureCounts, of bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) {
    let (packets, lines) = (counts.packets, counts.conversation)
    #expect(counts.bytes <= bytes.count, sourceLocation: sourceLocation)
    #expect(
        packets.segments <= packets.packets + packets.reassembled, sourceLocation: sourceLocation)
    #expect(
        packets.notTCP + packets.unknownLinkType + packets.malformed
            <= packets.packets + packets.reassembled, sourceLocation: sourceLocation)
    #expect(max(lines.broken, lines.unknown) <= lines.lines, sourceLocation: sourceLocation)
}

/// Compares a text with a golden file; `GOLDEN_UPDATE=1` rewrites the file.
func expectGolden(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/\(name)")
    if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
        try Data(text.utf8).write(to: url)
    }
    let expected = try String(contentsOf: url, encoding: .utf8)
    #expect(text == expected, sourceLocation: sourceLocation)
}

/// Capture with typical traffic and damage.
enum SampleCapture {
    static var bytes: [UInt8] {
        var first = ScriptedConnection()
        first.open()
        first.send("PASS hunter2\r\nNICK alice\r\nUSER alice 0 * :Alice Example\r\n")
        first.send(":irc.example.test 001 alice :Welcome\r\n", fromClient: false)
        first.send("JOIN #room,#other key1\r\nMODE #room +o bob\r\n")
        first.send("PRIVMSG #room :Grüße, 世界 \u{1B}[31mred\u{07}\u{202E} \"quoted\" \\\r\n")
        first.send(
            "@time=2026-11-21T03:00:00.000Z;msgid=abc :bob!b@10.0.0.9 PRIVMSG ", fromClient: false)
        first.send("#room :cut in two\r\n", fromClient: false)
        first.send("FROB 1 2 3\r\nPRIVMSG #room\r\n")
        first.send("PRIVMSG #room :this will be lo", isCaptured: false)
        first.send("st\r\nPRIVMSG #room :after the hole\r\n")
        first.acknowledge()
        first.time += 100_000_000
        first.acknowledge()
        first.send("PRIVMSG #room :" + String(repeating: "long ", count: 110) + "\r\n")
        first.send("QUIT :bye")
        first.close()
        var second = ScriptedConnection(client: "10.0.0.3:50001")
        second.time = first.time + 86_400_000_000_000
        second.send(":irc.example.test NOTICE * :in the middle\r\n", fromClient: false)
        second.send("STARTTLS\r\n")
        second.send(":irc.example.test 670 * :STARTTLS successful\r\n", fromClient: false)
        second.send("\u{16}\u{3}\u{1}\u{0}\u{10}\u{1}" + String(repeating: "x", count: 16))
        second.append(second.packet(fromClient: false, "", [.rst]))
        return CaptureWriter.pcap(first.packets + second.packets)
    }
}
