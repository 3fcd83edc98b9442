import LineProtocol
import Testing

@testable import Capture

/// Cached lines must have the same output as decoding them again.
@Suite struct RepeatedLinesTests {
    /// Formatted text of a line in these tests.
    private func text(_ line: [UInt8], _ dialect: Int) -> [UInt8] {
        Array("\(dialect):".utf8) + line.reversed()
    }

    @Test func findsOnlyIdenticalLines() {
        var random = SeededRandom(seed: 7)
        var known = RepeatedLines()
        var found = 0
        for _ in 0..<20_000 {
            // Some of the few lines differ only in their first byte.
            var line = Array("xPRIVMSG #room :and a text \(random.next() % 10)".utf8)
            line[0] = UInt8(0x61 + random.next() % 2)
            known.dialect = Int(random.next() % 2)
            let bytes = Array(":".utf8) + line + [0x0D, 0x0A]
            let range = 1..<(1 + line.count)
            var buffer = TextBuffer(capacity: 64)
            buffer.append(Array("lead ".utf8))
            let start = buffer.count
            if let slot = known.find(range, in: bytes.span) {
                known.append(slot, to: &buffer)
                found += 1
                #expect(buffer.bytes(from: start) == text(line, known.dialect))
            } else {
                buffer.append(text(line, known.dialect))
                known.remember(range, in: bytes.span, as: buffer, from: start)
            }
        }
        #expect(found > 1_000)
    }

    @Test(arguments: [0, 7, 8, 9, 511, 512, 513, 70_000])
    func handlesEveryLineLength(count: Int) {
        let line = [UInt8](repeating: 0x61, count: count)
        var known = RepeatedLines()
        var buffer = TextBuffer()
        buffer.append(line)
        #expect(known.find(0..<count, in: line.span) == nil)
        known.remember(0..<count, in: line.span, as: buffer, from: 0)
        let slot = known.find(0..<count, in: line.span)
        #expect((slot != nil) == (8...512).contains(count))
        guard let slot else { return }
        var copy = TextBuffer()
        known.append(slot, to: &copy)
        #expect(copy.bytes == line)
    }

    @Test func doesNotCacheLongTexts() {
        let line = [UInt8](repeating: 0x61, count: 100)
        var known = RepeatedLines()
        var buffer = TextBuffer()
        buffer.append([UInt8](repeating: 0x62, count: RepeatedLines.textBytesMax + 1))
        known.remember(0..<100, in: line.span, as: buffer, from: 0)
        #expect(known.find(0..<100, in: line.span) == nil)
    }

    @Test func noticesRepeatedLineAfterManyMisses() {
        var known = RepeatedLines()
        func see(_ text: String) -> Bool {
            let line = Array(text.utf8)
            if known.find(0..<line.count, in: line.span) != nil { return true }
            var buffer = TextBuffer(capacity: 64)
            buffer.append(line)
            known.remember(0..<line.count, in: line.span, as: buffer, from: 0)
            return false
        }
        for number in 0..<10_000 { #expect(!see("stranger number \(number)")) }
        #expect((0..<64).contains { _ in see("one that comes again") })
        // From then on, all lines are cached again.
        #expect(!see("a new one") && see("a new one"))
    }

    @Test func logsRoomMessageForEachMember() throws {
        let received = ":alice!a@h PRIVMSG #room :said \"once\" \u{1}\r\n"
        var packets: [CapturedPacket] = []
        for member in 1...3 {
            var connection = ScriptedConnection(client: "10.0.1.\(member):50000")
            connection.time += Int64(member) * 1_000
            connection.open()
            connection.send("NICK member\(member)\r\n")
            connection.send(received, fromClient: false)
            connection.send(received + received, fromClient: false)
            packets += connection.packets
        }
        let capture = CaptureWriter.pcap(packets, linkType: .ethernet)
        let log = try Decoding.log(capture)
        let logged = log.lines.filter { $0.contains("← ") }
        #expect(logged.count == 9)
        let call =
            "← privmsg(source: \"alice!a@h\", target: \"#room\", text: \"said \\\"once\\\" \\x01\")"
        #expect(logged.allSatisfy { $0.hasSuffix(call) }, "\(logged)")
        #expect(logged.filter { $0.contains("member2") }.count == 3)
        #expect(log.counts.conversation.lines == 12)
        let lines = try Decoding.json(capture).text.split(separator: "\n")
            .filter { $0.contains("\"from\":\"server\"") && $0.contains("\"event\":\"line\"") }
        #expect(lines.count == 9)
        #expect(
            Set(lines.map { $0.split(separator: ",").dropFirst(4).joined(separator: ",") }).count
                == 3)
    }

    @Test func lineAfterGapIsNotTakenFromCache() throws {
        let received = ":alice!a@h PRIVMSG #room :hello\r\n"
        var connection = ScriptedConnection()
        connection.open()
        connection.send(received, fromClient: false)
        connection.send("lost", fromClient: false, isCaptured: false)
        connection.send(received, fromClient: false)
        connection.time += 1_000_000_000
        connection.acknowledge(fromClient: true)
        connection.acknowledge(fromClient: true)
        connection.send(received, fromClient: false)
        let lines = try Decoding.log(connection.capture).lines.filter { $0.contains("privmsg") }
        #expect(lines.count == 3)
        #expect(lines.map { $0.contains("~ the start may be missing") } == [false, true, false])
    }

    @Test func countsRepeatedInvalidLines() throws {
        var connection = ScriptedConnection()
        connection.open()
        for _ in 0..<5 { connection.send(":server NOSUCH a b\r\n", fromClient: false) }
        let log = try Decoding.log(connection.capture)
        #expect(log.counts.conversation.unknown == 5)
        #expect(log.lines.filter { $0.contains("unknown command") }.count == 5)
    }

    @Test func countsRepeatedPseudonyms() throws {
        var connection = ScriptedConnection()
        connection.open()
        for _ in 0..<5 {
            connection.send(":alice!a@h PRIVMSG #room :hello\r\n", fromClient: false)
        }
        let anonymiser = Anonymiser()
        var options = LogOptions()
        options.anonymiser = anonymiser
        _ = try Decoding.log(connection.capture, "irc", options)
        #expect(anonymiser.counts[.room]?.occurrences == 5)
    }
}
