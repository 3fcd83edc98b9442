import Testing

@testable import LineProtocol

struct RESPTests {
    private func message(_ stream: String, _ direction: Direction = .fromServer) -> String {
        read(stream, Dialects.resp, direction).map { frame in
            let values = frame.values.map { value in
                switch value {
                case .text(let bytes): String(decoding: bytes, as: UTF8.self)
                case .int(let number): "\(number)"
                case .list(let values):
                    "["
                        + values.map {
                            if case .text(let bytes) = $0 {
                                String(decoding: bytes, as: UTF8.self)
                            } else {
                                "\($0)"
                            }
                        }
                        .joined(separator: ",") + "]"
                default: "\(value)"
                }
            }
            let issue = frame.issue.map { " \($0)" } ?? ""
            return "\(frame.command ?? "?")(\(values.joined(separator: "|")))\(issue)"
        }.joined(separator: " ")
    }

    @Test(arguments: [
        ("+OK\r\n", "simple(OK)"), ("+\r\n", "simple()"), ("-ERR no\r\n", "error(ERR no)"),
        (":-7\r\n", "integer(-7)"), ("$5\r\nhello\r\n", "string(hello)"),
        ("$0\r\n\r\n", "string()"), ("$2\r\n\r\n\r\n", "string(\r\n)"),
        ("$-1\r\n", "nullString()"), ("*-1\r\n", "nullArray()"), ("_\r\n", "null()"),
        ("*0\r\n", "array([])"), ("*2\r\n$1\r\na\r\n:2\r\n", "array([a,2])"),
        ("*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$4\r\nb\r\nc\r\n", "message(a|b\r\nc)"),
        (">3\r\n+message\r\n$1\r\na\r\n$0\r\n\r\n", "message(a|)"),
        ("*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n", "subscribed(a|1)"),
        ("%1\r\n$1\r\na\r\n*2\r\n:1\r\n*0\r\n", "map([a,*2\r\n:1\r\n*0])"),
        ("*2\r\n*1\r\n$1\r\na\r\n$1\r\nb\r\n", "array([*1\r\n$1\r\na,b])"),
        ("*2\r\n$-1\r\n_\r\n", "array([,])"),
        ("|1\r\n+ttl\r\n:3\r\n+OK\r\n", "simple(OK)"),
        ("+one\r\n\r\n+two\n", "simple(one) simple(two)"),
    ])
    func answersAreRead(stream: String, expected: String) {
        #expect(message(stream) == expected)
    }

    @Test(arguments: [
        ("*3\r\n$7\r\npublish\r\n$1\r\na\r\n$3\r\nb c\r\n", "?()"),
        ("*3\r\n$7\r\nPUBLISH\r\n$1\r\na\r\n$3\r\nb c\r\n", "publish(a|b c)"),
        ("PUBLISH a b\r\n", "publish(a|b)"), ("PUBLISH a b\n", "publish(a|b)"),
        ("  PUBLISH  a \"b \\\"\\x0a\"\r\n", "publish(a|b \"\n)"),
        ("\r\n\r\nSUBSCRIBE a b\r\nSUBSCRIBE c\r\n", "subscribe(a|[b]) subscribe(c|[])"),
    ])
    func commandsAreRead(stream: String, expected: String) {
        #expect(message(stream, .fromClient) == expected)
    }

    @Test(arguments: [
        "$x\r\n", "$-2\r\n", "$\r\n", "*1 \r\n", "*1\r\nx\r\n", "$99999999999999999999\r\n", "*\n",
    ])
    func invalidValuesAreReportedAndReadingGoesOn(stream: String) {
        let frames = read(stream + "+OK\r\n", Dialects.resp)
        #expect(frames.first?.issue == .payloadLengthInvalid, "\(frames)")
        #expect(frames.last?.command == "simple")
        #expect(frames.count == 2)
    }

    @Test func aStringWithoutItsEndIsUnterminated() {
        let frames = read("$5\r\nhel", Dialects.resp)
        #expect(frames.map(\.issue) == [.unterminated])
    }

    // MARK: Sending

