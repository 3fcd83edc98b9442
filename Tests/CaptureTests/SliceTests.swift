import LineProtocol
import DialectFiles
import DialectModel
import Testing

@testable import Capture

/// Captures that contain the packets of selected connections.
@Suite struct SliceTests {
    /// Two connections whose packets alternate. Alice's last line is the only QUIT.
    private static let two: (packets: [CapturedPacket], alice: [CapturedPacket]) = {
        var alice = ScriptedConnection()
        alice.open()
        alice.send("NICK alice\r\nUSER a 0 * :A\r\n")
        alice.send(":srv 001 alice :Welcome\r\n", fromClient: false)
        for _ in 0..<5 { alice.send("PRIVMSG #room :text\r\n") }
        alice.send("QUIT :bye\r\n")
        alice.close()
        var bob = ScriptedConnection(client: "10.0.0.3:50001")
        bob.time += 500_000
        bob.open()
        for _ in 0..<8 { bob.send("PING 1\r\n") }
        bob.close()
        let packets = (alice.packets + bob.packets).sorted { $0.time < $1.time }
        return (packets, alice.packets)
    }()

    private static func bytes(_ packets: [Slicing.Packet]) -> [[UInt8]] { packets.map(\.bytes) }

    @Test(arguments: Slicing.Passes.allCases)
    func aWholeConnectionIsSelectedByItsLastLine(passes: Slicing.Passes) throws {
        let capture = CaptureWriter.pcap(Self.two.packets)
        let slice = try Slicing(capture, passes) { $0.commands = ["quit"] }
        let packets = try slice.read()
        #expect(packets.map(\.bytes) == Self.two.alice.map(\.bytes))
        #expect(packets.map(\.time) == Self.two.alice.map(\.time))
        #expect(slice.packets == packets.count && slice.connections == 1)
        #expect(slice.incompleteConnections == 0)
    }

    @Test(arguments: Slicing.Passes.allCases)
    func eachFilterSelectsConnections(passes: Slicing.Passes) throws {
        let capture = CaptureWriter.pcap(Self.two.packets)
        let alice = Self.two.alice.map(\.bytes)
        func sliced(_ change: (inout ConversationSelection) -> Void) throws -> [[UInt8]] {
            Self.bytes(try Slicing(capture, passes, change).read())
        }
        #expect(try sliced { $0.operators = [Array("alice".utf8)] } == alice)
        #expect(try sliced { $0.connections = [1] } == alice)
        let bob = try sliced { $0.connections = [2] }
        #expect(bob.count == Self.two.packets.count - alice.count)
        #expect(try sliced { $0.to = .sinceStart(1_000_000) } == alice)
        #expect(try sliced { $0.from = .sinceStart(0) } == Self.two.packets.map(\.bytes))
        #expect(try sliced { $0.commands = ["away"] } == [])
        #expect(try sliced { $0.connections = [3] } == [])
    }

    @Test func withoutFiltersAllConnectionsAreSelected() throws {
        var udp = TCPPacket().ipv4
        udp[9] = 17
        var packets = Self.two.packets
        packets.insert(CapturedPacket(bytes: Wrapping.ethernet.wrap(udp)), at: 4)
        packets[0].originalCount = 900
        let slice = try Slicing(CaptureWriter.pcap(packets))
        packets.remove(at: 4)
        let read = try slice.read()
        #expect(read.map(\.bytes) == packets.map(\.bytes))
        #expect(read.map(\.originalCount) == packets.map { $0.originalCount ?? $0.bytes.count })
        #expect(read.allSatisfy { $0.linkType == .ethernet && $0.snapLength == 262_144 })
        #expect(slice.connections == 2)
    }

    @Test func portsThatAreNotSelectedAreLeftOut() throws {
        var other = ScriptedConnection(client: "10.0.0.4:50002", server: "10.0.0.2:4222")
        other.open()
        other.send("PING\r\n")
        var options = ReassemblyOptions()
        options.ports = [6667]
        let capture = CaptureWriter.pcap(other.packets + Self.two.packets)
        let slice = try Slicing(capture, options: options)
        #expect(Self.bytes(try slice.read()) == Self.two.packets.map(\.bytes))
    }

    /// Resets, reused ports, repeated SYNs, lost and reordered packets.
    private static func unusual(_ seed: UInt64) -> [CapturedPacket] {
        var numbers = SeededRandom(seed: seed)
        var packets: [CapturedPacket] = []
        for number in 0..<6 {
            var connection = ScriptedConnection(
                client: "10.0.0.\(1 + numbers.next(below: 2)):50000",
                clientNext: UInt32(1_000 + 100_000 * number))
            connection.time += Int64(numbers.next(below: 9)) * 700_000
            if numbers.next(below: 3) > 0 { connection.open() }
            for line in 0..<4 {
                connection.send("PING \(line)\r\n", isCaptured: numbers.next(below: 4) > 0)
                connection.send(":s PONG s \(line)\r\n", fromClient: false)
            }
            if numbers.next(below: 2) == 0 {
                connection.append(connection.packet(fromClient: false, "", [.rst]))
            } else {
                connection.close()
            }
            let again = connection.packets[numbers.next(below: connection.packets.count)]
            packets += connection.packets + [again]
        }
        packets.sort { $0.time < $1.time }
        for index in packets.indices.dropLast() where numbers.next(below: 6) == 0 {
            packets.swapAt(index, index + 1)
        }
        return packets
    }

