import Testing

@testable import LineProtocol

/// Descriptions of lines that break the dialect.
struct SchemaCheckTests {
    private static let arguments: [ArgumentSignature] = [
        Dialects.text("room"), Dialects.int("count"), Dialects.text("text"),
    ]

    private func breaks(
        _ line: String, _ tolerance: Tolerance, from direction: Direction = .fromServer,
        _ arguments: [ArgumentSignature] = arguments
    ) -> [String] {
        var dialect = Dialects.livechat
        dialect.tolerance = tolerance
        dialect.commands = CommandTable([Dialects.command("c", "C", .both, arguments)])
        var framer = LineFramer(dialect, direction: direction)
        framer.append(Array((line + "\n").utf8).span)
        guard let frame = framer.next() else { return ["no line"] }
        var message = Message()
        MessageDecoder(dialect).decode(
            framer.buffer.span, frame, from: direction, into: &message)
        let check = SchemaCheck(dialect)
        let found = check.breaks(frame, message)
        #expect(check.isBroken(frame, message) == !found.isEmpty)
        #expect(found.isEmpty || SchemaCheck.isSuspicious(frame, message))
        return found
    }

    @Test(arguments: [
        ("C|a|1|b", []), ("D|a", ["unknown command"]), ("C|a", ["2 arguments missing"]),
        ("C|a|1", ["1 argument missing"]), ("C|a|1|b|c", ["1 extra argument"]),
        ("C|a|x|b", ["count is not a valid int"]),
        ("C|a|x|b|c", ["1 extra argument", "count is not a valid int"]),
    ])
    func violationsAreDescribed(line: String, words: [String]) {
        let strict = Tolerance(tooFew: .reject, tooMany: .reject, mismatch: .reject)
        #expect(breaks(line, strict).sorted() == words.sorted())
    }

    @Test func toleratedLinesAreNotBroken() {
        for line in ["C|a", "C|a|1|b|c"] {
            #expect(breaks(line, Tolerance()).isEmpty, "\(line)")
        }
        #expect(breaks("C|a|x|b", Tolerance(), from: .fromClient).isEmpty)
        #expect(breaks("C|a|1|b|c", Tolerance(tooMany: .reject)) == ["1 extra argument"])
    }

    @Test(arguments: [("1", true), ("0", true), ("x", false), ("true", false), ("", false)])
    func aServerSpellsABoolAsTheDialectDoes(value: String, isSpelled: Bool) {
        var flag = Dialects.text("hidden")
        flag.type = .bool(.digits)
        let words = isSpelled ? [] : ["hidden is not a valid bool"]
        #expect(breaks("C|\(value)", Tolerance(), [flag]) == words)
        #expect(breaks("C|\(value)", Tolerance(), from: .fromClient, [flag]).isEmpty)
        flag.presence = .optional
        #expect(breaks("C|\(value)", Tolerance(), [flag]).isEmpty)
    }
}
