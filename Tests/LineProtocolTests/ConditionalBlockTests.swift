import Testing

@testable import LineProtocol

/// Blocks that depend on what the other side sent.
struct ConditionalBlockTests {
    /// Passes every line of `other` to the reader's framer.
    private func note(_ other: String, _ dialect: Dialect, in reader: inout StreamReader) {
        var framer = LineFramer(dialect, direction: reader.direction.opposite)
        framer.append(bytes(other))
        while let frame = framer.next() {
            reader.framer.recordFromOtherSide(frame, in: framer.buffer.span)
        }
    }

    private func answers(_ requests: String, isOpening: Bool = false) -> StreamReader {
        var reader = StreamReader(Dialects.pop3, .fromServer)
        if isOpening { reader.framer.noteConnected() }
        note(requests, Dialects.pop3, in: &reader)
        return reader
    }

    @Test func onlyAnswersToCertainRequestsHaveABlock() {
        let reader = answers("NOOP\r\nretr 1\r\nLIST 2\r\nLIST\r\n")
        let stream = "+OK\r\n+OK 5\r\n..a\r\n.\r\n+OK 2 5\r\n+OK\r\n1 5\r\n.\r\n"
        let frames = reader.read([bytes(stream)])
        #expect(frames.map(\.payload) == [nil, bytes("..a\r\n"), nil, bytes("1 5\r\n")])
        #expect(frames.map(\.line) == ["+OK", "+OK 5", "+OK 2 5", "+OK"].map(bytes))
        #expect(frames[1].values == [.text("5"), .bytes(bytes(".a\r\n"))])
        #expect(frames.allSatisfy { $0.issue == nil && $0.issues.isEmpty })
    }

    @Test func anErrorAnswersARequestWithoutABlock() {
        let frames = answers("RETR 9\r\nNOOP\r\nRETR 1\r\n").read([
            bytes("-ERR no such message\r\n+OK\r\n+OK\r\na\r\n.\r\n")
        ])
        #expect(frames.map(\.payload) == [nil, nil, bytes("a\r\n")])
    }

    @Test func theGreetingAnswersNoRequest() {
        let frames = answers("LIST\r\n", isOpening: true).read([
            bytes("+OK ready\r\n+OK\r\n1 5\r\n.\r\n")
        ])
        #expect(frames.map(\.payload) == [nil, bytes("1 5\r\n")])
    }

    @Test func argumentsOfSpacesAreNone() {
        #expect(answers("LIST  \r\n").read([bytes("+OK\r\n.\r\n")]).map(\.payload) == [[]])
    }

    @Test func anAnswerWithoutARequestHasNoBlock() {
        let frames = answers("").read([bytes("+OK\r\n.\r\n")])
        #expect(frames.map(\.line) == ["+OK", "."].map(bytes))
    }

    @Test func requestsStayInOrderIfSomeAreAlwaysUnanswered() {
        var reader = answers("NOOP\r\n")
        for _ in 0..<3_000 {
            note("RETR 1\r\nNOOP\r\n", Dialects.pop3, in: &reader)
            reader.append(bytes("+OK\r\n+OK\r\n.\r\n"))
        }
        let expected = (0..<6_000).map { $0 % 2 == 0 ? nil : [] as [UInt8] }
        #expect(reader.frames.map(\.payload) == expected)
    }

    @Test func everyCutGivesTheSameMessages() {
        let reader = answers("NOOP\r\nRETR 1\r\nLIST\r\nLIST 1\r\n", isOpening: true)
        let stream = bytes(
            "+OK hi\r\n+OK\r\n+OK\r\nSubject: a\r\n\r\n..b\r\n.\r\n+OK\r\n.\r\n-ERR\r\n")
        let whole = reader.read([stream])
        #expect(whole.count == 5)
        for cut in 1..<stream.count {
            let pieces = [Array(stream[..<cut]), Array(stream[cut...])]
            #expect(reader.read(pieces) == whole, "cut at \(cut)")
        }
        #expect(reader.read(stream.map { [$0] }) == whole)
    }