    /// Every packet is in the slice of exactly one connection, whether the capture is read once or
    /// twice.
    @Test(arguments: 0..<12)
    func slicesOfSingleConnectionsDivideTheCapture(seed: UInt64) throws {
        let capture = CaptureWriter.pcap(Self.unusual(seed))
        let all = try Slicing(capture)
        var parts: [Slicing.Packet] = []
        for number in 1...all.connections {
            let known = try Slicing(capture) { $0.connections = [number] }
            let found = try Slicing(capture, .two) {
                $0.connections = [number]
                $0.from = .absolute(0)
            }
            #expect(try known.read() == found.read())
            #expect(known.connections == 1)
            parts += try known.read()
        }
        let whole = try all.read()
        #expect(parts.count == whole.count)
        for packet in whole {
            #expect(
                parts.filter { $0 == packet }.count == whole.filter { $0 == packet }.count)
        }
    }

    /// Whatever the bytes are, both ways select the same packets, and the slice can be read.
    @Test(arguments: 0..<10)
    func slicesOfDamagedCapturesAreCaptures(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        for original in [DamageTests.classic, DamageTests.blocks] {
            for _ in 0..<6 {
                var bytes = original
                for _ in 0...numbers.next(below: 12) {
                    bytes[numbers.next(below: bytes.count)] = UInt8(
                        truncatingIfNeeded: numbers.next())
                }
                let all = try Slicing(bytes)
                #expect(try all.read().count == all.packets)
                let slices = try Slicing.Passes.allCases.map {
                    try Slicing(bytes, $0) { $0.commands = ["privmsg", "quit"] }
                }
                #expect(slices[0].bytes == slices[1].bytes)
                #expect(try slices[0].read().count == slices[0].packets)
            }
        }
    }

    // MARK: Limits

    /// At the limit, and one byte past it.
    @Test(arguments: [0, 1])
    func packetsAreHeldUntilALineSelectsThemUpToALimit(missing: Int) throws {
        let packets = Self.two.packets
        let quit = try #require(
            packets.firstIndex { String(decoding: $0.bytes, as: UTF8.self).contains("QUIT") })
        let needed = packets[..<quit].reduce(0) {
            $0 + $1.bytes.count + HeldPackets.overheadBytes
        }
        let slice = try Slicing(
            CaptureWriter.pcap(packets), heldBytesMax: needed - missing, hasComments: false
        ) { $0.commands = ["quit"] }
        #expect(
            Self.bytes(try slice.read()) == Self.two.alice.dropFirst(missing).map(\.bytes))
        #expect(slice.incompleteConnections == missing)
    }

    @Test func connectionNumbersHaveAMaximum() {
        let largest = ConnectionNumbers.numberMax
        var numbers = ConnectionNumbers([3, 64, 3, largest, largest + 1, -1])
        #expect(numbers.count == 3)
        #expect([3, 64, largest].allSatisfy(numbers.contains))
        #expect(![2, 65, largest + 1, -1].contains(where: numbers.contains))
        numbers.insert(65)
        #expect(numbers.commonCount(ConnectionNumbers([65, 3, 4])) == 2)
        #expect(numbers.commonCount(ConnectionNumbers()) == 0)
    }

    @Test func aSectionHasAMaximumNumberOfInterfaces() throws {
        var writer = PcapngWriter()
        let count = PcapngWriter.interfacesMax + 1
        let packet: [UInt8] = [1, 2, 3]
        for number in 0..<count {
            let record = CaptureRecord(
                number: number, time: 5, start: 0, count: 3, originalCount: 3, linkType: .raw,
                interface: UInt32(number))
            writer.add(packet.span, record, CaptureInterface(linkType: .raw, snapLength: 0))
        }
        let read = try Slicing.packets(writer.bytes)
        #expect(read.count == count && read.allSatisfy { $0.bytes == packet && $0.time == 5 })
        let bytes = writer.bytes
        let sections = stride(from: 0, to: bytes.count, by: 4).filter {
            bytes[$0] == 0x0A && bytes[$0 + 1] == 0x0D && bytes[$0 + 2] == 0x0D
                && bytes[$0 + 3] == 0x0A
        }
        #expect(sections.count == 2)
    }

    @Test func nothingIsWrittenAfterAFailure() throws {
        var attempts = 0
        let collector = SliceCollector(.all) { _ in
            attempts += 1
            return false
        }
        let packets = Array(repeating: Self.two.packets, count: 400).flatMap(\.self)
        var decoder = CaptureDecoder(
            MemorySource(CaptureWriter.pcap(packets)), SilentSink(),
            BoundDialect(try DialectLibrary.find("irc").dialect), ReassemblyOptions())
        decoder.slice = collector
        try decoder.run()
        decoder.finish()
        #expect(attempts == 1)
    }

    // MARK: Packets

    @Test(arguments: Slicing.Passes.allCases)
    func fragmentsAreKeptWithTheirConnection(passes: Slicing.Passes) throws {
        var time: Int64 = 1_700_000_000_000_000_000
        func captured(_ bytes: [UInt8]) -> CapturedPacket {
            time += 1_000_000
            return CapturedPacket(bytes: bytes, time: time)
        }
        let long = TCPPacket(
            sequence: 1, payload: Array("NICK alice\r\nPRIVMSG #room :a long text\r\n".utf8))
        let other = TCPPacket(
            source: "10.0.0.3:50001", sequence: 1, payload: Array("PING one two three\r\n".utf8))
        let pieces = long.fragments(of: 24).map(captured)
        let others = other.fragments(of: 16, identification: 9).map(captured)
        let incomplete = captured(long.fragments(of: 24, identification: 8)[0])
        let whole = captured(
            TCPPacket(
                source: "10.0.0.3:50001", sequence: 21, payload: Array("PING 2\r\n".utf8)
            ).ipv4)
        #expect(pieces.count == 3 && others.count == 3)
        // The fragments arrive out of order, among those of the other connection.
        let capture = CaptureWriter.pcap(
            [pieces[2], others[0], incomplete, pieces[0], others[2], whole, others[1], pieces[1]],
            linkType: .raw)
        let slice = try Slicing(capture, passes) { $0.operators = [Array("alice".utf8)] }
        #expect(
            Self.bytes(try slice.read()) == [pieces[2], pieces[0], pieces[1]].map(\.bytes))
        let pings = try Slicing(capture, passes) { $0.commands = ["ping"] }
        #expect(
            Self.bytes(try pings.read()) == [others[0], others[2], whole, others[1]].map(\.bytes))
    }

    @Test func eachInterfaceOfTheCapturesIsDescribedOnce() throws {
        var writer = CaptureWriter()
        writer.section()
        writer.interface(.ethernet, resolution: 3, snapLength: 2_000)
        writer.interface(.linuxCooked, resolution: 9)
        let first = ScriptedConnection()
        let packet = first.packet(fromClient: true, "PING 1\r\n")
        for (wrapping, interface) in [(Wrapping.sll, 1), (.ethernet, 0), (.sll, 1)] {
            writer.packet(
                CapturedPacket(bytes: wrapping.wrap(packet.ipv4), interface: interface),
                units: UInt64(7 + interface))
        }
        let other = CaptureWriter.pcap(
            [CapturedPacket(bytes: packet.ipv4, time: 1_700_000_000_000_000_000)], linkType: .raw)
        let slice = try Slicing(writer.bytes + other)
        let read = try slice.read()
        #expect(read.map(\.linkType) == [.linuxCooked, .ethernet, .linuxCooked, .raw])
        #expect(read.map(\.interfaceName) == ["lo0", "lo0", "lo0", ""])
        #expect(read.map(\.snapLength) == [0, 2_000, 0, 262_144])
        #expect(read.map(\.time) == [8, 7_000_000, 8, 1_700_000_000_000_000_000])
        var reader = CaptureReader(MemorySource(slice.bytes))
        var interfaces: [UInt32] = []
        while let record = try reader.next() { interfaces.append(record.interface) }
        #expect(interfaces == [0, 1, 0, 2])
    }

    @Test func packetsWithoutATimeStayWithoutOne() throws {
        var writer = CaptureWriter()
        writer.section()
        writer.interface(.raw, snapLength: 60)
        writer.interface(.ethernet)
        let packet = ScriptedConnection().packet(fromClient: true, "PRIVMSG #room :123456\r\n")
        let cut = Array(packet.ipv4.prefix(60))
        func simple() {
            writer.block(3, writer.number(UInt64(packet.ipv4.count), 4) + cut)
        }
        for _ in 0..<2 {
            writer.packet(
                CapturedPacket(bytes: Wrapping.ethernet.wrap(packet.ipv4), interface: 1), units: 4)
            simple()
        }
        let slice = try Slicing(writer.bytes)
        #expect(try slice.read() == Slicing.packets(writer.bytes))
        #expect(try slice.read().map(\.time).filter { $0 == CaptureRecord.timeUnknown }.count == 2)
    }

    @Test func longNamesOfInterfacesAreCut() throws {
        var writer = PcapngWriter()
        let nothing: [UInt8] = []
        let longest = [UInt8](repeating: 0x61, count: CaptureInterface.nameBytesMax)
        for (number, name) in [longest, longest + [0x62]].enumerated() {
            var interface = CaptureInterface(linkType: .raw, snapLength: 0)
            interface.name = name
            let record = CaptureRecord(
                number: 1, time: 0, start: 0, count: 0, originalCount: 0, linkType: .raw,
                interface: UInt32(number))
            writer.add(nothing.span, record, interface)
        }
        let names = try Slicing.packets(writer.bytes).map(\.interfaceName)
        #expect(names == Array(repeating: String(decoding: longest, as: UTF8.self), count: 2))
    }
}
