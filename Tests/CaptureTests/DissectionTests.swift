import Testing

@testable import Capture

@Suite struct DissectionTests {
    private func streams(_ packets: [CapturedPacket], _ type: LinkType) -> StreamReading {
        StreamReading(CaptureWriter.pcap(packets, linkType: type))
    }

    @Test(arguments: Wrapping.allCases)
    func decodesEveryLinkType(wrapping: Wrapping) {
        var connection = ScriptedConnection(wrapping: wrapping)
        connection.open()
        connection.send("NICK a\r\n")
        connection.send("PING\r\n", fromClient: false)
        connection.close()
        let reading = StreamReading(connection.capture)
        #expect(reading.log.streams == ["1>": "NICK a\r\n", "1<": "PING\r\n"])
        #expect(reading.log.lines.last == "1 closed")
        #expect(reading.packets.malformed == 0)
    }

    /// IPv6 extension headers: hop-by-hop, routing, destination options, atomic fragment (8 bytes each), and
    /// authentication (12 bytes).
    static let extensions: [(first: UInt8, headers: [UInt8])] = [
        (6, []), (0, [60, 0, 1, 4, 0, 0, 0, 0, 6, 0, 1, 4, 0, 0, 0, 0]),
        (43, [6, 0, 0, 0, 0, 0, 0, 0]), (44, [6, 0, 0, 0, 0, 0, 0, 9]),
        (51, [6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        (0, [6, 1] + [UInt8](repeating: 0, count: 14)),
    ]

    @Test(arguments: extensions.indices, [Wrapping.ethernet, .raw, .loop, .sll2, .ipInIP, .geneve])
    func skipsIPv6ExtensionHeaders(index: Int, wrapping: Wrapping) {
        let (first, headers) = Self.extensions[index]
        let packet = TCPPacket(sequence: 5, flags: [.ack], payload: Array("HELLO\n".utf8))
        let captured = CapturedPacket(bytes: wrapping.wrap(packet.ipv6(headers, first: first)))
        let reading = streams([captured], wrapping.linkType)
        #expect(reading.log.streams == ["1>": "HELLO\n"])
        #expect(reading.log.lines.first == "1 opened by [2001:db8::a00:1]:50000")
    }

    @Test func equalAddressesInDifferentVirtualNetworksAreDifferentConnections() {
        let packets = [1, 2].map { network in
            let packet = TCPPacket(sequence: 5, payload: Array("\(network)".utf8))
            let udp = Wrapping.vxlan(UInt8(network), packet.ipv4)
            return CapturedPacket(bytes: Wrapping.outer(17, udp))
        }
        #expect(streams(packets, .raw).log.streams == ["1>": "1", "2>": "2"])
    }

    @Test func innerFragmentsAreReassembled() {
        let packet = TCPPacket(sequence: 5, payload: Array("one two three four five\n".utf8))
        let packets = packet.fragments(of: 16).map {
            CapturedPacket(bytes: Wrapping.vxlan.wrap($0))
        }
        let reading = streams(packets, .ethernet)
        #expect(reading.log.streams == ["1>": "one two three four five\n"])
        #expect(reading.packets.reassembled == 1)
    }

    @Test func countsTunnelledPacketsThatCannotBeDecoded() {
        let ip = TCPPacket(sequence: 5, payload: [0x41]).ipv4
        var fragment = Wrapping.ipInIP.wrap(ip)
        fragment[6] = 0x20
        var invalid = Wrapping.outer(17, Wrapping.vxlan(1, ip))
        invalid[28] = 0
        let pptp = Wrapping.outer(47, [0x30, 0x81, 0x88, 0x0B] + ip)
        let deep = (0..<5).reduce(ip) { inner, _ in Wrapping.outer(4, inner) }
        let packets = [fragment, invalid, pptp, deep, Wrapping.outer(47, [0])]
        let reading = streams(packets.map { CapturedPacket(bytes: $0) }, .raw)
        #expect(reading.log.streams.isEmpty)
        #expect(reading.packets.tunnelled.count == 5)
        #expect(reading.packets.tunnelled.names == ["IP in IP", "GRE", "VXLAN or Geneve"])
        #expect(reading.packets.malformed == 0)
    }

    @Test func headersInTunnelsMayBeCutOffAnywhere() {
        for wrapping in Wrapping.allCases {
            let whole = wrapping.wrap(TCPPacket(sequence: 5, payload: [0x41]).ipv4)
            for count in 0..<whole.count {
                let packet = CapturedPacket(
                    bytes: Array(whole[..<count]), originalCount: whole.count)
                let reading = streams([packet], wrapping.linkType)
                #expect(reading.packets.packets == 1)
                // The data is missing, was cut off, or only padding was.
                #expect(["", "<1>", "A"].contains(reading.log.streams["1>"] ?? ""))
            }
        }
    }

    @Test func ignoresFramePadding() {
        let packet = TCPPacket(sequence: 5, payload: [0x41])
        let frame = Wrapping.ethernet.wrap(packet.ipv4) + [0x58, 0x58]
        #expect(streams([CapturedPacket(bytes: frame)], .ethernet).log.streams == ["1>": "A"])
    }

    @Test func zeroTotalLengthMeansTheWholeFrame() {
        let packet = TCPPacket(
            sequence: 5, payload: [UInt8](repeating: 0x41, count: 3000), ipLength: 0)
        let frame = Wrapping.ethernet.wrap(packet.ipv4)
        let reading = streams([CapturedPacket(bytes: frame)], .ethernet)
        #expect(reading.log.streams["1>"]?.count == 3000)
    }

    @Test func reassemblesFragmentsInAnyOrder() {
        let packet = TCPPacket(sequence: 5, payload: Array("one two three four five\n".utf8))
        let pieces = packet.fragments(of: 16)
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 1, 0, 2]] {
            let packets = order.map { CapturedPacket(bytes: Wrapping.ethernet.wrap(pieces[$0])) }
            let reading = streams(packets, .ethernet)
            #expect(reading.log.streams == ["1>": "one two three four five\n"])
            #expect(reading.packets.reassembled == 1)
        }
    }

