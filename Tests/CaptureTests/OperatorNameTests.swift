import Testing

@testable import Capture

/// The names of operators.
@Suite struct OperatorNameTests {
    private func connection(_ name: String = "alice", port: Int = 50_000) -> ScriptedConnection {
        var connection = ScriptedConnection(client: "10.0.0.1:\(port)")
        connection.open()
        connection.send("NICK \(name)\r\nUSER \(name) 0 * :A\r\n")
        return connection
    }

    @Test func aRefusedNameIsNotTheOperators() throws {
        var first = connection("taken")
        first.send(":srv 433 * taken :Nickname is already in use\r\n", fromClient: false)
        first.send("PING 1\r\nNICK alice\r\n")
        first.send(":srv 001 alice :Welcome\r\n", fromClient: false)
        let lines = try Decoding.log(first.capture).lines.dropLast()
        #expect(
            lines.suffix(3) == [
                "#1            → ping(token: \"1\")",
                "#1 alice      → nick(nickname: \"alice\")",
                "#1 alice      ← welcome(source: \"srv\", client: \"alice\", text: \"Welcome\")",
            ])
    }

    @Test func aRefusedNewNameLeavesTheOldOne() throws {
        var alice = connection()
        alice.send(":srv 001 alice :Welcome\r\n", fromClient: false)
        alice.send("NICK bob\r\n")
        alice.send(":srv PONG srv 1\r\n", fromClient: false)
        alice.send(":srv 433 alice bob :Nickname is already in use\r\n", fromClient: false)
        alice.send("PING 1\r\n")
        #expect(
            try Decoding.log(alice.capture).lines.dropLast().last
                == "#1 alice      → ping(token: \"1\")")
    }

    @Test func theSameRefusalIsAppliedToEachConnection() throws {
        var packets: [CapturedPacket] = []
        for port in [50_000, 50_001] {
            var client = connection("taken", port: port)
            client.send(":srv 433 * taken :Nickname is already in use\r\n", fromClient: false)
            client.send("PING 1\r\n")
            packets += client.packets
        }
        let lines = try Decoding.log(CaptureWriter.pcap(packets)).lines
        #expect(lines.contains("#1            → ping(token: \"1\")"), "\(lines)")
        #expect(lines.contains("#2            → ping(token: \"1\")"))
    }

    @Test func aNameGivenByTheServerIsFollowed() throws {
        var packets: [CapturedPacket] = []
        for (name, port) in [("bob", 50_001), ("alice", 50_000)] {
            var client = connection(name, port: port)
            client.send(":srv 001 \(name) :Welcome\r\n", fromClient: false)
            client.send(":alice!a@h NICK Guest1\r\n", fromClient: false)
            client.send("PING 1\r\n")
            packets += client.packets
        }
        let lines = try Decoding.log(CaptureWriter.pcap(packets)).lines
        #expect(lines.contains("#1 bob        → ping(token: \"1\")"), "\(lines)")
        #expect(lines.contains("#2 Guest1     → ping(token: \"1\")"), "\(lines)")
    }

    @Test func linesOfBothDirectionsHaveTheNewNameInJSON() throws {
        var alice = connection()
        alice.send(":srv 001 alice :Welcome\r\nPING 1\r\n", fromClient: false)
        alice.send("PONG 1\r\n")
        alice.send(":alice!a@h NICK Guest1\r\nPING 2\r\n", fromClient: false)
        alice.send("PONG 2\r\n")
        let json = try Decoding.json(alice.capture)
        let lines = json.text.split(separator: "\n").filter {
            $0.contains("\"command\":\"ping\"") || $0.contains("\"command\":\"pong\"")
        }
        #expect(
            lines.map { $0.contains("\"operator\":\"alice\"") } == [true, true, false, false],
            "\(lines)")
        #expect(lines.suffix(2).allSatisfy { $0.contains("\"operator\":\"Guest1\"") })
        #expect(lines.map { $0.contains("\"from\":\"server\"") } == [true, false, true, false])
    }
}
