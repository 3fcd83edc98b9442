import DialectFiles
import DialectModel
import LineProtocol
import Testing

@testable import Capture

/// Which packets belong to a connection, which side is the server, and how connections are numbered.
@Suite struct RoleTests {
    // MARK: VLANs

    /// Wraps each packet in its direction's VLAN tag; nil for none.
    private func capture(_ clientTag: Int?, _ serverTag: Int?) -> [UInt8] {
        var connection = ScriptedConnection(wrapping: .raw)
        connection.open()
        connection.send("NICK alice\r\n")
        connection.send(":srv 001 alice :Welcome\r\n", fromClient: false)
        connection.close()
        let packets = connection.packets.map { packet in
            let tag = packet.bytes[15] == 1 ? clientTag : serverTag
            var packet = packet
            packet.bytes =
                [UInt8](repeating: 2, count: 12) + (tag.map { [0x81, 0] + big16($0) } ?? [])
                + [0x08, 0x00] + packet.bytes
            return packet
        }
        return CaptureWriter.pcap(packets)
    }

    private static let tags: [(Int?, Int?)] = [
        (0x6000, nil), (nil, 0xE000), (5, nil), (nil, 5), (0, 5), (5, 6),
    ]

    @Test(arguments: tags)
    func aVLANTagInOneDirectionDoesNotSplitAConnection(client: Int?, server: Int?) throws {
        let log = try Decoding.log(capture(client, server))
        #expect(log.counts.streams.connections == 1, "\(log.text)")
        #expect(log.lines.last == "#1 alice      · closed")
    }

    @Test func theSameAddressesInTwoVLANsAreTwoConnections() throws {
        var packets: [CapturedPacket] = []
        for vlan in [5, 6] {
            var connection = ScriptedConnection(wrapping: .raw)
            connection.open()
            connection.send("NICK user\(vlan)\r\n")
            connection.send(":srv 001 user\(vlan) :Welcome\r\n", fromClient: false)
            packets += connection.packets.map { packet in
                var packet = packet
                packet.bytes =
                    [UInt8](repeating: 2, count: 12) + [0x81, 0] + big16(vlan) + [0x08, 0x00]
                    + packet.bytes
                return packet
            }
        }
        packets.sort { $0.time < $1.time }
        let log = try Decoding.log(CaptureWriter.pcap(packets))
        #expect(log.counts.streams.connections == 2 && log.counts.streams.conflicts == 0)
        #expect(log.lines.count { $0.contains("welcome(") } == 2)
    }

    // MARK: Roles

