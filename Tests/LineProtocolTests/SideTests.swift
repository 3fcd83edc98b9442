import Testing

@testable import LineProtocol

/// Dialects in which clients and servers write their lines differently.
struct SideTests {
    @Test func eachSideHasItsOwnFields() throws {
        let say = try encode("say", [.text("tea"), .text("Earl Grey?")], Dialects.mixed)
        #expect(say == bytes("SAY tea Earl Grey?\r\n"))
        let said = try encode(
            "said", [.text("tea"), .text("a\r\nb"), .int(7)], Dialects.mixed, .fromServer)
        #expect(said == bytes(#"{"type":"said","room":"tea","text":"a\r\nb","at":7}"# + "\r\n"))
        #expect(
            read([say], Dialects.mixed, .fromClient).map(\.values)
                == [[.text("tea"), .text("Earl Grey?")]])
        #expect(
            read([said], Dialects.mixed).map(\.values) == [
                [.text("tea"), .text("a\r\nb"), .int(7)]
            ]
        )
    }

    @Test func oneDecoderReadsBothSidesInTurn() {
        let decoder = MessageDecoder(Dialects.mixed)
        var message = Message()
        for _ in 0..<3 {
            decoder.decode(bytes("ping 5"), from: .fromClient, into: &message)
            #expect(message.command == 1)
            #expect(message.issues.isEmpty)
            decoder.decode(bytes(#"{"type":"pong","token":5}"#), from: .fromServer, into: &message)
            #expect(message.command == 3)
            #expect(message.issues.isEmpty)
        }
    }

    @Test func linesOfTheOtherSideAreUnknown() {
        #expect(decode(#"{"type":"said"}"#, Dialects.mixed, .fromClient).command == nil)
        #expect(decode("SAY tea x", Dialects.mixed, .fromServer).command == nil)
        // Only clients' commands ignore case.
        #expect(decode(#"{"type":"PONG","token":5}"#, Dialects.mixed).command == nil)
    }

    @Test func eachSideHasItsOwnEscaping() throws {
        let values: [ArgumentValue] = [.text("a|b,c"), .text("x\n%")]
        let client = try encode("say", values, Dialects.twoTongues)
        #expect(client == bytes("SAY|a\\|b,c|x\\n%\n"))
        let server = try encode("say", values, Dialects.twoTongues, .fromServer)
        #expect(server == bytes("SAY,a|b%2Cc,x%0A%25\n"))
        #expect(read([client], Dialects.twoTongues, .fromClient).map(\.values) == [values])
        #expect(read([server], Dialects.twoTongues).map(\.values) == [values])
    }

    @Test func splittersDivideTheLinesOfTheirSide() {
        let line = bytes("SAY|a,b")
        var split = SplitLine()
        for (direction, count) in [(Direction.fromClient, 1), (.fromServer, 1)] {
            let splitter = LineSplitter(Dialects.twoTongues, direction: direction)
            splitter.split(line.span, 0..<line.count, into: &split)
            #expect(split.fields.count == count)
            let verb = direction == .fromClient ? "SAY" : "SAY|a"
            #expect(Array(line[split.verb]) == bytes(verb))
        }
    }

    /// A server's blocks depend on commands that it finds with the client's separators.
    @Test func theOtherSidesCommandsAreFoundInItsOwnLines() {
        var dialect = Dialects.pop3
        dialect.syntax.fromClient.separators = [UInt8(ascii: "/")]
        var requests = LineFramer(dialect, direction: .fromClient)
        requests.append(bytes("RETR/1\r\nLIST/2\r\n"))
        var reader = StreamReader(dialect, .fromServer)
        while let frame = requests.next() {
            reader.framer.recordFromOtherSide(frame, in: requests.buffer.span)
        }
        let frames = reader.read([bytes("+OK 1\r\nx\r\n.\r\n+OK 2 9\r\n")])
        #expect(frames.map(\.payload) == [bytes("x\r\n"), nil])
    }

    @Test func aDecoderForEqualSidesIsShared() {
        var dialect = Dialects.irc
        #expect(dialect.syntax.isUniform && dialect.escaping.isUniform)
        dialect.syntax.fromServer.separators = [ASCII.tab]
        #expect(!dialect.syntax.isUniform)
        #expect(dialect.syntax[.fromClient].separators == [ASCII.space])
    }
}