    @Test func commandsAreSentAsArrays() throws {
        #expect(
            try encode("publish", [.text("a"), .text("b\r\nc")], Dialects.resp)
                == bytes("*3\r\n$7\r\nPUBLISH\r\n$1\r\na\r\n$4\r\nb\r\nc\r\n"))
        #expect(
            try encode("subscribed", [.text("a"), .int(2)], Dialects.resp, .fromServer)
                == bytes("*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:2\r\n"))
        for values: [ArgumentValue] in [[.text("message")], [.text("subscribe"), .text("a")]] {
            #expect(throws: EncodingError.self) {
                try encode("array", [.list(values)], Dialects.resp, .fromServer)
            }
        }
        #expect(throws: EncodingError.self) {
            try encode("map", [.list([.text("a")])], Dialects.resp, .fromServer)
        }
        for value in ["$", "*", "+OK", "%", "", "other"] {
            let values: [ArgumentValue] = [.list([.text(value)])]
            let sent = try encode("array", values, Dialects.resp, .fromServer)
            #expect(read([sent], Dialects.resp).map(\.values) == [values])
        }
        #expect(throws: EncodingError.self) {
            try encode("simple", [.text("a\r\nb")], Dialects.resp, .fromServer)
        }
    }

    @Test func wireTextMustBeOneValueOrOneLine() throws {
        let writer = FrameWriter(Dialects.resp, direction: .fromClient)
        for text in ["PING", "PING \"a\"", "+OK", "$1\r\na", "*1\r\n$1\r\na", "*0", "$-1"] {
            var sent: [UInt8] = []
            try writer.append(line: bytes(text), to: &sent)
            #expect(read([sent], Dialects.resp, .fromClient).map(\.line) == [bytes(text)])
        }
        for text in ["", "\r", "a\nb", "+a\r\n+b", "$2\r\na", "*2\r\n$1\r\na", "*1\r\nx", "$x"] {
            var sent: [UInt8] = []
            #expect(throws: FramingError.self, "\(text)") {
                try writer.append(line: bytes(text), to: &sent)
            }
            #expect(sent.isEmpty)
        }
    }

    // MARK: Laws

    @Test(arguments: 0..<200)
    func everyMessageIsReadAsItWasSent(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        func text() -> ArgumentValue {
            .text(
                (0..<Int.random(in: 0...30, using: &random)).map { _ in
                    Bool.random(using: &random)
                        ? UInt8.random(in: 0...255, using: &random)
                        : bytes("\r\n$*\"")[Int.random(in: 0..<5, using: &random)]
                })
        }
        let list = ArgumentValue.list(
            (0..<Int.random(in: 0...3, using: &random)).map { _ in text() })
        let messages: [(String, [ArgumentValue], Direction)] = [
            ("publish", [text(), text()], .fromClient),
            ("subscribe", [text(), list], .fromClient),
            ("message", [text(), text()], .fromServer),
            ("subscribed", [text(), .int(Int64.random(in: -9...9, using: &random))], .fromServer),
            ("string", [text()], .fromServer), ("integer", [.int(7)], .fromServer),
            ("nullString", [], .fromServer), ("null", [], .fromServer),
        ]
        for (name, values, direction) in messages {
            let sent = try encode(name, values, Dialects.resp, direction)
            let read = read([sent], Dialects.resp, direction)
            #expect(read.map(\.command) == [name])
            #expect(read.map(\.values) == [values])
            #expect(read.first?.issues == [])
        }
    }

    @Test func everyCutGivesTheSameMessages() {
        let stream = bytes(
            "+OK\r\n*2\r\n$4\r\na\r\nb\r\n%1\r\n+k\r\n*1\r\n:1\r\n$-1\r\n\r\n$x\r\n|1\r\n+a\r\n+b\r\n_\r\n"
                + "*2\r\n$30\r\n\(String(repeating: "x", count: 30))\r\n:1\r\nPUBLISH a b\r\n"
                + "$40\r\n\(String(repeating: "y", count: 40))\r\n+\(String(repeating: "z", count: 99))\r\n"
                + "\(String(repeating: "i", count: 99))\n$1\r\na\r\n*1\r\n$3\r\nend")
        for payloadMax in [1_024, 39, 20, 3] {
            let dialect = Dialects.resp(payloadMax: payloadMax)
            let whole = read([stream], dialect)
            #expect(readBytewise(stream, dialect, .fromServer) == whole)
            for cut in 0...stream.count {
                let pieces = [Array(stream[..<cut]), Array(stream[cut...])]
                #expect(read(pieces, dialect) == whole, "\(payloadMax) \(cut)")
            }
        }
    }

    @Test func limitsApplyToWholeValues() {
        // 7 bytes for the length and the line ends.
        for (count, isOver) in [(33, false), (34, true)] {
            let value = "$\(count)\r\n\(String(repeating: "x", count: count))\r\n"
            for stream in [value, "*1\r\n" + value] {
                let max = stream.utf8.count - (isOver ? 1 : 0)
                let frames = read(stream + "+OK\r\n", Dialects.resp(payloadMax: max))
                #expect(
                    frames.map(\.issue)
                        == [isOver ? .payloadOverLimit(length: stream.utf8.count) : nil, nil])
                #expect(frames.last?.command == "simple")
            }
        }
        for excess in [0, 1] {
            let line = String(repeating: "x", count: 62 + excess)
            #expect(
                read(line + "\r\n", Dialects.resp, .fromClient).map(\.issue)
                    == [excess == 0 ? nil : .lineOverLimit(excess: 1)])
        }
    }

    @Test func valuesOverTheLimitAreNotBuffered() {
        var reader = StreamReader(Dialects.resp(payloadMax: 100), .fromServer)
        reader.append(bytes("*1000000\r\n"))
        for _ in 0..<10_000 { reader.append(bytes("$9\r\n123456789\r\n")) }
        #expect(reader.heldMost < 200)
        reader = StreamReader(Dialects.resp(payloadMax: 100), .fromServer)
        reader.append(bytes("$1000000\r\n"))
        for _ in 0..<1_000 { reader.append([UInt8](repeating: 0x0A, count: 1_000)) }
        reader.append(bytes("\r\n+OK\r\n"))
        #expect(reader.heldMost < 200)
        #expect(reader.frames.map(\.command) == [nil, "simple"])
    }

    @Test(arguments: 0..<300)
    func arbitraryBytesAreReadWithoutACrash(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let alphabet = bytes("$*%>|+-:_123 0\r\n\r\n\"a\\")
        let stream = (0..<60).map { _ in
            alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        }
        for direction in Direction.allCases {
            let whole = read([stream], Dialects.resp(payloadMax: 30), direction)
            #expect(readBytewise(stream, Dialects.resp(payloadMax: 30), direction) == whole)
        }
    }
}