    @Test(arguments: [true, false])
    func theContentShowsWhichSideIsTheServer(serverIsFirst: Bool) throws {
        var connection = ScriptedConnection(
            client: "10.0.0.1:40000", server: "10.0.0.2:44222")
        if serverIsFirst {
            connection.send(":bob!b@h PRIVMSG alice :hi\r\n", fromClient: false)
            connection.send("PRIVMSG bob :hello\r\n")
        } else {
            connection.send("JOIN #a,#b\r\nWHOIS bob\r\n")
            connection.send(":srv 318 alice bob :End\r\n", fromClient: false)
        }
        let log = try Decoding.log(connection.capture)
        #expect(
            log.lines.first?.hasSuffix("already open 10.0.0.1:40000 → 10.0.0.2:44222") == true,
            "\(log.lines)")
    }

    /// The first lines are valid from both sides.
    @Test(arguments: [1, 5], [true, false])
    func laterLinesShowWhichSideIsTheServer(pings: Int, isReset: Bool) throws {
        var connection = ScriptedConnection(
            client: "10.0.0.1:40000", server: "10.0.0.2:44222")
        for number in 1...pings {
            connection.send("PING \(number)\r\n", fromClient: false)
            connection.send("PONG \(number)\r\n")
        }
        let again = connection.packets[0]
        connection.send(":bob!b@h PRIVMSG alice :hi\r\n", fromClient: false)
        connection.packets.append(again)
        connection.send("PRIVMSG bob :lost\r\n", isCaptured: false)
        connection.send("PRIVMSG bob :hello\r\n")
        if isReset {
            connection.append(connection.packet(fromClient: false, "", [.rst, .ack]))
        } else {
            connection.close()
        }
        let log = try Decoding.log(connection.capture)
        #expect(
            log.lines.first?.hasSuffix("already open 10.0.0.1:40000 → 10.0.0.2:44222") == true,
            "\(log.text)")
        #expect(log.counts.streams.connections == 1 && log.counts.streams.gaps == 1)
        #expect(log.lines.count { $0.contains("← ping(") } == pings, "\(log.text)")
        #expect(log.lines.contains { $0.contains("← privmsg(source: \"bob!b@h\"") })
        #expect(log.lines.contains { $0.contains("→ privmsg(target: \"bob\", text: \"hello\")") })
        #expect(log.lines.last?.hasSuffix(isReset ? "reset by the server" : "closed") == true)
    }

    @Test func withoutEvidenceTheLowerPortIsTheServers() throws {
        var connection = ScriptedConnection(
            client: "10.0.0.1:40000", server: "10.0.0.2:44222")
        connection.send("PING 1\r\n", fromClient: false)
        let log = try Decoding.log(connection.capture)
        #expect(
            log.lines.first?.hasSuffix("already open 10.0.0.2:44222 → 10.0.0.1:40000") == true,
            "\(log.text)")
    }

    @Test func eventsOfUndecidedConnectionsAreNotHeldForever() throws {
        var connection = ScriptedConnection(
            client: "10.0.0.1:40000", server: "10.0.0.2:44222")
        for number in 0...HeldConversation.eventsMax { connection.send("PING \(number)\r\n") }
        let log = try Decoding.log(connection.capture)
        #expect(log.counts.conversation.lines == HeldConversation.eventsMax + 1)
        let first = log.lines.firstIndex { $0.contains("ping(token: \"0\"") }
        let last = log.lines.firstIndex { $0.contains("still open") }
        #expect(first == 1 && last == log.lines.count - 1, "\(log.text)")
    }

    @Test func theGivenPortIsTheServers() throws {
        // The client's port is the dialect's default port.
        var connection = ScriptedConnection(client: "10.0.0.1:6667", server: "10.0.0.2:44222")
        connection.send("PRIVMSG bob :hello\r\n")
        var set = DialectSet(try BoundDialect.find("irc"))
        set.ports = [44222: 0]
        var decoder = CaptureDecoder(
            MemorySource(connection.capture),
            LogWriter(CollectedText(), set.dialects[0].dialect, LogOptions()), set,
            ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        let text = String(decoding: decoder.sink.collected, as: UTF8.self)
        #expect(text.contains("already open 10.0.0.1:6667 → 10.0.0.2:44222"), "\(text)")
    }

    // MARK: Numbers

    @Test func selectingPortsDoesNotRenumberConnections() {
        var packets: [CapturedPacket] = []
        for (index, port) in [80, 6667, 80, 443, 6667].enumerated() {
            var connection = ScriptedConnection(
                client: "10.0.0.1:\(50_000 + index / 3)", server: "10.0.0.2:\(port)")
            connection.time += Int64(index) * 1_000_000_000
            connection.clientNext += UInt32(index) * 5000
            connection.serverNext += UInt32(index) * 5000
            if index != 3 { connection.open() }
            connection.send("a\n")
            connection.send("b\n", fromClient: false)
            connection.close()
            packets += connection.packets
        }
        let capture = CaptureWriter.pcap(packets)
        var options = ReassemblyOptions()
        let all = StreamReading(capture, options: options).log.lines
        options.ports = [6667]
        let some = StreamReading(capture, options: options)
        #expect(some.log.lines == all.filter { $0.hasPrefix("2") || $0.hasPrefix("5") })
        #expect(some.streams.connections == 2 && some.streams.otherPorts == [80, 443])
    }
}
