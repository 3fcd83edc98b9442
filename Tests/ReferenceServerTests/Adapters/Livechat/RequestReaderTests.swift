import LineProtocol
import ReferenceServer
import Testing

@Suite struct RequestReaderTests {
    /// Splits `bytes` into lines as the server does and reads each.
    private func read(
        _ bytes: [UInt8], _ change: (inout Dialect) -> Void = { _ in }
    ) throws -> [RequestReader.Reading] {
        var dialect = try livechat()
        change(&dialect)
        var reader = try RequestReader(dialect, nicknameBytesMax: 64)
        var framer = LineFramer(dialect, direction: .fromClient, enforcesLimits: true)
        let line = RequestLine(dialect)
        framer.append(bytes)
        var readings: [RequestReader.Reading] = []
        while let frame = framer.next() {
            line.decode(framer.buffer, frame)
            readings.append(reader.read(line))
        }
        return readings
    }

    @Test(
        arguments: [
            (
                "S0001|Joe|pw|1",
                .login(nickname: "Joe".bytes, password: "pw".bytes, isVisitor: true)
            ),
            ("S0001|J\\|o\\\\e", .login(nickname: #"J|o\e"#.bytes, password: [], isVisitor: false)),
            ("S0002", .logout),
            ("S0003|a b", .ping(token: "a b".bytes)),
            (
                "S0004|1|5|x\\ny",
                .say(from: 1, chat: 5, text: "x\ny".bytes, isHidden: false)
            ),
            ("S0005|5", .join(chat: 5)),
            ("S0006|5", .leave(chat: 5)),
            ("S0007|Joe|", .sayPrivately(to: "Joe".bytes, text: [])),
            ("S0008|5", .who(chat: 5)),
            ("S0009|5|10", .history(chat: 5, count: 10)),
            ("S0010|5|<a/>", .runAction(chat: 5, action: "<a/>".bytes)),
            ("S0011|0|5|x", .say(from: 0, chat: 5, text: "x".bytes, isHidden: true)),
        ] as [(String, ChatRequest)])
    func linesAreDecodedByTheDialect(line: String, request: ChatRequest) throws {
        #expect(try read((line + "\n").bytes) == [.request(request)])
    }

    @Test(
        arguments: [
            ("S0001", .login(nickname: [], password: [], isVisitor: false)),
            ("S0003", .ping(token: [])),
            ("S0004", .say(from: 0, chat: 0, text: [], isHidden: false)),
            ("S0004|0|5", .say(from: 0, chat: 5, text: [], isHidden: false)),
            ("S0005", .join(chat: 0)),
            ("S0008", .who(chat: 0)),
            ("S0009|5", .history(chat: 5, count: 512)),
            ("S0010|5", .runAction(chat: 5, action: [])),
        ] as [(String, ChatRequest)])
    func missingArgumentsOfAnOlderPeerAreFilled(line: String, request: ChatRequest) throws {
        #expect(try read((line + "\n").bytes) == [.request(request)])
    }

    @Test func surplusArgumentsAreIgnoredWithOneWarningPerCommand() throws {
        let readings = try read("S0005|1|x|y\nS0005|2|x\nS0006|1|x\nS0006|1\n".bytes)
        #expect(
            readings == [
                .surplus(.join(chat: 1), command: "join", extra: 2),
                .request(.join(chat: 2)),
                .surplus(.leave(chat: 1), command: "leave", extra: 1),
                .request(.leave(chat: 1)),
            ])
    }

    @Test(arguments: ["abc", "1x", "9223372036854775808", "0x1", "1e3"])
    func invalidNumberIsZero(number: String) throws {
        #expect(try read("S0005|\(number)\n".bytes) == [.request(.join(chat: 0))])
    }

    @Test func stricterDialectRefuses() throws {
        let readings = try read("S0005|abc\nS0005|1|2\nS0004|1\n".bytes) {
            $0.tolerance = Tolerance(tooFew: .reject, tooMany: .reject, mismatch: .reject)
        }
        let explanations = readings.compactMap { reading -> String? in
            guard case .request(.unreadable(_, let refusal)) = reading else { return nil }
            return refusal.reason
        }
        #expect(
            explanations == [
                "chat must be of type int", "too many arguments: 1 extra", "missing arguments: 2",
            ])
    }

