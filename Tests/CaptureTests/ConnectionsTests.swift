import DialectFiles
import DialectModel
import LineProtocol
import Testing

@testable import Capture

/// The table of connections.
@Suite struct ConnectionsTests {
    private func table(_ packets: [CapturedPacket]) throws -> [[Substring]] {
        let dialect = try DialectLibrary.find("irc").dialect
        var decoder = CaptureDecoder(
            MemorySource(CaptureWriter.pcap(packets)), ConnectionsSink(nil),
            BoundDialect(dialect), ReassemblyOptions())
        try decoder.run()
        decoder.finish()
        return decoder.sink.text.split(separator: "\n").dropFirst().map {
            $0.replacing("  ", with: "\t").split(separator: "\t").map {
                Substring($0.drop { $0 == " " })
            }
        }
    }

    @Test func showsWhatEachConnectionSentAndHowItEnded() throws {
        var first = ScriptedConnection()
        first.open()
        first.send("NICK alice\r\nUSER a 0 * :A\r\n")
        let again = first.packets[3]
        first.send(":srv 001 alice :Welcome\r\n", fromClient: false)
        first.packets.append(again)
        first.send("lost", isCaptured: false)
        first.close()
        var second = ScriptedConnection(client: "10.0.0.3:50001")
        second.open()
        second.send("PING 1\r\n")
        second.append(second.packet(fromClient: false))
        // The window of the last packet.
        let window = 14 + 20 + 14
        second.packets[second.packets.count - 1].bytes.replaceSubrange(
            window..<(window + 2), with: [0, 0])
        second.append(second.packet(fromClient: false, "", [.rst]))
        var third = ScriptedConnection(client: "10.0.0.4:50002")
        for _ in 0..<2 { third.append(third.packet(fromClient: true, "", [.syn])) }
        var fourth = ScriptedConnection(client: "10.0.0.5:50003")
        fourth.send("PING 1\r\nPING 2\r\n")
        fourth.finish(fromClient: true)
        let rows = try table(first.packets + second.packets + third.packets + fourth.packets)
        let server = "10.0.0.2:6667"
        #expect(
            rows == [
                [
                    "1", "alice", "10.0.0.1:50000", Substring(server), "2", "1", "31", "25",
                    "0.007", "2.000", "1", "0", "1", "4", "closed by the client",
                ],
                [
                    "2", "10.0.0.3:50001", Substring(server), "1", "0", "8", "0", "0.005",
                    "2.000", "0", "1", "0", "0", "reset by the server",
                ],
                [
                    "3", "10.0.0.4:50002", Substring(server), "0", "0", "0", "0", "0.001", "–",
                    "1", "0", "0", "0", "no answer",
                ],
                [
                    "4", "10.0.0.5:50003", Substring(server), "2", "0", "16", "0", "0.001", "–",
                    "0", "0", "0", "0", "half-closed by the client",
                ],
            ])
    }

    @Test func countsWhatFollowsAReset() throws {
        var connection = ScriptedConnection()
        connection.open()
        connection.send("NICK alice\r\n")
        let lost = connection.packet(fromClient: true, "lost\r\n")
        connection.move(6, true)
        connection.append(connection.packet(fromClient: false, "", [.rst, .ack]))
        connection.send("QUIT\r\n")
        let rows = try table(connection.packets)
        #expect(rows[0][4] == "2" && rows[0][12] == "1", "\(rows)")
        #expect(rows[0].last == "reset by the server")
        // The lost segment was captured after all.
        connection.append(lost, at: connection.packets.count - 1)
        let whole = try table(connection.packets)
        #expect(whole[0][4] == "3" && whole[0][12] == "0", "\(whole)")
    }

    @Test func countsEachOmittedConnectionOnce() {
        var sink = ConnectionsSink(nil)
        let packet = PacketInfo(number: 1, time: 0)
        let pool = BlockPool()
        for number in 1...(ConnectionsSink.rowsMax + 2) {
            let connection = CapturedConnection(
                number: number, client: IPEndpoint(), server: IPEndpoint(), vlans: 0, first: packet,
                pool)
            sink.opened(connection, packet)
            sink.ended(connection, .unanswered, packet)
        }
        #expect(sink.text.hasSuffix("\nand 2 more\n"))
    }
}

/// The lines as they were sent.
@Suite struct LinesWriterTests {
    @Test func eachRowIsALineWithItsPacket() throws {
        var connection = ScriptedConnection(server: "10.0.0.2:4222")
        connection.open()
        connection.send("INFO {}\r\n", fromClient: false)
        connection.send("CONNECT {\"pass\": \"hunter2\"}\r\nPUB\ta 3\r\nx")
        connection.send("\u{1B}\n\r\nFROB \u{202E}\r\nunfin")
        connection.close()
        let rows = [
            #"4 1 ← INFO {}"#, #"5 1 → CONNECT {\"pass\": \"***\"}"#, #"6 1 → PUB\ta 3 x\x1b\n"#,
            #"6 1 → FROB \xe2\x80\xae"#, #"6 1 → unfin"#,
        ]
        let masked = try Decoding.lines(connection.capture, "nats").text
        let columns = masked.split(separator: "\n").map {
            String($0.replacing("\t", with: " "))
        }
        #expect(columns == rows)
        let shown = try Decoding.lines(connection.capture, "nats", showsSecrets: true).text
        #expect(shown == masked.replacing("***", with: "hunter2"))
    }

    @Test func theRestOfAClientsLineIsMasked() throws {
        var connection = ScriptedConnection()
        connection.send("SS hunter2\r\nPING 1\r\n")
        let text = try Decoding.lines(connection.capture).text
        #expect(text == "1\t1\t→\t***\n1\t1\t→\tPING 1\n")
    }
}
