import Testing

@testable import Capture

@Suite struct CaptureReaderTests {
    static let packets = [
        CapturedPacket(bytes: [1, 2, 3], time: 1_700_000_000_123_456_000),
        CapturedPacket(bytes: [4], time: 1_700_000_001_000_001_000, originalCount: 90),
        CapturedPacket(bytes: [], time: 1_700_000_002_000_000_000),
    ]

    private func records(
        _ bytes: [UInt8], pieceBytesMax: Int = .max
    ) throws -> [CapturedPacket] {
        var reader = CaptureReader(MemorySource(bytes, pieceBytesMax: pieceBytesMax))
        var result: [CapturedPacket] = []
        while let record = try reader.next() {
            let window = reader.window
            result.append(
                CapturedPacket(
                    bytes: Array(window[record.start..<(record.start + record.count)]),
                    time: record.time, originalCount: record.originalCount,
                    interface: Int(record.linkType.number)))
        }
        return result
    }

    private func failure(_ bytes: [UInt8]) -> CaptureError? {
        do {
            _ = try records(bytes)
            return nil
        } catch {
            return error as? CaptureError
        }
    }

    @Test(arguments: [false, true], [false, true])
    func readsPcapInBothByteOrdersAndResolutions(bigEndian: Bool, nanoseconds: Bool) throws {
        var packets = Self.packets
        if nanoseconds { packets[0].time += 789 }
        let bytes = CaptureWriter.pcap(
            packets, linkType: .raw, nanoseconds: nanoseconds, bigEndian: bigEndian)
        for pieceBytesMax in [1, 7, 4096] {
            let read = try records(bytes, pieceBytesMax: pieceBytesMax)
            #expect(read.map(\.bytes) == packets.map(\.bytes))
            #expect(read.map(\.time) == packets.map(\.time))
            #expect(read.map(\.originalCount) == [3, 90, 0])
            #expect(read.allSatisfy { $0.interface == 101 })
        }
    }

    @Test func readsSectionsWithDifferentByteOrdersAndInterfaces() throws {
        var writer = CaptureWriter()
        for isBigEndian in [false, true] {
            writer.isBigEndian = isBigEndian
            writer.section()
            writer.interface(.ethernet)
            writer.interface(.raw, resolution: 9)
            writer.interface(.linuxCooked, resolution: 3, offset: 1_700_000_000)
            writer.interface(.null, resolution: 0x80 | 10)
            writer.block(0x0BAD, [1, 2, 3, 4, 5])
            writer.packet(CapturedPacket(bytes: [1]), units: 5_000_001)
            writer.packet(CapturedPacket(bytes: [2, 2], interface: 1), units: 5_000_000_001)
            writer.packet(CapturedPacket(bytes: [3, 3, 3], interface: 2), units: 7)
            writer.packet(CapturedPacket(bytes: [4, 4, 4, 4], interface: 3), units: 1536)
            writer.block(3, writer.number(6, 4) + [5, 5, 5, 5, 5, 5, 0, 0])
        }
        let read = try records(writer.bytes, pieceBytesMax: 13)
        #expect(read.map(\.bytes.count) == [1, 2, 3, 4, 6, 1, 2, 3, 4, 6])
        let times: [Int64] = [
            5_000_001_000, 5_000_000_001, 1_700_000_000_007_000_000, 1_500_000_000,
            CaptureRecord.timeUnknown,
        ]
        #expect(read.map(\.time) == times + times)
        #expect(read.map(\.interface) == [1, 101, 113, 0, 1, 1, 101, 113, 0, 1])
    }

