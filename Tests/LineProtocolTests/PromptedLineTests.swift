import Testing

@testable import LineProtocol

/// Lines without a command that the other side asks for.
struct PromptedLineTests {
    /// Returns a reader of the client's lines after the server's answers.
    private func reader(after answers: String) -> StreamReader {
        var reader = StreamReader(Dialects.mail, .fromClient)
        var framer = LineFramer(Dialects.mail, direction: .fromServer)
        framer.append(bytes(answers))
        while let frame = framer.next() {
            reader.framer.recordFromOtherSide(frame, in: framer.buffer.span)
        }
        return reader
    }

    @Test func theLineAfterAPromptIsOneArgument() {
        let frames = reader(after: "334 name\r\n").read([bytes("QUIT now\r\nQUIT\r\n")])
        #expect(frames.map(\.command) == ["response", "quit"])
        #expect(frames[0].values == [.text("QUIT now")])
        #expect(frames.allSatisfy { $0.line.isEmpty == ($0.payload != nil) && $0.issue == nil })
    }

    @Test func otherAnswersDoNotPrompt() {
        let frames = reader(after: "503 no\r\n").read([bytes("QUIT\r\n")])
        #expect(frames.map(\.command) == ["quit"])
    }

    @Test func theLastAnswerDecidesWhatFollows() {
        #expect(reader(after: "334\r\n354\r\n").framer.awaited == .block)
        #expect(reader(after: "354\r\n334\r\n").framer.awaited == .line)
    }

    @Test func everyCutGivesTheSameMessages() {
        let reader = reader(after: "334\r\n")
        for stream in ["a b\r\nQUIT\r\n", "\r\nQUIT\r\n", ".\r\nQUIT\r\n"].map(bytes) {
            let whole = reader.read([stream])
            #expect(whole.map(\.command) == ["response", "quit"])
            for cut in 1..<stream.count {
                let pieces = [Array(stream[..<cut]), Array(stream[cut...])]
                #expect(reader.read(pieces) == whole, "cut at \(cut)")
            }
            #expect(reader.read(stream.map { [$0] }) == whole)
        }
    }

    @Test func everyEncodedLineIsRead() throws {
        let reader = reader(after: "334\r\n")
        for text in words(over: Array(".a +".utf8), lengthMax: 4) {
            let line = try encode("response", [.bytes(text)], Dialects.mail)
            #expect(line == text + bytes("\r\n"))
            let frames = reader.read([line + bytes("QUIT\r\n")])
            #expect(frames.map(\.values) == [[.text(String(decoding: text, as: UTF8.self))], []])
        }
        #expect(throws: EncodingError.self) {
            try encode("response", [.text("a\r\nQUIT")], Dialects.mail)
        }
    }

    @Test func anUnfinishedLineIsReported() {
        let frames = reader(after: "334\r\n").read([bytes("abc")])
        #expect(frames.map(\.issue) == [.unterminated])
        #expect(frames.map(\.payload) == [bytes("abc")])
    }

    @Test(arguments: [false, true])
    func linesHaveThePayloadLimit(enforced: Bool) {
        func issues(_ count: Int) -> [FrameIssue?] {
            var reader = StreamReader(Dialects.mail, .fromClient, enforcesLimits: enforced)
            reader.framer.expect(.line)
            let line = String(repeating: "x", count: count) + "\r\n"
            return reader.read([bytes(line + "QUIT\r\n")]).map(\.issue)
        }
        #expect(issues(2_000) == [nil, nil])
        #expect(issues(2_001) == [.payloadOverLimit(length: 2_001), nil])
    }
}
