import Testing

@testable import LineProtocol

/// Each limit is tested at its value and one above.
struct FramerLimitTests {
    static func xs(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test(arguments: [true, false])
    func ircLineIsLimitedTo512BytesWithTerminator(enforced: Bool) {
        for (terminator, count) in [("\r\n", 2), ("\n", 1)] {
            let full = Self.xs(512 - count)
            let atMost = read(
                full + terminator, Dialects.irc, .fromClient, enforcesLimits: enforced)
            #expect(atMost.map(\.issue) == [nil])
            #expect(atMost.map(\.line) == [bytes(full)])

            let over = read(
                full + "y" + terminator + "PING\r\n", Dialects.irc, .fromClient,
                enforcesLimits: enforced)
            #expect(over.map(\.issue) == [.lineOverLimit(excess: 1), nil])
            // An observer keeps the line as received; a server cuts it at the limit.
            #expect(over[0].line == bytes(enforced ? full : full + "y"))
        }
    }

    @Test(arguments: [true, false])
    func tagsHaveTheirOwnLimit(enforced: Bool) {
        // The marker and the space are included.
        let tags = "@a=" + Self.xs(4_096 - 4) + " "
        let line = Self.xs(510)
        let atMost = read(
            tags + line + "\r\n", Dialects.irc, .fromClient, enforcesLimits: enforced)
        #expect(atMost.map(\.issue) == [nil])

        let lineOver = read(
            tags + line + "y\r\n", Dialects.irc, .fromClient, enforcesLimits: enforced)
        #expect(lineOver.map(\.issue) == [.lineOverLimit(excess: 1)])
        #expect(lineOver[0].line == bytes(tags + line + (enforced ? "" : "y")))

        let tagsOver = read(
            "@b" + tags.dropFirst() + "PING\r\nPING\r\n", Dialects.irc, .fromClient,
            enforcesLimits: enforced)
        #expect(tagsOver.map(\.issue) == [.tagsOverLimit(excess: 1), nil])
        // Tags are never cut.
        #expect(tagsOver[0].line == bytes("@b" + tags.dropFirst() + "PING"))
    }

    @Test func tagLimitAppliesEvenIfTheLineFits() {
        var dialect = Dialects.irc
        dialect.framing.fromClient.limits = Framing.Limits(lineBytesMax: 512, tagBytesMax: 10)
        #expect(
            read("@a=1234567 PING\n@a=12345 PING\n", dialect, .fromClient).map(\.issue)
                == [.tagsOverLimit(excess: 1), nil])
    }

    @Test func withoutTheirOwnLimitTagsCountAsPartOfTheLine() {
        var dialect = Dialects.irc
        dialect.framing.fromClient.limits = Framing.Limits(lineBytesMax: 20)
        let frames = read("@a=12345678901234 PING\r\n", dialect, .fromClient, enforcesLimits: true)
        #expect(frames.map(\.issue) == [.lineOverLimit(excess: 4)])
    }

    @Test func terminatorCountsOnlyIfTheDialectSaysSo() {
        var dialect = Dialects.plain
        dialect.framing.fromClient.limits = Framing.Limits(lineBytesMax: 4, countsTerminator: false)
        let frames = read("abcd\r\nabcde\r\n", dialect, .fromClient)
        #expect(frames.map(\.issue) == [nil, .lineOverLimit(excess: 1)])
    }

