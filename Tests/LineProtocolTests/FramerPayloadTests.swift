import Testing

@testable import LineProtocol

/// Counted payloads, dot-terminated blocks and bodies.
struct FramerPayloadTests {
    @Test func payloadMayContainAnyBytes() {
        let payload = "a\r\nPING\r\n\0"
        let frames = read(
            "PUB s r \(payload.utf8.count)\r\n\(payload)\r\nPING\r\n", Dialects.nats, .fromClient)
        #expect(frames.map(\.payload) == [bytes(payload), nil])
        #expect(frames.map(\.command) == ["publish", "ping"])
        #expect(
            frames[0].values == [.text("s"), .text("r"), .int(10), .bytes(bytes(payload))])
    }

    @Test func emptyPayloadIsAPayload() {
        #expect(
            read("PUB s 0\r\n\r\nPING\r\n", Dialects.nats, .fromClient).map(\.payload) == [[], nil])
        #expect(
            read("NOT 0\r\nNOT 1\r\nxNOT 0\r\n", Dialects.msnp).map(\.payload) == [
                [], bytes("x"), [],
            ])
    }

    @Test func payloadRulesDependOnTheDirection() {
        #expect(read("NOT 1\r\nx", Dialects.msnp, .fromServer).map(\.payload) == [bytes("x")])
        #expect(read("NOT 1\r\nx\r\n", Dialects.msnp, .fromClient).map(\.payload) == [nil, nil])
    }

    @Test func payloadCommandMatchesInAnyCaseAndAfterSeparators() {
        let frames = read(" \tpub  s\t 1\r\nx\r\n", Dialects.nats, .fromClient)
        #expect(frames.map(\.payload) == [bytes("x")])
        #expect(frames.map(\.command) == ["publish"])
        #expect(read("SET k 0 0 1\r\n", Dialects.memcached, .fromClient).map(\.payload) == [nil])
    }

    @Test func payloadCommandMatchesAfterTagsAndSource() {
        var dialect = Dialects.irc
        dialect.framing.payloads = [
            Framing.PayloadRule(verb: bytes("FILE"), direction: .both, terminated: false)
        ]
        let frames = read("@a=b :n!u@h file x 3\r\nabcPING\r\n", dialect, .fromServer)
        #expect(frames.map(\.payload) == [bytes("abc"), nil])
    }

    @Test func lengthFieldMayBeInTheMiddle() {
        let frames = read(
            "set k 5 7 3 noreply\r\nabc\r\nset k 5 7\r\n", Dialects.memcached, .fromClient)
        #expect(frames.map(\.payload) == [bytes("abc"), nil])
        #expect(frames.map(\.issue) == [nil, .payloadLengthInvalid])
        #expect(
            frames[0].values
                == [
                    .text("k"), .int(5), .int(7), .int(3), .text("noreply"), .bytes(bytes("abc")),
                ])
    }

    @Test func payloadCutByTheEndOfTheStreamIsReported() {
        let frames = read("PUB s 5\r\nab", Dialects.nats, .fromClient)
        #expect(frames.map(\.issue) == [.unterminated])
        #expect(frames.map(\.payload) == [bytes("ab")])
        // Half a terminator is not part of the payload.
        let half = read("PUB s 2\r\nab\r", Dialects.nats, .fromClient)
        #expect(half.map(\.payload) == [bytes("ab")])
    }

    @Test func blockEndsAtALineWithASingleDot() {
        let frames = read(
            "DATA\r\na\r\n..b\r\n.c\r\n.\r\nEHLO x\r\n", Dialects.smtp, .fromClient)
        #expect(frames.map(\.payload) == [bytes("a\r\n..b\r\n.c\r\n"), nil])
        #expect(frames.map(\.payloadIsBlock) == [true, false])
        #expect(frames[0].values == [.bytes(bytes("a\r\n.b\r\nc\r\n"))])
    }

    @Test func bareLineFeedDoesNotEndABlockIfOnlyCRLFIsAccepted() {
        // Used for SMTP smuggling: RFC 5321 §4.1.1.4.
        let smuggled = "DATA\r\na\n.\nMAIL\r\n.\r\n"
        #expect(
            read(smuggled, Dialects.smtp, .fromClient).map(\.payload) == [bytes("a\n.\nMAIL\r\n")])
        #expect(
            read("220 1 a b\na\n.\n200 x\n", Dialects.nntp).map(\.payload) == [bytes("a\n"), nil])
    }

    @Test func emptyBlockIsABlock() {
        #expect(read("DATA\r\n.\r\n", Dialects.smtp, .fromClient).map(\.payload) == [[]])
    }

    @Test func blockCutByTheEndOfTheStreamIsReported() {
        let frames = read("DATA\r\nab\r\n.", Dialects.smtp, .fromClient)
        #expect(frames.map(\.issue) == [.unterminated])
        #expect(frames.map(\.payload) == [bytes("ab\r\n.")])
    }

    @Test func lineFeedAfterACarriageReturnIsNotPartOfThePayload() {
        let frames = read("P,2\r\nab\r\nP,1\rx\rP,0\r\n\r\nend\r", Dialects.doubled)
        #expect(frames.map(\.payload) == [bytes("ab"), bytes("x"), [], nil])
        #expect(frames.map(\.issue) == [nil, nil, nil, nil])
        let block = read("B\r\na\r\n.\r\nB\r\n.\r\nend\r", Dialects.doubled)
        #expect(block.map(\.payload) == [bytes("a\r\n"), [], nil])
    }

    @Test func headerFramesEndAtNULOrByLength() {
        let frames = read(
            "SEND\ndestination:/a\n\nbody\0\n\n\r\nSEND\r\ncontent-length:5\r\n\r\na\0b\n\n\0CONNECT\n\n\0",
            Dialects.stomp, .fromClient)
        #expect(frames.map(\.payload) == [bytes("body"), bytes("a\0b\n\n"), []])
        #expect(frames.map(\.command) == ["send", "send", "connect"])
        #expect(frames[0].values == [.text("/a"), .absent, .bytes(bytes("body"))])
    }

    @Test func heartbeatsAreNotFrames() {
        #expect(read("\n\r\n\n", Dialects.stomp, .fromClient).isEmpty)
    }

    @Test func headerFrameCutByTheEndOfTheStreamIsReported() {
        let head = read("SEND\na:b", Dialects.stomp, .fromClient)
        #expect(head.map(\.line) == [bytes("SEND\na:b")])
        #expect(head.map(\.issue) == [.unterminated])
        let body = read("SEND\na:b\n\nxy", Dialects.stomp, .fromClient)
        #expect(body.map(\.line) == [bytes("SEND\na:b")])
        #expect(body.map(\.payload) == [bytes("xy")])
    }

    @Test func bodyLongerThanItsLengthIsReported() {
        let frames = read("SEND\ncontent-length:1\n\nxy\0", Dialects.stomp, .fromClient)
        #expect(frames.first?.issue == .payloadNotTerminated)
        #expect(frames.first?.payload == bytes("x"))
    }

    @Test func lengthPrefixedFramesMayContainAnyBytes() {
        let frames = read(
            [[6, 98, 109, 1, 10, 13, 0, 2, 108, 0, 1, 108, 0]], Dialects.icb, .fromServer)
        #expect(frames.map(\.line) == [[98, 109, 1, 10, 13], [108], [108], []])
        #expect(frames[0].values == [.text("m"), .text("\n\r")])
    }

    @Test(arguments: [1, 2, 4], [true, false])
    func lengthPrefixesOfAllWidthsRoundTrip(width: Int, countsItself: Bool) throws {
        var dialect = Dialects.icb
        dialect.framing.unit = .lengthPrefix(
            Framing.LengthPrefix(width: width, countsItself: countsItself))
        for count in [0, 1, 200] {
            var stream: [UInt8] = []
            let line = [UInt8](repeating: 108, count: count)
            try FrameWriter(dialect, direction: .fromServer).append(line: line, to: &stream)
            #expect(stream.count == count + width)
            #expect(readBytewise(stream, dialect, .fromServer).map(\.line) == [line])
        }
        // A length that includes itself but is shorter than itself means an empty frame.
        let zero = read([[UInt8](repeating: 0, count: width)], dialect)
        #expect(zero.map(\.line) == [[]])
    }
}
