import DialectFiles
import DialectModel
import Testing

@testable import Capture

/// Connections whose state is loaded before their packets are processed.
@Suite struct LookaheadTests {
    /// Packets of 60 connections that take turns. Every third connection is closed and opened again
    /// between the same endpoints, and every seventh is only reset.
    private func packets(_ wrapping: Wrapping) -> [CapturedPacket] {
        var all: [CapturedPacket] = []
        for number in 0..<60 {
            var connection = ScriptedConnection(client: "10.0.0.\(number + 9):\(40_000 + number)")
            connection.wrapping = wrapping
            connection.time += Int64(number) * 1_000
            for round in 0..<(number % 3 == 0 ? 2 : 1) {
                connection.open()
                connection.send("NICK user\(number)\r\n")
                for text in 0..<(5 + number % 4) {
                    connection.send("PRIVMSG #room :\(round) \(text)\r\n")
                    connection.acknowledge()
                }
                if number % 7 == 0 {
                    connection.append(connection.packet(fromClient: false, "", [.rst]))
                } else if number % 3 == 0 {
                    connection.close()
                }
                connection.clientNext &+= 100_000
            }
            all += connection.packets
        }
        return all.sorted { $0.time < $1.time }
    }

    private func pcapng(_ packets: [CapturedPacket], _ linkType: LinkType) -> [UInt8] {
        var writer = CaptureWriter()
        writer.section()
        writer.interface(linkType, resolution: 9)
        for packet in packets { writer.packet(packet, units: UInt64(packet.time)) }
        return writer.bytes
    }

    /// Captures that are merged are decoded without looking ahead.
    @Test(arguments: [Wrapping.ethernet, .vlan, .qinq, .sll, .sll2, .raw, .null, .vxlan])
    func doesNotChangeTheResult(_ wrapping: Wrapping) throws {
        let packets = packets(wrapping)
        let sent = packets.count { String(decoding: $0.bytes, as: UTF8.self).contains("PRIVMSG") }
        let captures = [
            CaptureWriter.pcap(packets, linkType: wrapping.linkType),
            pcapng(packets, wrapping.linkType),
        ]
        for capture in captures {
            let files = MemoryFiles([capture])
            let plain = try Decoding.log(of: PacketInput(files, MergeOrder(files)))
            #expect(plain.components(of: "privmsg(") == sent)
            #expect(try Decoding.log(of: PacketInput(MemorySource(capture))) == plain)
            #expect(
                try Decoding.log(of: PacketInput(MemorySource(capture, pieceBytesMax: 997)))
                    == plain)
        }
    }

    @Test(arguments: [Wrapping.ethernet, .vlan, .sll, .sll2, .raw])
    func findsTheConnectionsOfNearlyAllPackets(_ wrapping: Wrapping) throws {
        let packets = packets(wrapping)
        for capture in [
            CaptureWriter.pcap(packets, linkType: wrapping.linkType),
            pcapng(packets, wrapping.linkType),
        ] {
            // All connections are known, as after the first packets of a long capture.
            var reassembler = Reassembler(StreamLog(), ReassemblyOptions())
            var (input, dissector) = (PacketInput(MemorySource(capture)), PacketDissector())
            while let record = try input.next() {
                let content = dissector.dissect(input.window.span, record)
                guard case .segment(let segment) = content else { continue }
                reassembler.take(segment, input.window.span, PacketInfo(record))
            }
            input = PacketInput(MemorySource(capture))
            var lookahead = PacketLookahead()
            var found = 0
            while let record = try input.next() {
                let guess = lookahead.advance(input, reassembler.table)
                let content = dissector.dissect(input.window.span, record)
                guard case .segment(let segment) = content, guess > 0 else { continue }
                let connection = try #require(reassembler.table.find(segment)?.connection)
                #expect(Int(guess) - 1 == connection.index)
                found += 1
            }
            #expect(found >= packets.count - 8)
        }
    }

    @Test func recordsDoNotOverlap() {
        let pool = BlockPool()
        let count = 10_000
        let indices = (0..<count).map { _ in pool.allocate() }
        let addresses = indices.map { unsafe Int(bitPattern: pool.address($0)) }.sorted()
        #expect(addresses.allSatisfy { $0 % 64 == 0 })
        #expect(
            zip(addresses, addresses.dropFirst()).allSatisfy { $1 - $0 >= BlockPool.blockBytes })
        for index in indices.suffix(10) { pool.deallocate(index) }
        #expect(Set((0..<10).map { _ in pool.allocate() }) == Set(indices.suffix(10)))
        #expect(pool.allocate() == count)
    }
}

extension String {
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
