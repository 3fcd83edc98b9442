import ChatModel
import LineProtocol
import Testing

/// Conversion of arguments by the types of the property and the dialect.
@Suite struct ArgumentConversionTests {
    enum Mood: String, Codable {
        case happy, sad
    }

    struct Everything: ChatCommand, Equatable {
        var flag: Bool
        var small: Int8
        var number: Int
        var price: Decimal64
        var ratio: Double
        var text: String
        var raw: [UInt8]
        var at: Timestamp
        var mood: Mood
        var chats: [Int]
        var names: [String]
        var flags: [Bool]
    }

    /// A dialect with the command `X|…`, which has one argument per property of ``Everything``.
    private func dialect(_ tolerance: Tolerance = Tolerance()) throws -> Dialect {
        let comma = UInt8(ascii: ",")
        return try livechat().with(
            CommandSignature(
                name: "everything", wire: .exact([UInt8(ascii: "X")]), direction: .both,
                arguments: [
                    ArgumentSignature("flag", .bool(BoolSpelling(yes: ["yes", "y"], no: ["no"]))),
                    ArgumentSignature("small", .int), ArgumentSignature("number", .int),
                    ArgumentSignature("price", .decimal), ArgumentSignature("ratio", .decimal),
                    ArgumentSignature("text", .text), ArgumentSignature("raw", .bytes),
                    ArgumentSignature("at", .time(.rfc3339)),
                    ArgumentSignature("mood", .choice(["happy", "sad"])),
                    ArgumentSignature("chats", .list(of: .int, separator: comma)),
                    ArgumentSignature("names", .list(of: .text, separator: comma)),
                    ArgumentSignature("flags", .list(of: .bool(.digits), separator: comma)),
                ], tolerance: tolerance))
    }

    private let line =
        "X|yes|-7|9000000000|19.90|0.5|Zoë|\u{1}\u{2}|2012-06-30T23:59:59.000Z|sad|3,17,2134|Ann,Joe|1,0"

    private let everything = Everything(
        flag: true, small: -7, number: 9_000_000_000, price: Decimal64(unscaled: 1990, scale: 2),
        ratio: 0.5, text: "Zoë", raw: [1, 2],
        at: Timestamp(nanoseconds: 1_341_100_799_000_000_000), mood: .sad, chats: [3, 17, 2134],
        names: ["Ann", "Joe"], flags: [true, false])

    @Test func decodesEveryArgumentKind() throws {
        #expect(try dialect().read(Everything.self, line) == everything)
    }

    @Test func encodesEveryPropertyKind() throws {
        let dialect = try dialect()
        let written = try dialect.line(everything)
        #expect(try dialect.read(Everything.self, written) == everything)
        #expect(written.hasPrefix("X|yes|-7|9000000000|19.90|0.5|Zoë|"))
        #expect(written.hasSuffix("|sad|3,17,2134|Ann,Joe|1,0"))
    }

