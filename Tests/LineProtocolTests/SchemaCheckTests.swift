import Testing

@testable import LineProtocol

/// Descriptions of lines that break the dialect.
struct SchemaCheckTests {
    private static let arguments: [ArgumentSignature] = [
        Dialects.text("room"), Dialects.int("count"), Dialects.text("text"),
    ]

    private func breaks(_ line: String, _ tolerance: Tolerance) -> [String] {
        var dialect = Dialects.livechat
        dialect.tolerance = tolerance
        dialect.commands = CommandTable([Dialects.command("c", "C", .both, Self.arguments)])
        var framer = LineFramer(dialect, direction: .fromServer)
        framer.append(Array((line + "\n").utf8).span)
        guard let frame = framer.next() else { return ["no line"] }
        var message = Message()
        MessageDecoder(dialect).decode(
            framer.buffer.span, frame, from: .fromServer, into: &message)
        let check = SchemaCheck(dialect)
        let found = check.breaks(frame, message)
        #expect(check.isBroken(frame, message) == !found.isEmpty)
        #expect(found.isEmpty || SchemaCheck.isSuspicious(frame, message))
        return found
    }

    @Test(arguments: [
        ("C|a|1|b", []), ("D|a", ["unknown command"]), ("C|a", ["2 arguments missing"]),
        ("C|a|1", ["1 argument missing"]), ("C|a|1|b|c", ["1 argument too many"]),
        ("C|a|x|b", ["count is not a valid int"]),
        ("C|a|x|b|c", ["1 argument too many", "count is not a valid int"]),
    ])
    func violationsAreDescribed(line: String, words: [String]) {
        let strict = Tolerance(tooFew: .reject, tooMany: .reject, mismatch: .reject)
        #expect(breaks(line, strict).sorted() == words.sorted())
    }

    @Test func toleratedLinesAreNotBroken() {
        for line in ["C|a", "C|a|1|b|c", "C|a|x|b"] {
            #expect(breaks(line, Tolerance()).isEmpty, "\(line)")
        }
        #expect(breaks("C|a|x|b|c", Tolerance(tooMany: .reject)) == ["1 argument too many"])
    }
}