    @Test func theBlockAfterAnAnswerIsAMessageOfItsOwn() {
        var reader = StreamReader(Dialects.mail, .fromClient)
        reader.append(bytes("DATA\r\n"))
        note("503 no\r\n", Dialects.mail, in: &reader)
        reader.append(bytes("DATA\r\n"))
        note("354 go on\r\n", Dialects.mail, in: &reader)
        #expect(reader.framer.awaited == .block)
        reader.append(bytes("QUIT\r\n..\r\n.\r\nQUIT\r\n"))
        #expect(reader.frames.map(\.command) == ["data", "data", "text", "quit"])
        #expect(reader.frames[2].values == [.bytes(bytes("QUIT\r\n.\r\n"))])
        #expect(reader.frames[2].line.isEmpty)
        #expect(reader.frames.allSatisfy { $0.issue == nil && $0.issues.isEmpty })
        #expect(reader.framer.isAtRest)
    }

    @Test func everyCutOfABlockGivesTheSameMessages() {
        var reader = StreamReader(Dialects.mail, .fromClient)
        note("354\r\n", Dialects.mail, in: &reader)
        let stream = bytes("a\r\n..\r\n\r\n.b\r\n.\r\nQUIT\r\n")
        let whole = reader.read([stream])
        #expect(whole.map(\.command) == ["text", "quit"])
        for cut in 1..<stream.count {
            let pieces = [Array(stream[..<cut]), Array(stream[cut...])]
            #expect(reader.read(pieces) == whole, "cut at \(cut)")
        }
        #expect(reader.read(stream.map { [$0] }) == whole)
    }

    @Test func anUnfinishedBlockIsReported() {
        var reader = StreamReader(Dialects.mail, .fromClient)
        note("354\r\n", Dialects.mail, in: &reader)
        let frames = reader.read([bytes("abc\r\n")])
        #expect(frames.map(\.issue) == [.unterminated])
    }

    @Test(arguments: [false, true])
    func encodedBlocksAreRead(mergingSeparators: Bool) throws {
        var dialect = Dialects.mail
        for direction in Direction.allCases {
            dialect.syntax[direction].separatorRuns = mergingSeparators
        }
        let text = bytes(".a\r\n..\r\n")
        let stream = try encode("text", [.bytes(text)], dialect)
        #expect(stream == bytes("..a\r\n...\r\n.\r\n"))
        var reader = StreamReader(dialect, .fromClient)
        note("354\r\n", dialect, in: &reader)
        #expect(reader.read([stream]).map(\.values) == [[.bytes(text)]])
    }

    /// Every short block of special bytes, with its request or the answer that asks for it.
    @Test func everyBlockRoundTrips() throws {
        for text in words(over: Array(".a\r\n".utf8), lengthMax: 5) {
            var expected = text
            if expected.suffix(2) != [ASCII.cr, ASCII.lf] { expected += [ASCII.cr, ASCII.lf] }
            let mail = try encode("text", [.bytes(text)], Dialects.mail)
            var reader = StreamReader(Dialects.mail, .fromClient)
            note("354\r\n", Dialects.mail, in: &reader)
            let mails = reader.read([mail + bytes("QUIT\r\n")])
            #expect(mails.map(\.values) == [[.bytes(expected)], []], "\(text)")
            let answer = try encode("ok", [.text("5"), .bytes(text)], Dialects.pop3, .fromServer)
            let answers = answers("RETR 1\r\nNOOP\r\n").read([answer + bytes("+OK\r\n")])
            #expect(answers.first?.values == [.text("5"), .bytes(expected)], "\(text)")
            #expect(answers.map(\.payload?.isEmpty) == [false, nil], "\(text)")
        }
    }

    @Test(arguments: [false, true])
    func blocksHaveThePayloadLimit(enforced: Bool) {
        func frames(_ count: Int) -> [ReadFrame] {
            var reader = StreamReader(Dialects.mail, .fromClient, enforcesLimits: enforced)
            note("354\r\n", Dialects.mail, in: &reader)
            let text = String(repeating: "x", count: count - 2) + "\r\n"
            return reader.read([bytes(text + ".\r\nQUIT\r\n")])
        }
        #expect(frames(2_000).map(\.issue) == [nil, nil])
        #expect(frames(2_001).map(\.issue) == [.payloadOverLimit(length: 2_001), nil])
        #expect(frames(2_001)[0].payload?.count == 2_000)
    }

    @Test func encodedAnswersHaveTheirLines() throws {
        let text = bytes(".a\r\n..\r\n")
        let answer = try encode("ok", [.text("5"), .bytes(text)], Dialects.pop3, .fromServer)
        #expect(answer == bytes("+OK 5\r\n..a\r\n...\r\n.\r\n"))
        let bare = try encode("ok", [.text("5"), .absent], Dialects.pop3, .fromServer)
        #expect(bare == bytes("+OK 5\r\n"))
    }
}
