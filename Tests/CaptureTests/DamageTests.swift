import LineProtocol
import Testing

@testable import Capture

@Suite struct DamageTests {
    static let classic = SampleCapture.bytes
    static let blocks: [UInt8] = {
        var writer = CaptureWriter()
        writer.section()
        writer.interface(.ethernet)
        writer.interface(.raw, resolution: 9)
        for number in 0..<6 {
            let packet = TCPPacket(
                sequence: UInt32(number * 12), payload: Array("PRIVMSG a b\n".utf8))
            writer.packet(
                CapturedPacket(
                    bytes: number % 2 == 0 ? Wrapping.qinq.wrap(packet.ipv4) : packet.ipv6([]),
                    interface: 0), units: UInt64(number))
            for piece in packet.fragments(of: 16) {
                writer.packet(CapturedPacket(bytes: piece, interface: 1), units: 1)
            }
        }
        return writer.bytes
    }()

    @Test(arguments: [classic, blocks])
    func readsTruncatedCaptureUpToTheEnd(bytes: [UInt8]) throws {
        for count in stride(from: 0, to: bytes.count, by: 23) {
            let decoding = try Decoding.log(Array(bytes[..<count]))
            #expect(decoding.error == nil || decoding.error?.code == .cutShort || count < 24)
        }
    }

    @Test(arguments: 0..<8)
    func survivesFlippedBytes(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        for original in [Self.classic, Self.blocks] {
            for _ in 0..<15 {
                var bytes = original
                for _ in 0...numbers.next(below: 12) {
                    bytes[numbers.next(below: bytes.count)] = UInt8(
                        truncatingIfNeeded: numbers.next())
                }
                let log = try Decoding.log(bytes, "irc")
                let json = try Decoding.json(bytes, "nats")
                for decoding in [log, json] {
                    expectPlausible(decoding.counts, of: bytes)
                    #expect(!decoding.text.utf8.contains { $0 < 0x20 && $0 != 0x0A || $0 == 0x7F })
                }
            }
        }
    }

    @Test func survivesRandomPackets() {
        var numbers = SeededRandom(seed: 99)
        for type in Wrapping.allCases.map(\.linkType) {
            let packets = (0..<200).map { _ in
                var bytes = (0..<numbers.next(below: 90)).map { _ in
                    UInt8(truncatingIfNeeded: numbers.next())
                }
                // Make valid IP versions and TCP frequent.
                if let index = bytes.indices.randomElement(in: &numbers),
                    numbers.next(below: 2) == 0
                {
                    bytes[index] = 0x45
                    if index + 9 < bytes.count { bytes[index + 9] = 6 }
                }
                return CapturedPacket(bytes: bytes)
            }
            let reading = StreamReading(CaptureWriter.pcap(packets, linkType: type))
            #expect(reading.packets.packets == 200)
        }
    }

    /// Splits a stream at random, repeats segments and reorders them within a window.
    @Test(arguments: 0..<40)
    func reassemblesSegmentsInAnyOrder(seed: UInt64) {
        var numbers = SeededRandom(seed: seed)
        let text = (0..<400).map { UInt8(97 + $0 % 26) }
        var connection = ScriptedConnection(clientNext: UInt32.max - 150)
        connection.open()
        let start = connection.clientNext
        var pieces: [Range<Int>] = []
        var lower = 0
        while lower < text.count {
            let upper = min(text.count, lower + 1 + numbers.next(below: 30))
            // Sometimes longer than needed, so that it overlaps with the next one.
            pieces.append(max(0, lower - numbers.next(below: 9))..<upper)
            lower = upper
        }
        // Swap nearby segments, as networks and captures do.
        for index in pieces.indices.dropLast(4) where numbers.next(below: 3) == 0 {
            pieces.swapAt(index, index + 1 + numbers.next(below: 3))
        }
        for piece in pieces {
            for _ in 0...(numbers.next(below: 5) == 0 ? 1 : 0) {
                var packet = connection.packet(fromClient: true)
                packet.sequence = start &+ UInt32(piece.lowerBound)
                packet.payload = Array(text[piece])
                connection.append(packet)
            }
        }
        connection.move(text.count, true)
        connection.acknowledge()
        connection.close()
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams["1>"] == String(decoding: text, as: UTF8.self))
        #expect(reading.streams.conflicts == 0)
        #expect(reading.log.lines.last == "1 closed")
    }

    /// Drops random segments: the rest must be in order, and each gap must have the size of what is missing.
    @Test(arguments: 0..<20)
    func reportsGapsOfTheRightSizeForLostSegments(seed: UInt64) {
        var numbers = SeededRandom(seed: seed &+ 1000)
        var connection = ScriptedConnection()
        connection.open()
        var expected = ""
        var missing = 0
        for number in 0..<60 {
            let text = "\(number):" + String(repeating: "x", count: numbers.next(below: 20)) + ";"
            let isLost = number < 59 && numbers.next(below: 4) == 0
            if isLost {
                missing += text.utf8.count
            } else {
                if missing > 0 { expected += "<\(missing)>" }
                missing = 0
                expected += text
            }
            connection.send(text, isCaptured: !isLost)
            if numbers.next(below: 3) == 0 { connection.acknowledge() }
        }
        connection.acknowledge()
        connection.close()
        let reading = StreamReading(connection.capture)
        // A gap may be reported in two parts if only the first was acknowledged.
        #expect(Self.joined(reading.log.streams["1>"] ?? "") == expected)
    }

    private static func joined(_ text: String) -> String {
        var result = ""
        var count = 0
        for part in text.split(separator: "<", omittingEmptySubsequences: false) {
            guard let end = part.firstIndex(of: ">"), let number = Int(part[..<end]) else {
                result += part
                continue
            }
            count += number
            let rest = part[part.index(after: end)...]
            if !rest.isEmpty {
                result += "<\(count)>" + rest
                count = 0
            }
        }
        return count > 0 ? result + "<\(count)>" : result
    }
}

extension Range<Int> {
    fileprivate func randomElement(in numbers: inout SeededRandom) -> Int? {
        isEmpty ? nil : lowerBound + numbers.next(below: count)
    }
}
