import DialectFiles
import DialectModel
import LineProtocol
import Testing

@testable import Capture

/// Several captures that are read as one stream.
@Suite struct MergeTests {
    /// A packet of a merged stream.
    private struct Packet: Equatable {
        var file: Int
        var number: Int
        var bytes: [UInt8]
    }

    private func merged(
        _ files: MemoryFiles
    ) throws -> (packets: [Packet], failures: [(file: Int, error: CaptureError)]) {
        var input = PacketInput(files, MergeOrder(files))
        var packets: [Packet] = []
        while let record = try input.next() {
            let info = PacketInfo(record)
            packets.append(
                Packet(
                    file: info.file, number: info.number,
                    bytes: Array(input.window[record.start..<(record.start + record.count)])))
        }
        #expect(files.areAllClosed)
        return (packets, input.failures)
    }

    /// A capture with one packet at each of these times, in seconds. Each packet contains its time.
    private static func capture(_ times: [Int64]) -> [UInt8] {
        CaptureWriter.pcap(
            times.map { CapturedPacket(bytes: [UInt8($0)], time: $0 * 1_000_000_000) })
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
    func rotatedFilesAreReadInOrderOneAtATime(order: [Int]) throws {
        let rotated: [[Int64]] = [[1, 3, 2], [4], [5, 6]]
        let files = MemoryFiles(order.map { Self.capture(rotated[$0]) })
        let (packets, failures) = try merged(files)
        #expect(packets.map(\.bytes) == [[1], [3], [2], [4], [5], [6]])
        #expect(packets.map { order[$0.file] } == [0, 0, 0, 1, 2, 2])
        #expect(packets.map(\.number) == [1, 2, 3, 1, 1, 2])
        #expect(failures.isEmpty && files.openMost == 1)
    }

    @Test func filesThatOverlapAreMergedByTime() throws {
        let files = MemoryFiles([[3, 3], [0, 2, 4, 6], [1, 3, 5, 7]].map(Self.capture))
        let packets = try merged(files).packets
        #expect(packets.map(\.bytes) == [0, 1, 2, 3, 3, 3, 4, 5, 6, 7].map { [$0] })
        #expect(packets.map(\.file) == [1, 2, 1, 2, 0, 0, 1, 2, 1, 2])
        #expect(files.openMost == 3)
    }

    @Test func packetsWithoutATimeFollowTheirPredecessors() throws {
        var writer = CaptureWriter()
        writer.section()
        writer.interface(.ethernet)
        writer.packet(CapturedPacket(bytes: [5]), units: 5_000_000)
        writer.block(3, writer.number(1, 4) + [50, 0, 0, 0])
        writer.packet(CapturedPacket(bytes: [9]), units: 9_000_000)
        let packets = try merged(MemoryFiles([Self.capture([6]), writer.bytes])).packets
        #expect(packets.map(\.bytes) == [[5], [50], [6], [9]])
    }

    @Test func aFileThatCannotBeReadDoesNotAffectTheOthers() throws {
        let whole = Self.capture([1, 3, 5])
        let cut = Array(Self.capture([2, 4]).dropLast(3))
        let files = MemoryFiles(
            [whole, cut, [], whole, Array("no capture".utf8), Self.capture([])], missing: [3])
        let (packets, failures) = try merged(files)
        #expect(packets.map(\.bytes) == [[1], [2], [3], [5]])
        let codes = Dictionary(uniqueKeysWithValues: failures.map { ($0.file, $0.error.code) })
        #expect(codes == [1: .cutShort, 2: .notACapture, 3: .unreadable, 4: .notACapture])
        #expect(
            failures.first { $0.file == 1 }?.error.message.contains("after packet 1") == true)
    }

    @Test func countsAreThoseOfAllFiles() throws {
        var writer = CaptureWriter()
        writer.section()
        writer.interface(.raw)
        writer.packet(CapturedPacket(bytes: [1], interface: 7), units: 1)
        writer.packet(CapturedPacket(bytes: [1]), units: 1)
        let files = MemoryFiles([writer.bytes, writer.bytes, Self.capture([2])])
        var input = PacketInput(files, MergeOrder(files))
        while try input.next() != nil {}
        #expect(input.damagedPackets == 2)
        #expect(input.bytesRead == 2 * writer.bytes.count + Self.capture([2]).count)
    }

    /// At the limit, and one past it.
    @Test(arguments: [CaptureMerge.openMax, CaptureMerge.openMax + 1])
    func onlySoManyFilesMayCoverTheSameTime(count: Int) throws {
        let files = MemoryFiles(Array(repeating: Self.capture([1, 9]), count: count))
        let (packets, failures) = try merged(files)
        #expect(packets.count == 2 * CaptureMerge.openMax)
        #expect(failures.map(\.file) == Array(CaptureMerge.openMax..<count))
        #expect(failures.allSatisfy { $0.error.message.contains("more than 64 captures cover") })
        #expect(files.openMost == CaptureMerge.openMax)
    }