    @Test func missingArgumentsOfEveryKindAreEmpty() throws {
        #expect(
            try dialect().read(Everything.self, "X|no")
                == Everything(
                    flag: false, small: 0, number: 0, price: Decimal64(unscaled: 0, scale: 0),
                    ratio: 0, text: "", raw: [], at: Timestamp(nanoseconds: 0), mood: .happy,
                    chats: [], names: [], flags: []))
    }

    @Test func aNumberThatThePropertyCannotHoldIsAnError() throws {
        let error = #expect(throws: CommandError.self) {
            try dialect().read(Everything.self, "X|no|300")
        }
        #expect(error?.code == .valueMismatch)
        #expect(error?.description == "everything, argument 2 (small): 300 does not fit in Int8")
    }

    @Test func aToleratedValueOfAnotherTypeIsZero() throws {
        #expect(try dialect().read(Everything.self, "X|no|seven|8")?.small == 0)
        #expect(try dialect().read(Everything.self, "X|no|seven|8")?.number == 8)
    }

    @Test func anIntolerableValueOfAnotherTypeIsAnError() throws {
        let error = #expect(throws: CommandError.self) {
            try dialect(Tolerance(mismatch: .reject)).read(Everything.self, "X|no|se\u{7}en|8")
        }
        #expect(
            error?.description
                == #"everything, argument 2 (small): expected int, got "se\x07en""#)
        #expect(error?.position == 1)
    }

    @Test func anIntolerableMissingArgumentIsAnError() throws {
        let error = #expect(throws: CommandError.self) {
            try dialect(Tolerance(tooFew: .reject)).read(Everything.self, "X|no|1")
        }
        #expect(error?.code == .missingArgument)
        #expect(
            error?.description
                == "everything, argument 3 (number): required arguments missing: 10")
    }

    @Test func intolerableExtraArgumentsAreAnError() throws {
        let error = #expect(throws: CommandError.self) {
            try dialect(Tolerance(tooMany: .reject)).read(Everything.self, line + "|1|2")
        }
        #expect(error?.code == .extraArguments)
        #expect(error?.command == "everything")
    }

    @Test func anUnencodableValueIsReportedWithItsPosition() throws {
        var command = everything
        command.names = ["Ann", "Joe,Jim"]
        let error = #expect(throws: CommandError.self) { try dialect().line(command) }
        #expect(error?.code == .unsendable)
        #expect(
            error?.description == """
                everything, argument 11 (names): expected list of text; no element may contain \
                the separator, and a list cannot consist of one empty element
                """)
    }

    @Test func aNumberWithoutADecimalFormIsAnError() throws {
        var command = everything
        command.ratio = .infinity
        let error = #expect(throws: CommandError.self) { try dialect().line(command) }
        #expect(error?.position == 4)
        #expect(error?.message == "inf cannot be written as a decimal of at most 18 digits")
    }

    @Test func anOptionalPropertyIsNilIfTheArgumentIsMissing() throws {
        struct Away: ChatCommand, Equatable {
            var since: Timestamp?
            var text: String?
            var count: Int?
        }
        let dialect = try livechat().with(
            CommandSignature(
                name: "away", wire: .exact([UInt8(ascii: "A")]), direction: .both,
                arguments: [
                    ArgumentSignature("since", .time(.unixSeconds)),
                    ArgumentSignature("text", .text, presence: .optional),
                    ArgumentSignature("count", .int, presence: .optional),
                ]))
        let short = Away(since: Timestamp(nanoseconds: 5_000_000_000), text: "lunch")
        #expect(try dialect.read(Away.self, "A|5|lunch") == short)
        #expect(try dialect.line(short) == "A|5|lunch")
        #expect(
            try dialect.line(Away(since: Timestamp(nanoseconds: 0), text: "x", count: 2))
                == "A|0|x|2")
    }

    @Test func aVariadicArgumentIsAnArray() throws {
        struct Many: ChatCommand, Equatable {
            var first: Int
            var rest: [String]
        }
        let dialect = try livechat().with(
            CommandSignature(
                name: "many", wire: .exact([UInt8(ascii: "M")]), direction: .both,
                arguments: [
                    ArgumentSignature("first", .int),
                    ArgumentSignature("rest", .text, presence: .variadic),
                ]))
        let command = Many(first: 1, rest: ["a", "b|c", ""])
        #expect(try dialect.line(command) == #"M|1|a|b\|c|"#)
        #expect(try dialect.read(Many.self, #"M|1|a|b\|c|"#) == command)
        #expect(try dialect.read(Many.self, "M|1") == Many(first: 1, rest: []))
        #expect(try dialect.line(Many(first: 1, rest: [])) == "M|1")
    }

    @Test func invalidUTF8IsReplaced() throws {
        var map = CommandMap<LiveChat.Joined>(try livechat(), from: .fromServer)
        try map.on(LiveChat.Joined.self) { $0 }
        var reader = CommandReader(map)
        reader.append(Array("R0005|1|J".utf8) + [0xFF] + Array("e\n".utf8))
        #expect(try reader.next()?.nickname == "J\u{FFFD}e")
    }
}