    /// Timestamps with an interface's resolution and offset, and the time they stand for.
    private static let extremeTimes: [(UInt8, UInt64, Int64, Int64)] = {
        let latest = CaptureRecord.times.upperBound
        let binary: UInt8 = 0x80
        return [
            (0, 7, 0, 7_000_000_000), (0, .max, 0, latest), (6, 1 << 63, 0, latest),
            (9, .max, 0, latest), (18, .max, 0, 18_446_744_073), (127, .max, 0, 0),
            (binary, 7, 0, 7_000_000_000), (binary, 1 << 40, 0, latest),
            (binary | 10, 1536, 0, 1_500_000_000), (binary | 10, .max, 0, latest),
            (binary | 63, .max, 0, 1_999_999_999), (binary | 127, .max, 0, 0),
            (6, 5_000_000, -3, 2_000_000_000), (6, 5_000_000, -6, 0), (6, 5_000_000, .min, 0),
            (6, 5_000_000, .max, latest), (9, 1 << 62, 1 << 33, latest),
        ]
    }()

    @Test(arguments: extremeTimes)
    func timesOutsideOfTheRangeBecomeItsBounds(
        _ resolution: UInt8, _ units: UInt64, _ offset: Int64, _ time: Int64
    ) throws {
        var writer = CaptureWriter()
        writer.section()
        writer.interface(.raw, resolution: resolution, offset: offset)
        writer.packet(CapturedPacket(bytes: [1]), units: units)
        #expect(try records(writer.bytes).map(\.time) == [time])
    }

    @Test func skipsPacketsOfUnknownInterfaces() throws {
        var writer = CaptureWriter()
        writer.section()
        writer.interface(.raw)
        writer.packet(CapturedPacket(bytes: [1], interface: 1), units: 1)
        writer.packet(CapturedPacket(bytes: [2]), units: 1)
        #expect(try records(writer.bytes).map(\.bytes) == [[2]])
    }

    @Test func concatenatedCapturesAreReadAsOne() throws {
        var blocks = CaptureWriter(isBigEndian: true)
        blocks.section()
        blocks.interface(.raw)
        blocks.packet(CapturedPacket(bytes: [9]), units: 1)
        let files = [
            CaptureWriter.pcap(Self.packets),
            CaptureWriter.pcap(Self.packets, linkType: .raw, nanoseconds: true, bigEndian: true),
            blocks.bytes, CaptureWriter.pcap(Self.packets),
        ]
        for pieceBytesMax in [1, 11, 4096] {
            let read = try records(files.flatMap(\.self), pieceBytesMax: pieceBytesMax)
            let bytes = Self.packets.map(\.bytes)
            #expect(read.map(\.bytes) == bytes + bytes + [[9]] + bytes)
            #expect(read.map(\.interface) == [1, 1, 1, 101, 101, 101, 101, 1, 1, 1])
        }
    }

    @Test func truncatedCaptureYieldsEarlierPacketsAndOneError() {
        let whole = CaptureWriter.pcap(Self.packets)
        let ends = [24, 43, 60, 76]
        for count in 0..<whole.count {
            var reader = CaptureReader(MemorySource(Array(whole[..<count])))
            var read = 0
            var caught: CaptureError?
            do throws(CaptureError) {
                while try reader.next() != nil { read += 1 }
            } catch {
                caught = error
            }
            #expect(read == max(0, ends.filter { $0 <= count }.count - 1))
            #expect((caught == nil) == ends.contains(count), "\(count)")
            if count < 4 { #expect(caught?.code == .notACapture) }
        }
    }

    @Test(arguments: [
        (Array("GET / HTTP/1.1\r\n".utf8), CaptureError.Code.notACapture),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .unsupported), ([], .notACapture),
        (Array("snoop\0\0\0".utf8), .unsupported),
    ])
    func rejectsOtherFileTypes(bytes: [UInt8], code: CaptureError.Code) {
        #expect(failure(bytes)?.code == code)
    }

    @Test func invalidRecordEndsReadingAndIsLocated() {
        var bytes = CaptureWriter.pcap(Self.packets)
        bytes.replaceSubrange(51..<55, with: [0, 0, 0, 0x7F])
        let error = failure(bytes)
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("after packet 1, at byte 43") == true)
    }
}