    @Test func countedPayloadLimit() {
        let full = Self.xs(1_000)
        let frames = read(
            "PUB s 1000\r\n\(full)\r\nPUB s 1001\r\n\(full)y\r\nPING\r\n", Dialects.nats,
            .fromClient)
        #expect(
            frames.map(\.issue) == [nil, .payloadOverLimit(length: 1_001), nil])
        #expect(frames.map(\.payload) == [bytes(full), nil, nil])
        // The long payload was skipped, so the next line is in sync.
        #expect(frames.last?.command == "ping")
    }

    @Test(arguments: ["-1", "+1", "1x", "", "0x1", "1 ", "9999999999999999999"])
    func invalidPayloadLengthIsReportedAndNoPayloadRead(_ length: String) {
        let frames = read("set k 0 0 \(length)\r\nget x\r\n", Dialects.memcached, .fromClient)
        if length == "1 " {
            #expect(frames[0].issue == .payloadNotTerminated)
        } else {
            #expect(frames.map(\.issue) == [.payloadLengthInvalid, nil])
            #expect(frames.map(\.payload) == [nil, nil])
        }
    }

    @Test func payloadLengthMayHaveLeadingZeros() {
        let frames = read("PUB s 00000003\r\nabc\r\nPING\r\n", Dialects.nats, .fromClient)
        #expect(frames.map(\.payload) == [bytes("abc"), nil])
    }

    @Test func wrongPayloadLengthIsReported() {
        let frames = read("PUB s 2\r\nabc\r\n", Dialects.nats, .fromClient)
        #expect(frames[0].issue == .payloadNotTerminated)
        #expect(frames[0].payload == bytes("ab"))
    }

    @Test func blockIsCutAtItsLimitAndReadToItsEnd() {
        let full = Self.xs(1_998) + "\r\n"
        let frames = read(
            "DATA\r\n\(full).\r\nDATA\r\nz\(full).\r\nEHLO a\r\n", Dialects.smtp, .fromClient)
        #expect(frames.map(\.issue) == [nil, .payloadOverLimit(length: 2_001), nil])
        #expect(frames[0].payload == bytes(full))
        #expect(frames[1].payload == bytes("z" + full.prefix(1_998)) + [ASCII.cr])
        #expect(frames[2].command == "hello")
    }

    @Test func bodyWithoutALengthIsCutAtItsLimit() {
        let full = Self.xs(1_000)
        let frames = read(
            "SEND\n\n\(full)\0SEND\n\ny\(full)\0SEND\n\nz\0", Dialects.stomp, .fromClient)
        #expect(frames.map(\.issue) == [nil, .payloadOverLimit(length: 1_001), nil])
        #expect(frames.map(\.payload) == [bytes(full), bytes("y" + full.dropLast()), bytes("z")])
    }

    @Test(arguments: [true, false])
    func headHasTheLineLimit(enforced: Bool) {
        let head = "SEND\nx:" + Self.xs(493)
        let frames = read(
            "\(head)\n\nb\0\(head)y\n\nb\0SEND\n\nb\0", Dialects.stomp, .fromClient,
            enforcesLimits: enforced)
        #expect(frames.map(\.issue) == [nil, .lineOverLimit(excess: 1), nil])
        #expect(frames[1].line == bytes(enforced ? head : head + "y"))
        #expect(frames.map(\.payload) == [bytes("b"), bytes("b"), bytes("b")])
    }

    @Test(arguments: [true, false])
    func jsonLinesHaveTheLineLimit(enforced: Bool) {
        // Without the room, the line has 26 bytes with its LF, which counts.
        func line(_ count: Int) -> String {
            "{\"type\":\"join\",\"room\":\"\(Self.xs(count - 26))\"}\n"
        }
        let frames = read(
            line(4_096) + line(4_097) + line(40), Dialects.jsonl, .fromServer,
            enforcesLimits: enforced)
        #expect(frames.map(\.issue) == [nil, .lineOverLimit(excess: 1), nil])
        #expect(frames.map(\.command) == ["join", enforced ? nil : "join", "join"])
    }

    @Test(arguments: [true, false])
    func payloadsAfterACommandOfOneByteHaveThePayloadLimit(enforced: Bool) {
        func string(_ count: Int) -> String { "$\(count)\r\n\(Self.xs(count))\r\n" }
        let frames = read(
            string(1_000) + string(1_001) + "+OK\r\n", Dialects.counted, .fromServer,
            enforcesLimits: enforced)
        #expect(frames.first?.payload?.count == 1_000)
        #expect(frames.map(\.issue).prefix(2) == [nil, .payloadOverLimit(length: 1_001)])
        #expect(frames.last?.command == "simple")
    }

    @Test func frameAboveThePayloadLimitIsSkipped() {
        var dialect = Dialects.icb
        dialect.framing.fromServer.limits = Framing.Limits(lineBytesMax: 3, payloadBytesMax: 4)
        let stream: [UInt8] = [5, 1, 1, 1, 1, 1, 2, 98, 0, 4, 98, 1, 2, 0]
        let frames = readBytewise(stream, dialect, .fromServer)
        #expect(
            frames.map(\.issue) == [.payloadOverLimit(length: 5), nil, .lineOverLimit(excess: 1)])
        #expect(frames.map(\.line) == [[], [98], [98, 1, 2]])
    }

    @Test(arguments: Dialects.all, [true, false])
    func heldBytesAreBoundedWithoutTerminators(_ dialect: Dialect, enforced: Bool) {
        var dialect = dialect
        dialect.framing.fromClient.limits.lineBytesMax = 300
        dialect.framing.fromClient.limits.tagBytesMax = 100
        dialect.framing.fromClient.limits.payloadBytesMax = 200
        let openings = ["", "DATA\r\n", "B\r\n", "SEND\n\n", "SEND\n", "PUB s 200\r\n", "@"]
        for opening in openings where !(opening.isEmpty && dialect.name == "icb") {
            var reader = StreamReader(dialect, .fromClient, enforcesLimits: true)
            reader.append(bytes(opening))
            for _ in 0..<40 { reader.append([UInt8](repeating: 120, count: 1_000)) }
            #expect(reader.heldMost <= reader.framer.heldBytesMax)
            #expect(reader.framer.heldBytesMax <= 700)
            #expect(reader.framer.buffer.capacity < 10_000)
        }
    }

    @Test func observerHoldsAtMostOneMebibyteOfALine() {
        var reader = StreamReader(Dialects.irc, .fromServer)
        let chunk = [UInt8](repeating: 120, count: 300_000)
        for _ in 0..<10 { reader.append(chunk) }
        #expect(reader.framer.heldBytes <= LineFramer.observedLineBytesMax + 16)
        reader.append(bytes("\r\nPING\r\n"))
        #expect(reader.frames.map(\.issue) == [.lineOverLimit(excess: 3_000_002 - 512), nil])
        #expect(reader.frames[0].line.count == LineFramer.observedLineBytesMax)
    }

    @Test func bytesBeyondTheBufferLimitAreReported() {
        var reader = StreamReader(
            Dialects.plain, .fromServer, bufferBytesMax: 10)
        reader.append(bytes("ab\r\ncdefghij"))
        // Two bytes did not fit; the line before them did.
        #expect(reader.frames.map(\.issue) == [nil, .bufferOverLimit(refused: 2)])
        reader.append(bytes("kl\r\n"))
        #expect(reader.frames.map(\.line) == [bytes("ab"), [], bytes("kl")])
        var full = StreamReader(Dialects.plain, .fromServer, bufferBytesMax: 10)
        full.append(bytes("abcdefgh\r\n"))
        #expect(full.frames.map(\.issue) == [nil])
    }

    @Test func bufferOffsetsFitIntoFields() {
        #expect(LineFramer.bufferBytesMax < Int(Int32.max))
        var dialect = Dialects.nats
        dialect.framing.fromClient.limits = Framing.Limits(
            lineBytesMax: .max, tagBytesMax: .max, payloadBytesMax: .max)
        let framer = LineFramer(dialect, direction: .fromClient, enforcesLimits: true)
        #expect(framer.heldBytesMax <= LineFramer.bufferBytesMax)
        let frames = read("PUB s 4294967296\r\n", dialect, .fromClient)
        #expect(frames.map(\.issue) == [.payloadOverLimit(length: 4_294_967_296)])
    }
}
