import Testing

@testable import LineProtocol

/// Answers of several lines, whose mark shows that they continue.
struct AnswerTests {
    private static func dialect(payloadMax: Int = 200) -> Dialect {
        var dialect = Dialects.smtp
        dialect.framing.fromServer.limits.payloadBytesMax = payloadMax
        dialect.commands = CommandTable([
            Dialects.command("hello", "EHLO", .client, [Dialects.text("host")]),
            CommandSignature(
                name: "reply", wire: .digits(3), direction: .server,
                arguments: [
                    ArgumentSignature("code", .text, position: .verb),
                    Dialects.text("text", presence: .optional),
                    ArgumentSignature("lines", .bytes, position: .payload, presence: .optional),
                ]),
        ])
        return dialect
    }

    private func messages(_ stream: String) -> [[ArgumentValue]] {
        read(stream, Self.dialect()).map(\.values)
    }

    @Test func theLinesOfAnAnswerAreOneMessage() {
        #expect(
            messages("250-first\r\n250-second\r\n250 third one\r\n220 next\r\n") == [
                [.text("250"), .text("first"), .bytes(bytes("250-second\r\n250 third one"))],
                [.text("220"), .text("next"), .absent],
            ])
        // The lines between need no code (RFC 959 §4.2), and the last one no text.
        #expect(
            messages("211-Features\r\n UTF8\r\n\r\n212 other\r\n211-still\r\n211\r\n") == [
                [
                    .text("211"), .text("Features"),
                    .bytes(bytes(" UTF8\r\n\r\n212 other\r\n211-still\r\n211")),
                ]
            ])
    }

    @Test func clientsHaveNoAnswers() {
        let frames = read("250-a\r\nEHLO x\r\n", Self.dialect(), .fromClient)
        #expect(frames.map(\.payload) == [nil, nil])
    }

    @Test func aWordBeforeTheMarkIsNoCode() {
        let frames = read("abc-d\r\n250 x\r\n", Self.dialect())
        #expect(frames.map(\.line) == [bytes("abc-d"), bytes("250 x")])
    }

    @Test func anAnswerWithoutItsEndIsUnterminated() {
        let frames = read("250-a\r\n250-b\r\n", Self.dialect())
        #expect(frames.map(\.issue) == [.unterminated])
    }

    @Test func answersAreReadAsTheyWereSent() throws {
        for values: [ArgumentValue] in [
            [.text("250"), .text("a b"), .bytes(bytes("250-b\r\nfree\r\n250 c"))],
            [.text("250"), .text("a b"), .absent], [.text("250"), .absent, .absent],
            [.text("250"), .text(""), .bytes(bytes("250"))],
        ] {
            let sent = try encode("reply", values, Self.dialect(), .fromServer)
            #expect(read([sent], Self.dialect()).map(\.values) == [values])
        }
        for lines in ["250-b", "250 b\r\n250 c", "251 b", "250 c\r\n"] {
            #expect(throws: EncodingError.self, "\(lines)") {
                try encode(
                    "reply", [.text("250"), .text("a"), .bytes(bytes(lines))], Self.dialect(),
                    .fromServer)
            }
        }
    }

    @Test func everyCutGivesTheSameMessages() {
        let stream = bytes(
            "220 hi\r\n250-a\r\n250-bb\r\n\r\n25\r\n250 c\r\n250 d\r\n"
                + "500-\(String(repeating: "x", count: 30))\r\n\(String(repeating: "500-y\r\n", count: 9))500\r\n250-e\r\n25"
        )
        for payloadMax in [200, 40, 10, 1] {
            let dialect = Self.dialect(payloadMax: payloadMax)
            let whole = read([stream], dialect)
            #expect(readBytewise(stream, dialect, .fromServer) == whole)
            for cut in 0...stream.count {
                let pieces = [Array(stream[..<cut]), Array(stream[cut...])]
                #expect(read(pieces, dialect) == whole, "\(payloadMax) \(cut)")
            }
        }
    }

    @Test func theFurtherLinesAreLimited() {
        for excess in [0, 1] {
            let more = String(repeating: "x", count: 193 + excess) + "\r\n250 e"
            let frames = read("250-a\r\n\(more)\r\n250 b\r\n", Self.dialect())
            #expect(
                frames.map(\.issue) == [excess == 0 ? nil : .payloadOverLimit(length: 201), nil])
            #expect(frames.last?.line == bytes("250 b"))
        }
        var reader = StreamReader(Self.dialect(), .fromServer)
        reader.append(bytes("250-a\r\n"))
        for _ in 0..<10_000 { reader.append(bytes("250-bbbbbbb\r\n")) }
        #expect(reader.heldMost < 1_000)
    }
}