    @Test func theWindowGrowsForLargePackets() throws {
        let large = [UInt8](repeating: 7, count: CaptureParser.packetBytesMax)
        let capture = CaptureWriter.pcap([
            CapturedPacket(bytes: [1]), CapturedPacket(bytes: large), CapturedPacket(bytes: [2]),
        ])
        let packets = try merged(MemoryFiles([capture, capture])).packets
        #expect(packets.map(\.bytes) == [[1], large, [2], [1], large, [2]])
    }

    @Test func interfacesAreNumberedAcrossSections() throws {
        var writer = CaptureWriter()
        for count in [1, 2] {
            writer.section()
            for _ in 0..<count { writer.interface(.raw) }
            writer.packet(CapturedPacket(bytes: [1], interface: count - 1), units: 1)
        }
        let captures = writer.bytes + Self.capture([1]) + Self.capture([2])
        var reader = CaptureReader(MemorySource(captures))
        var numbers: [UInt32] = []
        while let record = try reader.next() {
            numbers.append(record.interface)
            #expect(reader.interface(of: record)?.linkType == record.linkType)
            #expect(
                reader.interface(of: record)?.name
                    == Array(numbers.count < 3 ? "lo0".utf8 : "".utf8))
        }
        #expect(numbers == [0, 2, 3, 4])
    }

    // MARK: Decoding

    @Test func aConnectionMayBeginInOneFileAndEndInAnother() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("NICK alice\r\nUSER a 0 * :A\r\nPRIVMSG #room :cut in")
        connection.send(":srv 001 alice :Welcome\r\n", fromClient: false)
        connection.send(" two\r\n")
        connection.close()
        let packets = connection.packets
        let whole = try Decoding.log(of: PacketInput(MemorySource(connection.capture)))
        #expect(whole.contains("cut in two"))
        for split in 1..<packets.count {
            var writer = CaptureWriter(isBigEndian: true)
            writer.section()
            writer.interface(.ethernet, resolution: 9)
            for packet in packets[..<split] { writer.packet(packet, units: UInt64(packet.time)) }
            let files = MemoryFiles([CaptureWriter.pcap(Array(packets[split...])), writer.bytes])
            #expect(try Decoding.log(of: PacketInput(files, MergeOrder(files))) == whole)
        }
    }

    @Test func packetNumbersAreShownWithTheirFiles() throws {
        var first = ScriptedConnection()
        first.send("NICK alice\r\n")
        var second = ScriptedConnection(client: "10.0.0.3:50001")
        second.time += 500_000
        second.send("NICK bob\r\n")
        second.send("PING 1\r\n")
        let files = MemoryFiles([second.capture, first.capture])
        let bound = BoundDialect(try DialectLibrary.find("irc").dialect)
        let names = ["b\t.pcap", "\"a\".pcap"]
        let json = JSONLinesWriter(
            CollectedText(), [bound.dialect], showsSecrets: false, files: names)
        var decoder = CaptureDecoder(
            PacketInput(files, MergeOrder(files)), json, DialectSet(bound), ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        let events = String(decoding: decoder.sink.collected, as: UTF8.self)
            .split(separator: "\n").filter { $0.contains("\"line\"") }
        #expect(events.count == 3)
        #expect(events[0].contains(#","packet":1,"file":"\"a\".pcap","connection":1,"#))
        #expect(events[1].contains(#","packet":1,"file":"b\t.pcap","connection":2,"#))
        #expect(events[2].contains(#","packet":2,"file":"b\t.pcap","connection":2,"#))
        let lines = LinesWriter(
            CollectedText(), [bound.dialect], showsSecrets: false, files: names)
        var other = CaptureDecoder(
            PacketInput(files, MergeOrder(files)), lines, DialectSet(bound), ReassemblyOptions())
        try other.run()
        other.finish()
        let text = (other.sink.target as? CollectedText)?.bytes ?? []
        #expect(
            String(decoding: text, as: UTF8.self)
                == #"\"a\".pcap:1"# + "\t1\t→\tNICK alice\n"
                + #"b\t.pcap:1"# + "\t2\t→\tNICK bob\n" + #"b\t.pcap:2"# + "\t2\t→\tPING 1\n")
    }

    @Test func theSampleContainsTheFirstPacketsOfTheStream() throws {
        let files = MemoryFiles([[2, 4, 6], [1, 3, 5]].map(Self.capture))
        var input = PacketInput(files, MergeOrder(files))
        let all = input.sample(1 << 20)
        var reader = CaptureReader(MemorySource(all))
        var times: [Int64] = []
        while let record = try reader.next() { times.append(record.time / 1_000_000_000) }
        #expect(times == [1, 2, 3, 4, 5, 6])
        files.closeAll()
        var again = PacketInput(files, MergeOrder(files))
        let some = again.sample(all.count - 1)
        #expect(some.count == all.count, "the sample ends after a whole packet")
        var last = PacketInput(files, MergeOrder(files))
        #expect(last.sample(some.count - 40).count < some.count)
    }
}
