import Testing

@testable import Capture

@Suite struct ReassemblyTests {
    private func opened(clientNext: UInt32 = 1000) -> ScriptedConnection {
        var connection = ScriptedConnection(clientNext: clientNext)
        connection.open()
        return connection
    }

    @Test func reordersSegments() {
        var connection = opened()
        connection.send("one ")
        connection.send("two ")
        connection.send("three")
        connection.packets.swapAt(3, 5)
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams["1>"] == "one two three")
        #expect(reading.streams.gaps == 0)
        #expect(reading.streams.outOfOrder > 0)
    }

    @Test func streamDoesNotDependOnSegmentationAndRetransmission() {
        let text = "PRIVMSG #room :the same text, whatever the segments are\r\n"
        var connection = opened()
        let start = connection.clientNext
        let bytes = Array(text.utf8)
        for (lower, upper) in [(0, 10), (5, 20), (0, 30), (40, 58), (20, 45), (45, bytes.count)] {
            var packet = connection.packet(fromClient: true)
            packet.sequence = start &+ UInt32(lower)
            packet.payload = Array(bytes[lower..<min(upper, bytes.count)])
            connection.append(packet)
        }
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams["1>"] == text)
        #expect(reading.streams.conflicts == 0)
    }

    @Test func handlesOneBytePerSegment() {
        var connection = opened()
        for byte in "NICK alice\r\n" { connection.send(String(byte)) }
        #expect(StreamReading(connection.capture).log.streams["1>"] == "NICK alice\r\n")
    }

    @Test func handlesSequenceNumberWraparound() {
        var connection = opened(clientNext: UInt32.max - 4)
        connection.send("0123456789")
        connection.send("abcdef")
        connection.packets.swapAt(3, 4)
        connection.acknowledge()
        connection.close()
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams["1>"] == "0123456789abcdef")
        #expect(reading.log.lines.last == "1 closed")
    }

    @Test func declaresAcknowledgedGapAfterGracePeriod() {
        var connection = opened()
        connection.send("one ")
        connection.send("lost", isCaptured: false)
        connection.send("three")
        connection.acknowledge()
        #expect(StreamReading(connection.capture).log.lines.contains("1> gap 4 lost"))
        var waiting = connection
        waiting.time += ReassemblyOptions.graceNanoseconds
        waiting.acknowledge()
        let lines = StreamReading(waiting.capture).log.lines
        #expect(lines.firstIndex(of: "1> gap 4 lost") == 2)
        #expect(lines[3] == "1> three")
        #expect(lines.last == "1 captureEnd")
    }

    @Test func lateSegmentsFillGapWithinGracePeriod() {
        var connection = opened()
        let late = connection.packet(fromClient: true, "late ")
        connection.send("late ", isCaptured: false)
        connection.send("early")
        connection.acknowledge()
        connection.append(late)
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams["1>"] == "late early")
    }

    @Test func waitsForUnacknowledgedBytes() {
        var connection = opened()
        let missing = connection.packet(fromClient: true, "missing ")
        connection.send("missing ", isCaptured: false)
        connection.send("early")
        connection.time += 10_000_000_000
        for _ in 0..<40 { connection.send("PING\n", fromClient: false) }
        for index in 4..<connection.packets.count {
            // None of these acknowledges the client's bytes.
            let ack = 14 + 20 + 8
            connection.packets[index].bytes.replaceSubrange(ack..<(ack + 4), with: big32(1001))
        }
        connection.append(missing)
        #expect(StreamReading(connection.capture).log.streams["1>"] == "missing early")
    }

    @Test func usesFirstCopyAndReportsConflict() {
        var connection = opened()
        let forged = connection.packet(fromClient: true, "PASS bogey\r\n")
        connection.send("PASS right\r\n")
        connection.append(forged)
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams["1>"] == "PASS right\r\n")
        #expect(reading.log.lines.contains("1> conflict 4"))
        #expect(reading.streams.conflicts == 1)
    }

    @Test(arguments: [(false, "early last", "early"), (true, "EARLY last", "EARLY")])
    func usesFirstOrLastCopyOfParkedBytes(
        prefersLastCopy: Bool, text: String, word: String
    ) {
        var connection = opened()
        let first = connection.packet(fromClient: true, ">")
        connection.send(">", isCaptured: false)
        let other = connection.packet(fromClient: true, "EARLY")
        connection.send("early")
        connection.append(other)
        connection.send(" last")
        connection.append(first)
        var options = ReassemblyOptions()
        options.prefersLastCopy = prefersLastCopy
        let reading = StreamReading(connection.capture, options: options)
        #expect(reading.log.streams["1>"] == ">" + text)
        #expect(reading.log.lines.contains("1> conflict 5"))
    }

    @Test func ignoresKeepAlives() {
        var connection = opened()
        connection.send("hello")
        for payload in ["", "\0"] {
            var probe = connection.packet(fromClient: true, payload)
            probe.sequence &-= 1
            connection.append(probe)
        }
        connection.send("!")
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams["1>"] == "hello!")
        #expect(reading.streams.conflicts == 0)
    }

    @Test func readsStreamFromTheMiddle() {
        var connection = ScriptedConnection()
        connection.send(":server 001 a :Welcome\r\n", fromClient: false)
        connection.send("PING 1\r\n")
        let reading = StreamReading(connection.capture)
        #expect(reading.log.lines.first == "1 opened by 10.0.0.1:50000")
        #expect(reading.log.streams["1<"] == ":server 001 a :Welcome\r\n")
    }

    @Test func simultaneousOpenIsOneConnection() {
        var connection = ScriptedConnection()
        connection.append(connection.packet(fromClient: true, "", [.syn]))
        connection.append(connection.packet(fromClient: false, "", [.syn]))
        connection.append(connection.packet(fromClient: true, "", [.syn, .ack]))
        connection.append(connection.packet(fromClient: false, "", [.syn, .ack]))
        connection.move(1, true)
        connection.move(1, false)
        connection.send("a\n")
        connection.send("b\n", fromClient: false)
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams == ["1>": "a\n", "1<": "b\n"])
        #expect(reading.streams.connections == 1)
    }

    @Test func onlyPlausibleResetEndsConnection() {
        var connection = opened()
        connection.send("half a li")
        var blind = connection.packet(fromClient: false, "", [.rst])
        blind.sequence &+= 1 << 25
        connection.append(blind)
        connection.send("ne\n")
        connection.append(connection.packet(fromClient: false, "", [.rst]))
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams["1>"] == "half a line\n")
        #expect(reading.log.lines.last == "1 reset")
        #expect(reading.streams.ignored == 1)
    }

    @Test func newSYNWithSamePortsStartsNewConnection() {
        var connection = opened()
        connection.send("old")
        connection.clientNext = 77_777
        connection.serverNext = 88_888
        connection.open()
        connection.send("new")
        connection.close()
        connection.clientNext = 1
        connection.open()
        connection.send("third")
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams == ["1>": "old", "2>": "new", "3>": "third"])
        #expect(reading.log.lines.contains("1 replaced"))
        #expect(reading.log.lines.contains("2 closed"))
    }

    @Test func handlesHalfClosedConnection() {
        var connection = opened()
        connection.send("QUIT\n")
        connection.finish(fromClient: true)
        connection.send("ERROR bye\n", fromClient: false)
        connection.finish(fromClient: false)
        let lines = StreamReading(connection.capture).log.lines
        #expect(
            lines == [
                "1 opened by 10.0.0.1:50000", "1> QUIT\n", "1> fin", "1< ERROR bye\n", "1< fin",
                "1 closed",
            ])
    }

    @Test func reportsTruncatedPacketAsGap() {
        var connection = opened()
        let whole = connection.packet(fromClient: true, "start of a long line\r\n")
        let bytes = Wrapping.ethernet.wrap(whole.ipv4)
        connection.move(22, true)
        connection.packets.append(
            CapturedPacket(
                bytes: Array(bytes[..<(14 + 40 + 5)]), time: connection.time,
                originalCount: bytes.count))
        connection.send("next\n")
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams["1>"] == "start<17>next\n")
        #expect(reading.log.lines.contains("1> gap 17 cut"))
    }

    @Test func limitsParkedBytes() {
        var connection = opened()
        connection.send("x", isCaptured: false)
        let piece = String(repeating: "y", count: 8192)
        for _ in 0...(ReassemblyOptions.parkedBytesMax / 8192) { connection.send(piece) }
        let reading = StreamReading(connection.capture)
        #expect(reading.log.lines.contains("1> gap 1 limit"))
    }

    @Test func limitsConnectionsAndDropsTheLongestIdle() {
        var options = ReassemblyOptions()
        options.connectionsMax = 4_096
        var packets: [CapturedPacket] = []
        for number in 0...options.connectionsMax {
            let packet = TCPPacket(
                source: "10.1.\(number >> 8).\(number & 255):5000",
                sequence: 1,
                payload: [0x61])
            packets.append(
                CapturedPacket(bytes: Wrapping.raw.wrap(packet.ipv4), time: Int64(number)))
        }
        let reading = StreamReading(
            CaptureWriter.pcap(packets, linkType: .raw), options: options)
        #expect(reading.streams.forgotten == options.connectionsMax / 8)
        #expect(reading.log.lines.contains("1 forgotten"))
        #expect(reading.streams.connections == options.connectionsMax + 1)
    }

    @Test func aScanDoesNotDropOpenConnections() {
        var options = ReassemblyOptions()
        options.connectionsMax = 4_096
        var connection = opened()
        connection.send("one\n")
        let packets = (0...options.connectionsMax).map { number in
            let packet = TCPPacket(
                source: "10.1.\(number >> 8).\(number & 255):5000",
                flags: [.syn])
            return CapturedPacket(
                bytes: connection.wrapping.wrap(packet.ipv4), time: connection.time + Int64(number))
        }
        connection.packets += packets
        connection.send("two\n")
        let reading = StreamReading(connection.capture, options: options)
        #expect(reading.log.streams["1>"] == "one\ntwo\n")
        #expect(reading.streams.forgotten == 0)
        #expect(reading.log.lines.contains("2 unanswered"))
    }
}