    @Test(arguments: [
        ("S9999|x", "S9999"), ("R0004|1|x|Joe|1|0", "R0004"), ("s0002", "s0002"), ("|x", ""),
        (" S0002", " S0002"), ("S0002 ", "S0002 "),
        (String(repeating: "x", count: 100), String(repeating: "x", count: 32)),
        (String(repeating: "é", count: 100), String(repeating: "é", count: 16)),
        ("a" + String(repeating: "é", count: 100), "a" + String(repeating: "é", count: 15)),
    ])
    func unknownCommandIsNamedInShortForm(line: String, echoed: String) throws {
        let refusal = Refusal(.notUnderstood, "no such command")
        #expect(
            try read((line + "\n").bytes)
                == [.request(.unreadable(.wire(echoed.bytes), refusal))])
    }

    private func pingLine(bytes: Int) -> [UInt8] {
        "S0003|".bytes + Array(repeating: 0x78, count: bytes - 7) + [ASCII.lf]
    }

    @Test func lineMayBeAsLongAsTheLimit() throws {
        let readings = try read(pingLine(bytes: 65_536) + pingLine(bytes: 65_537))
        guard case .request(.ping(let token)) = readings[0] else {
            Issue.record("a line of the maximum was refused")
            return
        }
        #expect(token.count == 65_529)
        let refusal = Refusal(.tooLong, "line too long")
        #expect(readings[1] == .request(.unreadable(.wire("S0003".bytes), refusal)))
    }

    @Test func tailOfALongLineIsNeverACommand() throws {
        let long = "S0003|".bytes + Array(repeating: 0x78, count: 200_000) + "|S0002".bytes
        let readings = try read(long + "\nS0002\n".bytes)
        #expect(readings.count == 2)
        #expect(readings.last == .request(.logout))
    }

    @Test(arguments: [
        (Framing.Overflow.discard, RequestReader.Reading.nothing), (.close, .end(.lineTooLong)),
    ])
    func dialectDecidesAboutLongLines(
        overflow: Framing.Overflow, reading: RequestReader.Reading
    ) throws {
        #expect(
            try read(pingLine(bytes: 65_537)) { $0.framing.fromClient.overflow = overflow }
                == [reading])
    }

    @Test func textTooLongToRelayIsRefused() throws {
        // Each raw CR is relayed as two bytes.
        let text = [UInt8](repeating: ASCII.cr, count: 40_000)
        let refusal = Refusal(.tooLong, "too long to relay")
        let line = "S0007|Joe|".bytes + text + [ASCII.lf]
        #expect(try read(line) == [.request(.unreadable(.verb(.sendPrivate), refusal))])
        let fitting = "S0007|Joe|".bytes + text.prefix(30_000) + [ASCII.lf]
        let expected = ChatRequest.sayPrivately(to: "Joe".bytes, text: Array(text.prefix(30_000)))
        #expect(try read(fitting) == [.request(expected)])
    }

    @Test func longestAcceptedTextIsRelayedWithinTheLimit() throws {
        let dialect = try livechat()
        let lineBytesMax = dialect.framing.fromServer.limits.lineBytesMax
        let lengths = [lineBytesMax - 128 - 2 * 64, lineBytesMax - 128 - 2 * 64 + 1]
        let accepted = try lengths.map { length in
            let text = [UInt8](repeating: 0x78, count: length)
            let reading = try read("S0004|0|1|".bytes + text + [ASCII.lf])
            return reading == [.request(.say(from: 0, chat: 1, text: text, isHidden: false))]
        }
        #expect(accepted == [true, false])
        let record = ChatRecord(
            identifier: .max, time: .max, text: [UInt8](repeating: 0x78, count: lengths[0]),
            sender: ChatUser([UInt8](repeating: ASCII.pipe, count: 64)), isHidden: true)
        var line: [UInt8] = []
        try NoticeWriter(dialect).append(.record(record, chat: .number(.max)), to: &line)
        #expect(line.count <= lineBytesMax)
    }
}
