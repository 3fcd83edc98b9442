import Testing

@testable import LineProtocol

struct FrameWriterTests {
    static let terminators: [Terminator] = [.lf, .crlf, .cr, .nul, .lfcr, .crnul]

    /// Every set of accepted terminators, combined with each terminator that can be sent.
    static let sides: [Framing.Side] = (1..<64).flatMap { set in
        let accepted = terminators.indices.filter { set >> $0 & 1 == 1 }.map { terminators[$0] }
        return accepted.map { Framing.Side(terminator: $0, accepted: accepted) }
    }

    static func dialect(_ side: Framing.Side) -> Dialect {
        Dialect(
            name: "test",
            framing: Framing(
                fromClient: side, fromServer: side, emptyLines: .message,
                payloads: [Framing.PayloadRule(verb: [80], direction: .both, terminated: true)],
                blocks: [Framing.BlockRule(verb: [66], direction: .both)]),
            syntax: FieldSyntax(), escaping: Escaping(field: .none(forbidden: [])))
    }

    @Test func lineIsRefusedExactlyIfItDoesNotRoundTrip() {
        let lines = words(over: [ASCII.cr, ASCII.lf, ASCII.nul, 97], lengthMax: 3) + [[]]
        for side in Self.sides {
            let dialect = Self.dialect(side)
            let writer = FrameWriter(dialect, direction: .fromServer)
            let fresh = StreamReader(dialect, .fromServer)
            for line in lines {
                // Twice, because a line may also change the end of the previous one.
                let sent = line + side.terminator.bytes
                let read = fresh.read([sent + sent + bytes("z") + side.terminator.bytes])
                let isReadBack = read.map(\.line) == [line, line, bytes("z")]
                var stream: [UInt8] = []
                do {
                    try writer.append(line: line, to: &stream)
                    #expect(isReadBack, "\(side.accepted.map(\.name)) \(line)")
                    #expect(stream == sent)
                } catch {
                    #expect(!isReadBack, "\(side.accepted.map(\.name)) \(line) \(error)")
                    #expect(stream.isEmpty)
                }
            }
        }
    }

    /// Returns true if the last byte of a terminator can start another one, so that the end of a
    /// line is ambiguous. No real protocol does this.
    static func hasOverlap(_ side: Framing.Side) -> Bool {
        side.accepted.contains { one in
            one.first != nil && side.accepted.contains { $0.first == one.last }
        }
    }

    @Test func blockRoundTripsOrIsRefused() throws {
        let blocks = words(over: [ASCII.cr, ASCII.lf, ASCII.dot, ASCII.nul], lengthMax: 4) + [[]]
        for side in Self.sides where !Self.hasOverlap(side) {
            let dialect = Self.dialect(side)
            let writer = FrameWriter(dialect, direction: .fromServer)
            let fresh = StreamReader(dialect, .fromServer)
            let ends = LineEnds(side.accepted)
            for block in blocks {
                var stream: [UInt8] = []
                do {
                    try writer.append(line: [66], payload: block, kind: .block, to: &stream)
                    try writer.append(line: [97], to: &stream)
                } catch FramingError.payloadCompletesTerminator {
                    continue
                }
                let frames = fresh.read([stream])
                var text: [UInt8] = []
                let payload = frames.first?.payload ?? []
                DotStuffing.unstuff(payload.span, 0..<payload.count, ends: ends, into: &text)
                // Blocks get a final terminator if they have none.
                let whole = text == block || text == block + side.terminator.bytes
                #expect(whole, "\(side.accepted.map(\.name)), \(side.terminator.name): \(block)")
                #expect(frames.count == 2 && frames.last?.line == [97])
            }
        }
    }

    @Test func countedPayloadRoundTripsOrIsRefused() throws {
        let payloads = words(over: [ASCII.cr, ASCII.lf, 97], lengthMax: 3) + [[]]
        for side in Self.sides {
            let writer = FrameWriter(Self.dialect(side), direction: .fromServer)
            let fresh = StreamReader(Self.dialect(side), .fromServer)
            for payload in payloads {
                var stream: [UInt8] = []
                do {
                    try writer.append(
                        line: bytes("P \(payload.count)"), payload: payload,
                        kind: .counted(terminated: true), to: &stream)
                    try writer.append(line: [97], to: &stream)
                } catch FramingError.payloadCompletesTerminator {
                    continue
                }
                let frames = fresh.read([stream])
                #expect(frames.map(\.payload) == [payload, nil], "\(side.accepted.map(\.name))")
                #expect(frames.allSatisfy { $0.issue == nil })
            }
        }
    }

    @Test func telnetDoublesIACEverywhere() throws {
        var dialect = Dialects.mud
        dialect.framing.blocks = [Framing.BlockRule(verb: [66], direction: .both)]
        var stream: [UInt8] = []
        let writer = FrameWriter(dialect, direction: .fromServer)
        try writer.append(line: [255, 97, 255], to: &stream)
        #expect(stream == [255, 255, 97, 255, 255, 13, 10])
        #expect(readBytewise(stream, dialect, .fromServer).map(\.line) == [[255, 97, 255]])
        stream = []
        try writer.append(line: [66], payload: [255, 13, 10], kind: .block, to: &stream)
        #expect(stream == [66, 13, 10, 255, 255, 13, 10, 46, 13, 10])
    }

    @Test func frameTooLongForItsLengthPrefixIsRefused() throws {
        let writer = FrameWriter(Dialects.icb, direction: .fromServer)
        var stream: [UInt8] = []
        try writer.append(line: [UInt8](repeating: 97, count: 254), to: &stream)
        #expect(stream.count == 256)
        #expect(throws: FramingError.tooLong(length: 256, max: 255)) {
            try writer.append(line: [UInt8](repeating: 97, count: 255), to: &stream)
        }
        #expect(stream.count == 256)
    }

    @Test func headIsRefusedExactlyIfItDoesNotRoundTrip() {
        let writer = FrameWriter(Dialects.stomp, direction: .fromClient)
        let fresh = StreamReader(Dialects.stomp, .fromClient)
        for head in words(over: [ASCII.cr, ASCII.lf, 97], lengthMax: 5) {
            let sent = head + bytes("\n\nbody\0")
            let read = fresh.read([sent])
            let isReadBack = read.map(\.line) == [head] && read.map(\.payload) == [bytes("body")]
            var stream: [UInt8] = []
            var isWritten = true
            do {
                try writer.append(line: head, payload: bytes("body"), to: &stream)
            } catch {
                isWritten = false
            }
            #expect(isWritten == isReadBack, "\(head)")
        }
    }

    @Test func bodyWithNULNeedsALengthHeader() throws {
        let writer = FrameWriter(Dialects.stomp, direction: .fromClient)
        var stream: [UInt8] = []
        #expect(throws: FramingError.bodyContainsNUL(at: 1)) {
            try writer.append(line: bytes("SEND"), payload: [97, 0], to: &stream)
        }
        try writer.append(line: bytes("SEND\ncontent-length:2"), payload: [97, 0], to: &stream)
        #expect(readBytewise(stream, Dialects.stomp, .fromClient).map(\.payload) == [[97, 0]])
    }
}
