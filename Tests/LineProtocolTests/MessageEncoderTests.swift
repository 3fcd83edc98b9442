import Testing

@testable import LineProtocol

/// Messages are encoded so that they are decoded to the same values, or refused.
struct MessageEncoderTests {
    static func line(
        _ name: String, _ values: [ArgumentValue], _ dialect: Dialect,
        _ direction: Direction = .fromClient
    ) throws -> String {
        String(decoding: try encode(name, values, dialect, direction), as: UTF8.self)
    }

    @Test func argumentsAreEscapedAndSeparated() throws {
        #expect(
            try Self.line("send", [.int(1), .int(-2), .text("a|b\\\n")], Dialects.livechat)
                == "S0004|1|-2|a\\|b\\\\\\n\n")
        #expect(
            try Self.line(
                "sendText", [.int(2), .int(1), .text("a b|c/")], Dialects.teamspeak)
                == "sendtextmessage targetmode=2 target=1 msg=a\\sb\\pc\\/\n")
        #expect(try Self.line("clients", [.bool(true)], Dialects.teamspeak) == "clientlist -uid\n")
        #expect(
            try Self.line("set", [.text("k"), .text("a \"\u{7}")], Dialects.redis)
                == "SET \"k\" \"a \\\"\\x07\"\r\n")
        #expect(
            try Self.line("rename", [.int(7), .text("a"), .text("b c%")], Dialects.msnp)
                == "REA 7 a b%20c%25\r\n")
    }

    @Test func lastArgumentIsTrailingOnlyIfNecessary() throws {
        func sent(_ text: String) throws -> String {
            try Self.line(
                "message", [.absent, .absent, .absent, .text("#x"), .text(text)], Dialects.irc)
        }
        #expect(try sent("hi") == "PRIVMSG #x hi\r\n")
        #expect(try sent("hi you") == "PRIVMSG #x :hi you\r\n")
        #expect(try sent(":-)") == "PRIVMSG #x ::-)\r\n")
        #expect(try sent("") == "PRIVMSG #x :\r\n")
    }

    @Test func tagsAndSourceComeBeforeTheCommand() throws {
        #expect(
            try Self.line(
                "message",
                [.text("n!u@h"), .time(0), .text("a;b c"), .text("#x"), .text("y")], Dialects.irc)
                == "@time=1970-01-01T00:00:00.000Z;label=a\\:b\\sc :n!u@h PRIVMSG #x y\r\n")
    }

    @Test func payloadLengthIsFilledIn() throws {
        #expect(
            try Self.line(
                "publish", [.text("s"), .absent, .absent, .bytes(bytes("abc"))], Dialects.nats)
                == "PUB s 3\r\nabc\r\n")
        #expect(
            try Self.line(
                "set", [.text("k"), .int(0), .int(0), .absent, .text("noreply"), .bytes([])],
                Dialects.memcached) == "set k 0 0 0 noreply\r\n\r\n")
        #expect(
            try Self.line("send", [.text("/q"), .absent, .bytes([0])], Dialects.stomp)
                == "SEND\ndestination:/q\ncontent-length:1\n\n\0\0")
        // A given length is sent even if it is wrong.
        #expect(
            try Self.line(
                "publish", [.text("s"), .absent, .int(9), .bytes(bytes("abc"))], Dialects.nats)
                == "PUB s 9\r\nabc\r\n")
    }

    @Test func blocksAreStuffed() throws {
        #expect(
            try Self.line("data", [.bytes(bytes(".a\r\n.\r\nb"))], Dialects.smtp)
                == "DATA\r\n..a\r\n..\r\nb\r\n.\r\n")
    }

    @Test func numericsArePaddedWithZeros() throws {
        let values: [ArgumentValue] = [.absent, .int(1), .text("me"), .list([.text("hi there")])]
        #expect(
            try Self.line("numeric", values, Dialects.irc, .fromServer) == "001 me :hi there\r\n")
        for code in [-1, 1_000] {
            #expect(throws: EncodingError(.verbInvalid, argument: "code", argumentIndex: 1)) {
                try encode(
                    "numeric", [.absent, .int(Int64(code)), .text("me")], Dialects.irc, .fromServer)
            }
        }
        #expect(throws: EncodingError(.verbMissing)) {
            try encode("numeric", [.absent, .absent, .text("me")], Dialects.irc, .fromServer)
        }
        #expect(throws: EncodingError(.verbInvalid, argument: "event", argumentIndex: 0)) {
            try encode("notify", [.text("notify x")], Dialects.teamspeak, .fromServer)
        }
    }

    @Test func refusedMessageLeavesTheTargetUnchanged() throws {
        var target = bytes("before")
        let encoder = MessageEncoder(Dialects.irc, direction: .fromClient)
        let message = Dialects.irc.commands.command(named: "message", .fromClient) ?? 0
        let texts: [(ArgumentValue, EncodingError.Reason)] = [
            (.text("a b"), .escape(EscapeError(offset: 1, reason: .unrepresentable(32)))),
            (.text(""), .escape(EscapeError(offset: 0, reason: .emptyValue))),
            (.text(":a"), .escape(EscapeError(offset: 0, reason: .unrepresentable(58)))),
            (.text("a\n"), .escape(EscapeError(offset: 1, reason: .unrepresentable(10)))),
            (.int(1), .wrongType(expected: "text")),
        ]
        for (value, reason) in texts {
            #expect(throws: EncodingError(reason, argument: "target", argumentIndex: 3)) {
                try encoder.append(
                    message, [.absent, .absent, .absent, value, .text("x")], to: &target)
            }
        }
        #expect(throws: EncodingError(.tooManyValues(given: 6))) {
            try encoder.append(message, Array(repeating: .absent, count: 6), to: &target)
        }
        #expect(throws: EncodingError(.noSuchCommand)) {
            try encoder.append(-1, [], to: &target)
        }
        #expect(target == bytes("before"))
    }

    @Test func restOfTheLineCanContainSeparators() throws {
        #expect(
            try Self.line("three", [.text("a"), .text("b"), .text("|c||d|")], Dialects.joined)
                == "T|a|b||c||d|\n")
        #expect(
            try Self.line("three", [.text("a"), .text("b"), .text("c  d")], Dialects.joinedRuns)
                == "T a b c  d\n")
        // Only the last argument is joined, and only if every other one is present.
        for values: [ArgumentValue] in [
            [.text("a|"), .text("b"), .text("c")], [.text("a"), .text("b|c")],
        ] {
            #expect(throws: EncodingError.self) { try encode("three", values, Dialects.joined) }
        }
        for text in [" c", "c "] {
            let offset = text.first == " " ? 0 : 1
            #expect(
                throws: EncodingError(
                    .escape(EscapeError(offset: offset, reason: .unrepresentable(32))),
                    argument: "c", argumentIndex: 2)
            ) {
                try encode("three", [.text("a"), .text("b"), .text(text)], Dialects.joinedRuns)
            }
        }
        // The receiver would assign the extra field to the optional argument.
        #expect(throws: EncodingError.self) {
            try encode("optional", [.absent, .text("a|b")], Dialects.joined)
        }
        #expect(
            try Self.line("optional", [.text("a"), .text("b|c")], Dialects.joined) == "O|a|b|c\n")
    }

    @Test func sourceWithASeparatorIsRefused() {
        for source in ["a b", ""] {
            #expect(throws: EncodingError.self) {
                try encode("join", [.text(source), .text("#x")], Dialects.irc)
            }
        }
    }

    @Test func tooManyFieldsAreRefused() throws {
        let modes = (0..<14).map { ArgumentValue.text("m\($0)") }
        let full = try encode("mode", [.absent, .text("#x"), .list(modes)], Dialects.irc)
        #expect(
            read([full], Dialects.irc, .fromClient).map(\.values)
                == [[.absent, .text("#x"), .list(modes)]])
        #expect(throws: EncodingError(.tooManyFields(max: 15))) {
            try encode("mode", [.absent, .text("#x"), .list(modes + modes)], Dialects.irc)
        }
    }

    @Test func ambiguousOmittedArgumentsAreRefused() throws {
        let dialect = MessageDecoderTests.livechat([
            Dialects.text("a"), Dialects.text("b", presence: .optional),
            Dialects.text("c", presence: .optional), Dialects.text("d"),
        ])
        #expect(
            try Self.line("c", [.text("1"), .absent, .absent, .text("4")], dialect) == "C|1|4\n")
        #expect(try Self.line("c", [.text("1")], dialect) == "C|1\n")
        #expect(throws: EncodingError(.gap, argument: "b", argumentIndex: 1)) {
            try encode("c", [.text("1"), .absent, .text("3"), .text("4")], dialect)
        }
        #expect(throws: EncodingError(.gap, argument: "a", argumentIndex: 0)) {
            try encode("c", [.absent, .absent, .absent, .text("4")], dialect)
        }
        #expect(throws: EncodingError(.gap, argument: "d", argumentIndex: 3)) {
            try encode("c", [.text("1"), .text("2")], dialect)
        }
    }

    struct ArgumentSlot: Sendable, CustomTestStringConvertible {
        var dialect: Dialect
        var direction: Direction
        var command: String
        /// The values of the command.
        var values: [ArgumentValue]
        /// Index of the value that tests replace.
        var index: Int

        var testDescription: String { "\(dialect.name) \(command) \(index)" }
    }

    /// Every argument that can hold a text.
    static let slots: [ArgumentSlot] = [
        (
            Dialects.irc, Direction.fromClient, "message",
            [ArgumentValue.text("s"), .absent, .text("l"), .text("t"), .text("x")]
        ),
        (Dialects.irc, .fromServer, "numeric", [.absent, .int(5), .text("n"), .absent]),
        (Dialects.irc, .fromClient, "join", [.absent, .text("c"), .text("k")]),
        (Dialects.livechat, .fromClient, "three", [.text("a"), .text("b"), .text("c")]),
        (Dialects.plain, .fromClient, "line", [.text("a")]),
        (Dialects.mud, .fromClient, "line", [.text("a")]),
        (Dialects.teamspeak, .fromClient, "sendText", [.int(1), .int(1), .text("x")]),
        (Dialects.teamspeak, .fromServer, "status", [.int(1), .text("x")]),
        (Dialects.msnp, .fromClient, "rename", [.int(1), .text("a"), .text("b")]),
        (
            Dialects.msnp, .fromServer, "message",
            [.text("a"), .text("b"), .absent, .bytes(bytes("x"))]
        ),
        (
            Dialects.nats, .fromClient, "publish",
            [.text("a"), .text("b"), .absent, .bytes(bytes("x"))]
        ),
        (Dialects.smtp, .fromClient, "hello", [.text("a")]),
        (Dialects.smtp, .fromServer, "reply", [.int(250), .text("a")]),
        (Dialects.nntp, .fromClient, "article", [.text("a")]),
        (
            Dialects.nntp, .fromServer, "articleFollows",
            [.int(1), .text("b"), .text("c"), .bytes(bytes("x\r\n"))]
        ),
        (
            Dialects.memcached, .fromClient, "set",
            [.text("a"), .int(0), .int(0), .absent, .text("n"), .bytes(bytes("x"))]
        ),
        (Dialects.redis, .fromClient, "set", [.text("a"), .text("b")]),
        (Dialects.stomp, .fromClient, "connect", [.text("a"), .text("b")]),
        (Dialects.stomp, .fromClient, "send", [.text("a"), .absent, .bytes(bytes("x"))]),
        (Dialects.icb, .fromClient, "open", [.text("a"), .text("b")]),
        (Dialects.doubled, .fromClient, "three", [.text("a"), .text("b"), .text("c")]),
        (Dialects.doubled, .fromClient, "payload", [.absent, .bytes(bytes("a"))]),
        (Dialects.joined, .fromClient, "three", [.text("a"), .text("b"), .text("c")]),
        (Dialects.joined, .fromClient, "optional", [.text("a"), .text("b")]),
        (Dialects.joinedRuns, .fromServer, "three", [.text("a"), .text("b"), .text("c")]),
        (Dialects.joinedEscapes, .fromClient, "three", [.text("a"), .text("b"), .text("c")]),
        (Dialects.joinedFew, .fromClient, "three", [.text("a"), .text("b"), .text("c")]),
        (Dialects.jsonl, .fromClient, "join", [.text("a")]),
        (Dialects.nestedJSON, .fromServer, "say", [.text("a"), .int(1)]),
        (Dialects.onlyKeyJSON, .fromClient, "say", [.text("a")]),
        (Dialects.rpc, .fromClient, "update", [.text("a")]),
        (Dialects.resp, .fromClient, "publish", [.text("a"), .text("b")]),
        (Dialects.resp, .fromServer, "message", [.text("a"), .text("b")]),
        (Dialects.resp, .fromServer, "simple", [.text("a")]),
        (Dialects.resp, .fromServer, "string", [.text("a")]),
        (Dialects.pop3, .fromClient, "retr", [.text("a")]),
        (Dialects.pop3, .fromServer, "ok", [.text("a"), .absent]),
        (Dialects.counted, .fromClient, "string", [.absent, .bytes(bytes("a"))]),
        (Dialects.counted, .fromServer, "simple", [.text("a")]),
        (
            Dialects.counted, .fromServer, "named",
            [.text("a"), .absent, .text("b"), .bytes(bytes("c"))]
        ),
        (Dialects.mixed, .fromClient, "say", [.text("a"), .text("b")]),
        (Dialects.mixed, .fromServer, "said", [.text("a"), .text("b"), .int(1)]),
        (Dialects.twoTongues, .fromClient, "say", [.text("a"), .text("b")]),
        (Dialects.twoTongues, .fromServer, "say", [.text("a"), .text("b")]),
    ].flatMap { dialect, direction, command, values in
        values.indices.compactMap { index in
            switch values[index] {
            case .text, .bytes:
                ArgumentSlot(
                    dialect: dialect, direction: direction, command: command, values: values,
                    index: index)
            default: nil
            }
        }
    }

    /// Encodes and decodes a message and compares the values. Returns false if the message was
    /// refused.
    @discardableResult
    static func isReadBack(
        _ values: [ArgumentValue], _ test: ArgumentSlot, _ fresh: StreamReader
    ) -> Bool {
        guard let sent = try? encode(test.command, values, test.dialect, test.direction) else {
            return false
        }
        // Twice, to detect a line that changes the next one.
        let frames = fresh.read([sent + sent])
        var expected = values
        for (index, value) in values.enumerated() where value == .absent {
            // Values filled in by the codec.
            guard frames.first.map({ $0.values.indices.contains(index) }) == true else { continue }
            if case .int? = frames.first?.values[index] {
                expected[index] = frames[0].values[index]
            }
            if case .list([])? = frames.first?.values[index] { expected[index] = .list([]) }
        }
        // An empty line of the plain dialect is ignored by the reader.
        if sent.count == 2, test.dialect.name == "plain" { return true }
        #expect(
            frames.map(\.values) == [expected, expected],
            "\(values) was sent as \(String(decoding: sent, as: UTF8.self).debugDescription)")
        #expect(frames.allSatisfy { $0.issue == nil && $0.issues.isEmpty })
        return true
    }

    static func setting(_ value: [UInt8], _ test: ArgumentSlot) -> [ArgumentValue] {
        var values = test.values
        if case .bytes = values[test.index] {
            values[test.index] = .bytes(value)
        } else {
            values[test.index] = .text(value)
        }
        return values
    }

    @Test(arguments: slots)
    func everyByteInEveryArgumentRoundTripsOrIsRefused(_ test: ArgumentSlot) {
        let fresh = StreamReader(test.dialect, test.direction)
        var written = 0
        for byte in UInt8.min...UInt8.max {
            for value in [[byte], [byte, 97], [97, byte], [97, byte, 97]] {
                // A dot-terminated block consists of lines.
                let isBlock = test.dialect.name == "nntp" && test.index == 3
                let value = isBlock ? value + [13, 10] : value
                if Self.isReadBack(Self.setting(value, test), test, fresh) { written += 1 }
            }
        }
        // Letters and digits are valid everywhere.
        #expect(written > 60)
    }

    @Test(arguments: slots)
    func shortTextsOfSpecialBytesRoundTripOrAreRefused(_ test: ArgumentSlot) {
        let fresh = StreamReader(test.dialect, test.direction)
        let isBlock = test.dialect.name == "nntp" && test.index == 3
        for value in words(over: Array("|,\\: \r\n".utf8), lengthMax: 3) + [[]] {
            Self.isReadBack(
                Self.setting(isBlock && !value.isEmpty ? value + [13, 10] : value, test), test,
                fresh)
        }
    }

    /// Three adjacent texts, each empty or with separators.
    @Test(arguments: [Dialects.livechat, Dialects.doubled, Dialects.joined, Dialects.joinedEscapes])
    func adjacentTextsDoNotInterfere(_ dialect: Dialect) {
        let fresh = StreamReader(dialect, .fromClient)
        let slot = ArgumentSlot(
            dialect: dialect, direction: .fromClient, command: "three", values: [], index: 0)
        let separator = dialect.syntax.fromServer.separators[0]
        let texts = words(over: [separator, ASCII.backslash, 97], lengthMax: 2) + [[]]
        for first in texts {
            for second in texts {
                for third in texts {
                    Self.isReadBack([.text(first), .text(second), .text(third)], slot, fresh)
                }
            }
        }
    }
}
