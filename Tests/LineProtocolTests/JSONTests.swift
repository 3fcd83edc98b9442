import Testing

@testable import LineProtocol

/// Lines that are JSON objects.
@Suite struct JSONTests {
    private func values(_ line: String, _ dialect: Dialect = Dialects.jsonl) -> ReadFrame {
        decode(line, dialect)
    }

    // MARK: Commands

    @Test func commandIsTheValueOfAKey() {
        let read = values(#" { "room" : "x" , "type" : "join" } "#)
        #expect(read.command == "join")
        #expect(read.values == [.text("x")])
        #expect(read.issues == [])
    }

    @Test func escapedKeysAndCommandsAreTheSame() {
        let read = values(#"{"\u0074ype":"jo\u0069n","r\u006fom":"x"}"#)
        #expect(read.command == "join")
        #expect(read.values == [.text("x")])
    }

    @Test func commandCanBeNested() throws {
        let read = values(#"{"text":"hi","header":{"id":7,"type":"say"}}"#, Dialects.nestedJSON)
        #expect(read.command == "say")
        #expect(read.values == [.text("hi"), .int(7)])
        #expect(read.issues == [])
        #expect(
            try encode("say", [.text("hi"), .int(7)], Dialects.nestedJSON)
                == bytes("{\"header\":{\"type\":\"say\",\"id\":7},\"text\":\"hi\"}\n"))
    }

    @Test func commandCanBeTheOnlyKey() throws {
        let read = values(#"{"say":{"text":"hi"}}"#, Dialects.onlyKeyJSON)
        #expect(read.command == "say")
        #expect(read.values == [.text("hi")])
        #expect(values(#"{"quit":true}"#, Dialects.onlyKeyJSON).command == "quit")
        #expect(values(#"{"count":[1,2]}"#, Dialects.onlyKeyJSON).values == [.json(bytes("[1,2]"))])
        #expect(values(#"{"quit":1,"say":2}"#, Dialects.onlyKeyJSON).issues == [.unknownCommand])
        #expect(try encode("quit", [], Dialects.onlyKeyJSON) == bytes("{\"quit\":{}}\n"))
        #expect(
            try encode("say", [.text("a\"")], Dialects.onlyKeyJSON)
                == bytes("{\"say\":{\"text\":\"a\\\"\"}}\n"))
    }

    @Test func commandCanBeAMethodOfJSONRPC() throws {
        let request = #"{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}"#
        let read = values(request, Dialects.rpc)
        #expect(read.command == "subtract")
        #expect(read.values == [.int(42), .int(23), .int(1)])
        #expect(
            try encode("subtract", [.int(42), .int(23), .int(1)], Dialects.rpc)
                == bytes(request + "\n"))
        let result = values(#"{"jsonrpc":"2.0","result":-19,"id":1}"#, Dialects.rpc)
        #expect(result.command == "result")
        #expect(result.values == [.json(bytes("-19")), .int(1)])
        let error = #"{"jsonrpc":"2.0","error":{"code":-32700,"message":"no"},"id":null}"#
        let refused = values(error, Dialects.rpc)
        #expect(refused.command == "error")
        #expect(refused.values == [.int(-32_700), .text("no"), .json(bytes("null"))])
        #expect(try encode("error", refused.values, Dialects.rpc) == bytes(error + "\n"))
        let notification = values(#"{"method":"update","params":{"text":"x"}}"#, Dialects.rpc)
        #expect(notification.values == [.text("x")])
    }

    @Test func commandCanBeANumber() throws {
        let line = #"{"op":10,"d":{"heartbeat_interval":41250}}"#
        #expect(values(line, Dialects.opcodes).values == [.int(41_250)])
        #expect(try encode("hello", [.int(41_250)], Dialects.opcodes) == bytes(line + "\n"))
    }

    // MARK: Arguments

    static let allValues: [ArgumentValue] = [
        .text("a\né😀"), .int(-7), .decimal(Decimal64(unscaled: 150, scale: 2)), .bool(true),
        .time(3_000_000_000), .time(0), .choice(1), .json(bytes(#"{"a":[1,{}]}"#)),
        .list([.text("a,b"), .text(""), .text("c\t")]), .list([.int(1), .int(-2)]), .text("x"),
        .int(9), .text("y"),
    ]

    @Test func argumentsHaveTypes() throws {
        let read = values(Dialects.everyType)
        #expect(read.values == Self.allValues)
        #expect(read.issues == [])
        let sent = try encode("all", Self.allValues, Dialects.jsonl)
        let again = decode(String(decoding: sent.dropLast(), as: UTF8.self), Dialects.jsonl)
        #expect(again.values == Self.allValues)
        #expect(again.issues == [])
    }

    @Test(arguments: [
        "1.0", "10e-1", "0.1E+1", "100e-2", "1",
    ])
    func numbersAreReadInAnySpelling(spelling: String) {
        let line =
            #"{"type":"all","int":\#(spelling),"decimal":\#(spelling),"ints":[\#(spelling)]}"#
        let read = values(line)
        #expect(read.values[1] == .int(1))
        #expect(read.values[9] == .list([.int(1)]))
    }

    @Test(arguments: [
        "9223372036854775808", "1.5", "1e19", "1e-1", "1e99999999999999999999", "\"1\"", "true",
        "null", "[]", "{}",
    ])
    func otherNumbersAreNotIntegers(value: String) {
        let read = values(#"{"type":"all","int":\#(value)}"#)
        #expect(read.values[1] == .int(0))
        #expect(read.issues.contains(.invalidArgument(1)))
    }

    @Test func largestIntegersFit() {
        for number in [Int64.max, .min] {
            #expect(values(#"{"type":"all","int":\#(number)}"#).values[1] == .int(number))
        }
    }

    @Test func valuesOfOtherTypesAreInvalid() {
        let read = values(
            #"{"type":"all","text":1,"flag":"true","choice":"x","texts":[1],"ints":{},"date":0}"#)
        for index in [0, 3, 5, 6, 8, 9] {
            #expect(read.issues.contains(.invalidArgument(index)), "argument \(index)")
        }
    }

    @Test func nullOmitsAnOptionalArgument() {
        #expect(values(#"{"type":"note","text":null}"#).values == [.absent])
        #expect(values(#"{"type":"note"}"#).values == [.absent])
        #expect(values(#"{"type":"note","text":null}"#).issues == [])
        #expect(values(#"{"type":"join","room":null}"#).issues == [.invalidArgument(0)])
    }

    @Test func missingAndUnknownKeysAreCounted() {
        #expect(values(#"{"type":"join"}"#).issues == [.tooFew(missing: 1)])
        #expect(
            values(#"{"type":"join","room":"x","a":1,"b":{"c":2}}"#).issues == [.tooMany(extra: 2)])
        let many = (0..<70).map { #""k\#($0)":0"# }.joined(separator: ",")
        #expect(
            values("{\"type\":\"join\",\"room\":\"x\",\(many)}").issues == [.tooMany(extra: 70)])
    }

    @Test func lastOfDuplicateKeysCountsUnlessTheDialectSaysOtherwise() {
        #expect(values(#"{"type":"join","room":"a","room":"b"}"#).values == [.text("b")])
        let nested = #"{"header":{"type":"say","id":1,"id":2},"text":"a","text":"b"}"#
        #expect(values(nested, Dialects.nestedJSON).values == [.text("a"), .int(1)])
    }

    // MARK: Invalid lines

    @Test(arguments: [
        ("", JSONError.Reason.incomplete), ("x", .notAnObject), ("[1]", .notAnObject),
        ("{", .incomplete), ("{\"a\"", .incomplete), ("{\"a\":", .incomplete),
        ("{\"a\":1", .incomplete), ("{\"a", .incomplete), ("{\"a\":tru", .incomplete),
        ("{\"a\":\"\\u12", .incomplete), ("{a:1}", .expectedKey), ("{\"a\" 1}", .expectedColon),
        ("{\"a\":x}", .expectedValue), ("{\"a\":1,}", .expectedKey),
        ("{\"a\":[1,]}", .expectedValue), ("{\"a\":[1 2]}", .expectedCommaOrEnd),
        ("{\"a\":01}", .badNumber), ("{\"a\":1.}", .badNumber), ("{\"a\":-}", .badNumber),
        ("{\"a\":+1}", .expectedValue), ("{\"a\":1e}", .badNumber),
        ("{\"a\":NaN}", .expectedValue), ("{\"a\":\"\\x\"}", .badEscape),
        ("{\"a\":\"\\u12g4\"}", .badEscape), ("{\"a\":\"\t\"}", .controlByte),
        ("{\"a\":1}}", .textAfterObject), ("{\"a\":1} x", .textAfterObject),
        ("{\"a\":[}]}", .expectedValue), ("{\"a\":{]}}", .expectedKey),
        ("{'a':1}", .expectedKey),
    ])
    func invalidLinesAreReported(line: String, reason: JSONError.Reason) {
        let read = values(line)
        #expect(read.command == nil)
        guard case .notJSON(let error) = read.issues.first else {
            Issue.record("\(read.issues)")
            return
        }
        #expect(error.reason == reason)
        #expect(error.offset >= 0 && error.offset <= line.utf8.count)
        #expect(!error.words.isEmpty)
    }

    @Test func depthIsLimited() {
        func nested(_ depth: Int) -> ReadFrame {
            let open = (1..<depth).map { $0 % 2 == 0 ? "[" : "{\"a\":" }.joined()
            let close = (1..<depth).map { $0 % 2 == 0 ? "]" : "}" }.reversed().joined()
            return values("{\"type\":\"join\",\"room\":\"x\",\"b\":\(open)1\(close)}")
        }
        #expect(nested(JSONSyntax.depthMax).issues == [.tooMany(extra: 1)])
        guard case .notJSON(let error) = nested(JSONSyntax.depthMax + 1).issues.first else {
            Issue.record("a value deeper than the maximum was accepted")
            return
        }
        #expect(error.reason == .tooDeep)
    }

    @Test func sizeIsLimited() {
        let overhead = bytes("{\"type\":\"join\",\"room\":\"\"}\n").count
        for excess in [0, 1] {
            let room = String(repeating: "x", count: 4_096 - overhead + excess)
            let read = read(
                "{\"type\":\"join\",\"room\":\"\(room)\"}\n", Dialects.jsonl, enforcesLimits: true)
            #expect(read.first?.issue == (excess == 0 ? nil : .lineOverLimit(excess: 1)))
            if excess == 0 { #expect(read.first?.values == [.text(room)]) }
        }
    }

    // MARK: Laws

    @Test(arguments: [1, 2, 3, 7, 8, 9])
    func piecesOfAnyLengthGiveTheSameMessages(length: Int) {
        let stream = bytes(
            Dialects.everyType
                + "\n{\"type\":\"join\",\"room\":\"\\\"x\"}\n{bad}\n\n{\"type\":\"note\"}\n")
        let whole = read([stream], Dialects.jsonl)
        let pieces = stride(from: 0, to: stream.count, by: length).map {
            Array(stream[$0..<min($0 + length, stream.count)])
        }
        #expect(read(pieces, Dialects.jsonl) == whole)
        for cut in stride(from: 0, to: stream.count, by: 1) {
            #expect(read([Array(stream[..<cut]), Array(stream[cut...])], Dialects.jsonl) == whole)
        }
    }

    @Test(arguments: 0..<200)
    func everyTextIsReadAsItWasSent(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let scalars: [ClosedRange<UInt32>] = [
            0...0x7F, 0x22...0x22, 0x5C...0x5C, 0x80...0xD7FF, 0xE000...0x10FFFF,
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...40, using: &random) {
            let range = scalars[Int.random(in: 0..<scalars.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
                text.unicodeScalars.append(scalar)
            }
        }
        let values: [ArgumentValue] = [.text(text)]
        for dialect in [Dialects.jsonl, Dialects.onlyKeyJSON] {
            let name = dialect.name == "jsonl" ? "join" : "say"
            let sent = try encode(name, values, dialect)
            #expect(!sent.dropLast().contains { $0 < 0x20 })
            let read = read([sent], dialect)
            #expect(read.map(\.values) == [values])
            #expect(read.first?.issues == [])
        }
    }

    @Test func textThatIsNotUTF8IsRefused() {
        for text: [UInt8] in [
            [0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ] {
            #expect(throws: EncodingError.self) {
                try encode("join", [.text(text)], Dialects.jsonl)
            }
        }
    }

    @Test func jsonThatIsNotAValueIsRefused() {
        for text in ["", "x", "{", "1 ", " 1", "1 2", "{\"a\":1}}"] {
            var values = Self.allValues
            values[7] = .json(bytes(text))
            #expect(throws: EncodingError.self, "\(text)") {
                try encode("all", values, Dialects.jsonl)
            }
        }
    }

    @Test func halfOfASurrogatePairIsReported() {
        for text in ["\\ud800", "\\udc00", "\\ud800x", "\\ud800\\ud800"] {
            guard
                case .badEscape(0, let error)? = values(#"{"type":"join","room":"\#(text)"}"#)
                    .issues.first
            else {
                Issue.record("\(text)")
                continue
            }
            #expect(error.reason == .loneSurrogate)
        }
    }

    @Test(arguments: 0..<300)
    func arbitraryBytesAreReadAndTheirValuesCanBeSent(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        var line = bytes(Dialects.everyType)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let index = Int.random(in: 0..<line.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: line[index] = UInt8.random(in: 0...255, using: &random)
            case 1: line.remove(at: index)
            default:
                line.insert(
                    bytes("\"{}[],:\\0e-.")[Int.random(in: 0..<12, using: &random)], at: index)
            }
        }
        var message = Message()
        for dialect in [Dialects.jsonl, Dialects.nestedJSON, Dialects.onlyKeyJSON, Dialects.rpc] {
            MessageDecoder(dialect).decode(line, from: .fromServer, into: &message)
            guard let command = message.command, message.issues.isEmpty else { continue }
            // What is read without an issue can be sent, and is then read as the same values.
            // Only text that is not UTF-8 is read leniently and cannot be sent.
            guard String(validating: line, as: UTF8.self) != nil else { continue }
            let signature = dialect.commands.signatures[command]
            let values = message.values(of: signature, in: line.span)
            let sent = try encode(signature.name, values, dialect)
            #expect(read([sent], dialect).map(\.values) == [values])
        }
    }

    @Test func canonicalTextIgnoresSpelling() {
        #expect(
            JSONText.isSame(
                bytes(#"{"a":1.0,"b":["\u0041",{"d":null,"c":10e2}]}"#),
                bytes(#" { "b" : [ "A" , {"c":1000,"d":null} ] , "a" : 1 } "#)))
        for (one, other) in [
            ("1", "2"), ("1", "\"1\""), ("[1]", "[1,1]"), ("{}", "[]"), ("0.1", "1"),
        ] {
            #expect(!JSONText.isSame(bytes(one), bytes(other)), "\(one) \(other)")
        }
        #expect(JSONText.isSame(bytes("-0"), bytes("0.0")))
    }
}