    @Test func countsAndLimitsIncompleteFragments() {
        var dissector = PacketDissector()
        for number in 0..<(FragmentTable.packetsMax + 10) {
            let packet = TCPPacket(sequence: 5, payload: [UInt8](repeating: 0x41, count: 64))
            let piece = packet.fragments(of: 32, identification: number)[0]
            let record = CaptureRecord(
                number: number + 1, time: 0, start: 0, count: piece.count,
                originalCount: piece.count, linkType: .raw)
            #expect(dissector.dissect(piece.span, record) == .nothing)
        }
        #expect(dissector.counts.droppedFragments == 10)
        dissector.fragments.finish(&dissector.counts.droppedFragments)
        #expect(dissector.counts.droppedFragments == FragmentTable.packetsMax + 10)
    }

    @Test func countsAndSkipsOtherPackets() {
        var udp = TCPPacket().ipv4
        udp[9] = 17
        let packets = [udp, [0x45], [0x75] + [UInt8](repeating: 0, count: 40), []].map {
            CapturedPacket(bytes: $0)
        }
        let reading = streams(packets, .raw)
        #expect(reading.packets.notTCP == 1)
        #expect(reading.packets.malformed == 3)
        #expect(streams(packets, LinkType(147)).packets.unknownLinkType == 4)
    }

    @Test
    func formatsAddresses() {
        #expect(IPAddress(ipv4: 0x0A00_0001).text == "10.0.0.1")
        #expect(IPAddress(high: 0x2001_0DB8 << 32, low: 1).text == "2001:db8::1")
        #expect(IPAddress(high: 0, low: 1).text == "::1")
        #expect(IPAddress(high: 0, low: 0).text == "::")
        #expect(
            IPAddress(high: 0x0001_0002_0000_0004, low: 0x0005_0006_0007_0008).text
                == "1:2:0:4:5:6:7:8")
        #expect(IPEndpoint(address: IPAddress(high: 1, low: 0), port: 9).text == "[0:0:0:1::]:9")
    }
}
