import Testing

@testable import Capture

/// Ends of connections, and what is captured around them.
@Suite struct EndingTests {
    private func opened() -> ScriptedConnection {
        var connection = ScriptedConnection()
        connection.open()
        return connection
    }

    // MARK: Resets

    @Test func linesAfterAResetAreShownMarkedAndCounted() throws {
        var connection = opened()
        connection.append(connection.packet(fromClient: false, "", [.rst]))
        connection.send("QUIT :bye\r\n")
        let log = try Decoding.log(connection.capture)
        #expect(
            log.lines.suffix(2) == [
                "#1            · reset by the server",
                "#1            → quit(reason: \"bye\")  ~ after the reset",
            ])
        #expect(log.counts.conversation.afterReset == 1)
        #expect(log.counts.streams.ignored == 0)
        let json = try Decoding.json(connection.capture).text
        #expect(json.contains(#""line":"QUIT :bye","afterReset":true}"#), "\(json)")
        #expect(json.contains(#""connection":1,"reason":"reset","from":"server"}"#), "\(json)")
    }

    @Test func dataCapturedAfterTheResetThatFollowsItIsShown() throws {
        var connection = opened()
        let error = connection.packet(fromClient: false, "ERROR :Closing link\r\n")
        connection.move(21, false)
        connection.append(connection.packet(fromClient: false, "", [.rst]))
        connection.append(error)
        let log = try Decoding.log(connection.capture)
        let last = "#1            ← error(reason: \"Closing link\")  ~ after the reset"
        #expect(log.lines.last == last, "\(log.lines)")
    }

    @Test func theRestOfALineThatAResetInterruptedIsNotALine() throws {
        var connection = opened()
        connection.send("PRIVMSG #a :one PRIVMSG #b ")
        connection.append(connection.packet(fromClient: false, "", [.rst]))
        connection.send("QUIT\r\nQUIT\r\n")
        let log = try Decoding.log(connection.capture)
        let notes = "~ the start may be missing  ~ after the reset"
        #expect(log.lines.contains { $0.hasSuffix(notes) }, "\(log.lines)")
    }

    @Test(arguments: [true, false])
    func aLineThatAResetInterruptedPrecedesTheReset(fromClient: Bool) throws {
        var connection = opened()
        connection.send("PING 1", fromClient: fromClient)
        connection.append(connection.packet(fromClient: false, "", [.rst]))
        let log = try Decoding.log(connection.capture)
        #expect(log.text.contains("! unterminated") && !log.text.contains("after the reset"))
        #expect(log.counts.conversation.afterReset == 0)
    }

    @Test func aHoleAfterAResetIsReportedAtTheEnd() throws {
        var connection = opened()
        connection.append(connection.packet(fromClient: false, "", [.rst]))
        connection.send("PING 1\r\n", isCaptured: false)
        connection.send("PING 2\r\n")
        let log = try Decoding.log(connection.capture)
        let gap = "#1            · 8 bytes from the client not captured"
        #expect(log.lines.contains(gap), "\(log.lines)")
        #expect(log.lines.last?.contains("ping(token: \"2\")") == true)
    }

    @Test func theDataInAResetIsNotPartOfTheStream() throws {
        var connection = opened()
        connection.send("PING 1\r\n")
        connection.append(
            connection.packet(fromClient: false, "No such process\r\n", [.rst, .ack]))
        let log = try Decoding.log(connection.capture)
        #expect(log.lines.last == "#1            · reset by the server")
        #expect(!log.text.contains("No such process"))
        #expect(log.counts.streams.ignored == 1)
    }

    @Test(arguments: [(true, "client"), (false, "server")])
    func theLogSaysWhoResetTheConnection(fromClient: Bool, side: String) throws {
        var connection = opened()
        connection.append(connection.packet(fromClient: fromClient, "", [.rst]))
        let last = try Decoding.log(connection.capture).lines.last
        #expect(last == "#1            · reset by the \(side)")
    }

    // MARK: FINs

    @Test(arguments: [false, true])
    func aFINCapturedBeforeItsDataIsAppliedAfterIt(isRepeated: Bool) throws {
        var connection = opened()
        let data = connection.packet(fromClient: true, "QUIT\r\n")
        connection.move(6, true)
        let fin = connection.packet(fromClient: true, "", [.fin, .ack])
        connection.append(fin)
        connection.append(data)
        if isRepeated { connection.append(fin) }
        connection.move(1, true)
        connection.finish(fromClient: false)
        let lines = StreamReading(connection.capture).log.lines
        #expect(
            lines == [
                "1 opened by 10.0.0.1:50000", "1> QUIT\r\n", "1> fin", "1< fin", "1 closed",
            ])
    }

    @Test func aFINBeforeTwoSegmentsInReverseOrderIsApplied() throws {
        var connection = opened()
        let first = connection.packet(fromClient: true, "PING 1\r\n")
        connection.move(8, true)
        let second = connection.packet(fromClient: true, "QUIT\r\n")
        connection.move(6, true)
        connection.finish(fromClient: true)
        connection.append(second)
        connection.append(first)
        let lines = StreamReading(connection.capture).log.lines
        #expect(lines.suffix(4) == ["1> PING 1\r\n", "1> QUIT\r\n", "1> fin", "1 captureEnd"])
    }

    // MARK: Attempts

    @Test func anUnansweredSYNIsNotAnOpenConnection() throws {
        var connection = ScriptedConnection()
        for _ in 0..<3 { connection.append(connection.packet(fromClient: true, "", [.syn])) }
        let lines = try Decoding.log(connection.capture).lines
        #expect(
            lines == [
                "#1            · connecting 10.0.0.1:50000 → 10.0.0.2:6667",
                "#1            · no answer",
            ])
        let json = try Decoding.json(connection.capture).text
        #expect(json.contains(#""accepted":false}"#), "\(json)")
        #expect(json.contains(#""reason":"unanswered"}"#))
    }

    @Test func aRefusedConnectionSaysSo() throws {
        var connection = ScriptedConnection()
        connection.append(connection.packet(fromClient: true, "", [.syn]))
        connection.move(1, true)
        connection.append(connection.packet(fromClient: false, "", [.rst, .ack]))
        #expect(
            try Decoding.log(connection.capture).lines == [
                "#1            · connecting 10.0.0.1:50000 → 10.0.0.2:6667",
                "#1            · refused by the server",
            ])
    }

    // MARK: Unfinished lines

    private let day = "2023-11-14"

    @Test func anUnfinishedLineHasTheTimeOfItsLastByte() throws {
        var connection = opened()
        connection.send("PRIVMSG #a :half a")
        connection.send(" line")
        connection.time += 86_400_000_000_000 * 365
        connection.append(connection.packet(fromClient: false, "", [.rst]))
        let json = try Decoding.json(connection.capture).text
        #expect(json.contains(#""event":"line","time":"\#(day)T22:13:20.004000000Z","packet":5,"#))
    }

    @Test func aLineBeforeAHoleHasTheTimeOfItsLastByte() throws {
        var connection = opened()
        connection.send("PRIVMSG #a :half")
        connection.send("lost", isCaptured: false)
        connection.send("end\r\n")
        connection.time += 86_400_000_000_000
        connection.acknowledge()
        connection.acknowledge()
        let json = try Decoding.json(connection.capture).text
        #expect(json.contains(#""event":"line","time":"\#(day)T22:13:20.003000000Z","packet":4,"#))
    }
}
