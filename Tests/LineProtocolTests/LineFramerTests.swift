import Testing

@testable import LineProtocol

/// Terminators, empty lines and the end of the stream.
struct LineFramerTests {
    static func dialect(
        _ accepted: [Terminator], emptyLines: Framing.EmptyLines = .ignore
    ) -> Dialect {
        let side = Framing.Side(terminator: accepted[0], accepted: accepted)
        return Dialect(
            name: accepted.map(\.name).joined(separator: " "),
            framing: Framing(fromClient: side, fromServer: side, emptyLines: emptyLines),
            escaping: Escaping(field: .none(forbidden: [])))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var accepted: [Terminator]
        var stream: String
        var lines: [String]
        /// The unterminated rest, or nil.
        var rest: String?

        var testDescription: String {
            "\(accepted.map(\.name)) \(stream.debugDescription)"
        }
    }

    static let cases = [
        Case(accepted: [.lf], stream: "a\nb\r\nc", lines: ["a", "b\r"], rest: "c"),
        Case(accepted: [.crlf], stream: "a\r\nb\nc\rd\r\n", lines: ["a", "b\nc\rd"]),
        Case(accepted: [.cr], stream: "a\rb\n\rc", lines: ["a", "b\n"], rest: "c"),
        Case(accepted: [.nul], stream: "a\0b\r\n\0", lines: ["a", "b\r\n"]),
        Case(accepted: [.lfcr], stream: "a\n\rb\r\n\r", lines: ["a", "b\r"]),
        Case(accepted: [.crnul], stream: "a\r\0b\rc\0\r\0", lines: ["a", "b\rc\0"]),
        Case(
            accepted: [.crlf, .lf], stream: "a\r\nb\nc\r\r\n\r", lines: ["a", "b", "c\r"],
            rest: "\r"),
        Case(
            accepted: [.cr, .crlf, .lf], stream: "a\rb\nc\r\nd\n\re\r\r\nf",
            lines: ["a", "b", "c", "d", "e"], rest: "f"),
        Case(accepted: [.cr, .crlf], stream: "a\r\nb\r\n\nc\r", lines: ["a", "b", "\nc"]),
        Case(accepted: [.lf, .lfcr], stream: "a\n\rb\nc\n\r\rd\n", lines: ["a", "b", "c", "\rd"]),
        Case(
            accepted: [.cr, .crlf, .crnul], stream: "a\r\0b\r\nc\r\rd\r\0",
            lines: ["a", "b", "c", "d"]),
        Case(accepted: [.cr, .crlf, .lf], stream: "a\r\n", lines: ["a"]),
    ]

    @Test(arguments: cases)
    func linesEndAtAnyAcceptedTerminator(_ test: Case) {
        let frames = read(test.stream, Self.dialect(test.accepted))
        let whole = frames.filter { $0.issue == nil }
        #expect(whole.map { String(decoding: $0.line, as: UTF8.self) } == test.lines)
        let rest = frames.first { $0.issue == .unterminated }
        #expect(rest.map { String(decoding: $0.line, as: UTF8.self) } == test.rest)
        #expect(frames.allSatisfy { $0.issue == nil || $0.issue == .unterminated })
    }

    @Test func frameContainsItsTerminator() {
        let frames = read("a\r\nb\n", Self.dialect([.crlf, .lf]))
        #expect(frames.map(\.terminator) == [.crlf, .lf])
    }

    @Test func shorterTerminatorEndsTheLineImmediately() {
        var reader = StreamReader(Self.dialect([.cr, .crlf]), .fromServer)
        reader.append(bytes("a\r"))
        #expect(reader.frames.map(\.line) == [bytes("a")])
        reader.append(bytes("\nb\r\n"))
        #expect(reader.frames.map(\.line) == [bytes("a"), bytes("b")])
        reader.finish()
        #expect(reader.frames.count == 2)
        #expect(reader.frames.map(\.terminator) == [.cr, .cr])
    }

    @Test func emptyLinesAreIgnoredOrMessages() {
        #expect(lines("\n\na\n\n", Self.dialect([.lf])) == ["a"])
        #expect(lines("\n\na\n\n", Self.dialect([.lf], emptyLines: .message)) == ["", "", "a", ""])
        #expect(
            lines("\r\n\r\r\n", Self.dialect([.cr, .lf, .crlf], emptyLines: .message))
                == ["", "", ""])
    }

    @Test func wholeRangeIncludesTerminators() {
        var framer = LineFramer(Self.dialect([.cr, .crlf]), direction: .fromServer)
        framer.append(bytes("ab\r\ncd\r"))
        #expect(framer.next()?.whole == 0..<3)
        let second = framer.next()
        #expect(second?.whole == 3..<7)
        #expect(second?.line == 4..<6)
    }

    @Test func nothingIsLeftAfterACompleteLine() {
        for stream in ["a\r\n", "a\n", "\r\n", ""] {
            #expect(read(stream, Self.dialect([.crlf, .lf])).allSatisfy { $0.issue == nil })
        }
    }

    @Test func unterminatedLineIsReturnedAtTheEnd() {
        let frames = read("a\nbc", Self.dialect([.lf]))
        #expect(frames.map(\.line) == [bytes("a"), bytes("bc")])
        #expect(frames.map(\.issue) == [nil, .unterminated])
    }

    @Test func oneReadCanContainManyLines() {
        let count = 1_000
        let stream = String(repeating: "PING x\r\n", count: count)
        #expect(read(stream, Dialects.irc).count == count)
    }

    @Test func consumedBytesAreDroppedOnAppend() {
        var framer = LineFramer(Self.dialect([.lf]), direction: .fromServer)
        for _ in 0..<100 {
            framer.append(bytes("abc\nde"))
            while framer.next() != nil {}
            framer.append(bytes("f\n"))
            while framer.next() != nil {}
            #expect(framer.buffer.count <= 8)
        }
        #expect(framer.heldBytes == 0)
    }

    @Test func telnetCommandsAreRemoved() {
        let stream: [UInt8] = [
            255, 253, 3, 104, 255, 255, 105, 255, 241, 33, 255, 250, 1, 65, 10, 255, 255, 255, 240,
            13, 10,
            97, 13, 0,
        ]
        let frames = readBytewise(stream, Dialects.mud, .fromServer)
        #expect(frames.map(\.line) == [[104, 255, 105, 33], [97]])
        #expect(frames.map(\.terminator) == [.crlf, .crnul])
    }
}
