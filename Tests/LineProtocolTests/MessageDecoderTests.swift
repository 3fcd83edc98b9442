import Testing

@testable import LineProtocol

struct MessageDecoderTests {
    static let words: [ArgumentSignature] = [
        Dialects.text("a"), Dialects.int("b"), Dialects.text("c"),
    ]

    static func livechat(
        _ arguments: [ArgumentSignature], _ tolerance: Tolerance = Tolerance()
    ) -> Dialect {
        var dialect = Dialects.livechat
        dialect.tolerance = tolerance
        dialect.commands = CommandTable([Dialects.command("c", "C", .both, arguments)])
        return dialect
    }

    @Test func argumentsAreTypedInOrder() {
        let message = decode("R0004|12341|Hel\\|lo\\n!|Joe|-7|1", Dialects.livechat)
        #expect(message.command == "didReceive")
        #expect(
            message.values
                == [.int(12_341), .text("Hel|lo\n!"), .text("Joe"), .int(-7), .bool(true)])
        #expect(message.issues.isEmpty)
    }

    @Test func unknownCommandIsReported() {
        let message = decode("NOPE|1", Dialects.livechat)
        #expect(message.command == nil)
        #expect(message.issues == [.unknownCommand])
        #expect(decode("S0004|1|2|x", Dialects.livechat).issues == [.unknownCommand])
    }

    @Test func missingArgumentsBecomeEmptyZeroAndFalse() {
        let message = decode("R0004|5", Dialects.livechat)
        #expect(message.values == [.int(5), .text(""), .text(""), .int(0), .bool(false)])
        #expect(message.issues == [.tooFew(missing: 4)])
        #expect(decode("R0004", Dialects.livechat).issues == [.tooFew(missing: 5)])
        // An empty field is not missing.
        #expect(decode("T|||", Dialects.livechat).issues.isEmpty)
        #expect(decode("T||", Dialects.livechat).issues == [.tooFew(missing: 1)])
    }

    @Test func extraArgumentsAreIgnoredAndCounted() {
        let message = decode("T|a|b|c|d|e", Dialects.livechat)
        #expect(message.values == [.text("a"), .text("b"), .text("c")])
        #expect(message.issues == [.tooMany(extra: 2)])
    }

    @Test func extraArgumentsCanBelongToTheLast() {
        let dialect = Self.livechat(Self.words, Tolerance(tooMany: .joinLast))
        let message = decode("C|a|1|c|d\\|e||f", dialect)
        #expect(message.values == [.text("a"), .int(1), .text("c|d|e||f")])
        #expect(message.issues.isEmpty)
        // Extra fields belong to the last positional argument, even if the signature continues
        // after it.
        var irc = Dialects.irc
        irc.tolerance.tooMany = .joinLast
        irc.commands = CommandTable([
            Dialects.command(
                "c", "C", .both,
                [
                    Dialects.text("a"), Dialects.text("b"),
                    ArgumentSignature("source", .text, position: .source, presence: .optional),
                ])
        ])
        #expect(
            decode(":s C 1 2  3 :4 5", irc).values == [.text("1"), .text("2  3 :4 5"), .text("s")])
    }

    @Test func commandToleranceOverridesTheDialect() {
        var dialect = Self.livechat([], Tolerance(tooMany: .ignore))
        dialect.commands = CommandTable([
            Dialects.command(
                "c", "C", .both, [Dialects.text("a")], tolerance: Tolerance(tooMany: .joinLast))
        ])
        #expect(decode("C|a|b", dialect).values == [.text("a|b")])
    }

    @Test func invalidValueBecomesZeroAndIsReported() {
        let message = decode("R0004|x|t|s|9999999999999999999|2", Dialects.livechat)
        #expect(message.values == [.int(0), .text("t"), .text("s"), .int(0), .bool(false)])
        #expect(
            message.issues == [.invalidArgument(0), .invalidArgument(3), .invalidArgument(4)])
        let list = decode("R0007|1|1,x,3", Dialects.livechat)
        #expect(list.values == [.int(1), .list([])])
        #expect(list.issues == [.invalidArgument(1)])
    }

    @Test func toleranceDependsOnTheDialect() {
        let strict = Tolerance(tooFew: .reject, tooMany: .reject, mismatch: .reject)
        for issue in [MessageIssue.tooFew(missing: 1), .tooMany(extra: 1), .invalidArgument(0)] {
            #expect(issue.isTolerated(by: Tolerance()))
            #expect(!issue.isTolerated(by: strict))
        }
        #expect(!MessageIssue.unknownCommand.isTolerated(by: Tolerance()))
    }

    @Test func listsAreDecoded() {
        #expect(
            decode("R0007|1|3,-4", Dialects.livechat).values
                == [.int(1), .list([.int(3), .int(-4)])])
        #expect(decode("R0007|1|", Dialects.livechat).values == [.int(1), .list([])])
    }

    @Test(arguments: [
        ("PUB s 0", ["s", "-", "0"]), ("PUB s r 0", ["s", "r", "0"]),
    ])
    func optionalArgumentInTheMiddleNeedsEnoughFields(
        line: String, values: [String]
    ) {
        let message = decode(line, Dialects.nats, .fromClient)
        let reply: ArgumentValue = values[1] == "-" ? .absent : .text(values[1])
        #expect(Array(message.values.prefix(3)) == [.text(values[0]), reply, .int(0)])
    }

    @Test func optionalArgumentsAreFilledInOrder() {
        let dialect = Self.livechat([
            Dialects.text("a"), Dialects.text("b", presence: .optional),
            ArgumentSignature("c", .int, defaultValue: .int(7)), Dialects.text("d"),
        ])
        #expect(decode("C|1|4", dialect).values == [.text("1"), .absent, .int(7), .text("4")])
        #expect(
            decode("C|1|2|4", dialect).values == [.text("1"), .text("2"), .int(7), .text("4")])
        #expect(
            decode("C|1|2|3|4", dialect).values == [.text("1"), .text("2"), .int(3), .text("4")])
        let few = decode("C|1", dialect)
        #expect(few.values == [.text("1"), .absent, .int(7), .text("")])
        #expect(few.issues == [.tooFew(missing: 1)])
        #expect(decode("C|1|2|3|4|5", dialect).issues == [.tooMany(extra: 1)])
    }

    @Test func defaultMayHaveAnyType() {
        let values: [(ArgumentType, ArgumentValue)] = [
            (.text, .text("hi")), (.bool(.digits), .bool(true)), (.time(.rfc3339), .time(5)),
            (.decimal, .decimal(Decimal64(unscaled: 15, scale: 1))),
            (.list(of: .int, separator: 44), .list([.int(1), .int(2)])),
            (.choice(["a", "b"]), .choice(1)),
        ]
        let dialect = Self.livechat(
            values.map { ArgumentSignature("x", $0.0, defaultValue: $0.1) })
        #expect(decode("C", dialect).values == values.map(\.1))
    }

    @Test func variadicArgumentTakesTheRemainingFields() {
        let dialect = Self.livechat([
            Dialects.text("a"),
            ArgumentSignature("b", .list(of: .int, separator: 44), presence: .variadic),
            Dialects.text("c"),
        ])
        #expect(decode("C|1|2", dialect).values == [.text("1"), .list([]), .text("2")])
        #expect(
            decode("C|1|2|3|x", dialect).values
                == [.text("1"), .list([.int(2), .int(3)]), .text("x")])
        let wrong = decode("C|1|2|z|x", dialect)
        #expect(wrong.values == [.text("1"), .list([.int(2), .int(0)]), .text("x")])
        #expect(wrong.issues == [.invalidArgument(1)])
        let names = decode(":s 353 me = #c :a b", Dialects.irc)
        #expect(
            names.values
                == [
                    .text("s"), .int(353), .text("me"),
                    .list([.text("="), .text("#c"), .text("a b")]),
                ])
    }

    @Test func elementsOfAVariadicArgumentAreUnescaped() {
        let dialect = Self.livechat([Dialects.text("a", presence: .variadic)])
        #expect(decode("C|x\\|y|\\\\", dialect).values == [.list([.text("x|y"), .text("\\")])])
    }

    @Test func lastTagWinsAndIsUnescaped() {
        let message = decode(
            "@label=a;time=2020-01-01T00:00:00.000Z;label=b\\:\\sc :n!u@h PRIVMSG #x :hi there",
            Dialects.irc)
        #expect(
            message.values
                == [
                    .text("n!u@h"), .time(1_577_836_800_000_000_000), .text("b; c"), .text("#x"),
                    .text("hi there"),
                ])
    }

    @Test func tagWithoutAValueIsEmptyTextButNotATime() {
        for line in ["@label;time PRIVMSG a b", "@label=;time= PRIVMSG a b"] {
            let message = decode(line, Dialects.irc)
            #expect(
                message.values == [.absent, .absent, .text(""), .text("a"), .text("b")])
            #expect(message.issues.isEmpty)
        }
        #expect(decode("PRIVMSG a b", Dialects.irc).values[2] == .absent)
    }

    @Test(arguments: ["", "@label=x ", "@other=x "])
    func tagsDoNotChangeTheOtherArguments(_ tags: String) {
        let label: ArgumentValue = tags.contains("label") ? .text("x") : .absent
        let message = decode(tags + ":n!u@h PRIVMSG #x :hi there", Dialects.irc)
        #expect(
            message.values == [.text("n!u@h"), .absent, label, .text("#x"), .text("hi there")])
        #expect(message.issues.isEmpty)
        let short = decode(tags + "PRIVMSG #x", Dialects.irc)
        #expect(short.values == [.absent, .absent, label, .text("#x"), .text("")])
        #expect(short.issues == [.tooFew(missing: 1)])
        let long = decode(tags + "PRIVMSG #x a b", Dialects.irc)
        #expect(long.values == [.absent, .absent, label, .text("#x"), .text("a")])
        #expect(long.issues == [.tooMany(extra: 1)])
    }

    @Test func aRequiredSourceThatIsMissingIsReported() {
        var dialect = Dialects.irc
        let source = ArgumentSignature("source", .int, position: .source)
        dialect.commands = CommandTable([
            Dialects.command("c", "C", .both, [source, Dialects.int("a")])
        ])
        #expect(decode(":7 C 1", dialect).values == [.int(7), .int(1)])
        let message = decode("C x", dialect)
        #expect(message.values == [.int(0), .int(0)])
        #expect(message.issues == [.invalidArgument(1), .tooFew(missing: 1)])
    }

    @Test func anOptionalSourceIsConverted() {
        var dialect = Dialects.irc
        let source = ArgumentSignature(
            "source", .int, position: .source, presence: .optional)
        dialect.commands = CommandTable([
            Dialects.command("c", "C", .both, [source, Dialects.int("a")])
        ])
        #expect(decode(":7 C 1", dialect).values == [.int(7), .int(1)])
        #expect(decode("C 1", dialect).values == [.absent, .int(1)])
        #expect(decode(":x C 1", dialect).issues == [.invalidArgument(0)])
    }

    @Test func keysAreFoundInAnyOrder() {
        #expect(
            decode("error msg=a\\sb\\p id=5", Dialects.teamspeak).values
                == [.int(5), .text("a b|")])
        #expect(decode("error id=1", Dialects.teamspeak).issues == [.tooFew(missing: 1)])
        #expect(
            decode("use port=9987 3", Dialects.teamspeak, .fromClient).values
                == [.int(3), .int(9_987)])
        #expect(
            decode("clientlist -uid", Dialects.teamspeak, .fromClient).values == [.bool(true)])
        #expect(decode("clientlist", Dialects.teamspeak, .fromClient).values == [.bool(false)])
        #expect(decode("clid=4 a=b|clid=5", Dialects.teamspeak).values == [.int(4)])
        #expect(
            decode("notifyx msg=y", Dialects.teamspeak).values == [.text("notifyx"), .text("y")])
    }

    @Test func keysAreMatchedInEscapedForm() throws {
        var dialect = Dialects.teamspeak
        dialect.commands = CommandTable([
            Dialects.command("c", "c", .both, [Dialects.keyed("a b", .text)])
        ])
        let line = try encode("c", [.text("x y")], dialect)
        #expect(line == bytes("c a\\sb=x\\sy\n"))
        #expect(read([line], dialect, .fromClient).map(\.values) == [[.text("x y")]])
    }

    @Test func exemptCommandsAreNotUnescaped() {
        let connect = read(
            "CONNECT\nhost:a\\nb:c\n\n\0", Dialects.stomp, .fromClient)
        #expect(connect.map(\.values) == [[.text("a\\nb:c"), .absent]])
        let send = read("SEND\ndestination:a\\nb\\cc\n\n\0", Dialects.stomp, .fromClient)
        #expect(send[0].values[0] == .text("a\nb:c"))
    }

    @Test func invalidEscapeIsReported() {
        let send = read("SEND\ndestination:a\\tb\n\n\0", Dialects.stomp, .fromClient)
        #expect(
            send[0].issues
                == [.badEscape(0, EscapeError(offset: 1, reason: .unknownEscape(116)))])
    }

    @Test func onlyQuotedFieldsAreUnescaped() {
        #expect(
            decode("SET a\\x41 \"b\\x41 \\\"\"", Dialects.redis, .fromClient).values
                == [.text("a\\x41"), .text("bA \"")])
    }

    @Test func reusedMessageKeepsNothingOfTheLastLine() {
        let decoder = MessageDecoder(Dialects.irc)
        var message = Message()
        decoder.decode(bytes("@label=x :s 001 a b c"), from: .fromServer, into: &message)
        decoder.decode(bytes("PING"), from: .fromServer, into: &message)
        #expect(message.arguments.count == 1 && message.elements.isEmpty)
        #expect(message.issues == [.tooFew(missing: 1)])
        #expect(message.split.tags == nil && message.split.source == nil)
        decoder.decode(bytes("NOPE"), from: .fromServer, into: &message)
        #expect(message.arguments.isEmpty && message.command == nil)
    }

    @Test func argumentBytesAreAvailableWithoutACopy() {
        let decoder = MessageDecoder(Dialects.livechat)
        var message = Message()
        let line = bytes("S0004|12|3|a\\|b")
        decoder.decode(line, from: .fromClient, into: &message)
        let counts = message.arguments.map { argument in
            message.withBytes(argument, in: line.span) { $0.count }
        }
        #expect(counts == [2, 1, 3])
        #expect(message.bytes(message.arguments[2], in: line.span) == bytes("a|b"))
        #expect(message.value(at: 9, of: decoder.commands.signatures[1], in: line.span) == .absent)
    }
}
