import Testing

@testable import LineProtocol

/// Lines parsed in offset are the same as lines parsed after appending.
struct PlainLineTests {
    /// A frame with its bytes, independent of offsets.
    private struct Found: Equatable {
        var line: [UInt8]
        var wholeCount: Int
        var terminator: Terminator?
        var issue: FrameIssue?

        init(_ frame: Frame, in bytes: Span<UInt8>) {
            line = bytes.array(frame.line)
            wholeCount = frame.whole.count
            terminator = frame.terminator
            issue = frame.issue
        }
    }

    private func appended(_ bytes: [UInt8], _ dialect: Dialect) -> [Found] {
        var framer = LineFramer(dialect, direction: .fromClient)
        return rest(&framer, bytes)
    }

    private func parsedWithoutCopy(_ bytes: [UInt8], _ dialect: Dialect) -> [Found] {
        var framer = LineFramer(dialect, direction: .fromClient)
        var found: [Found] = []
        var offset = 0
        while offset < bytes.count,
            let lines = framer.plainLines, let line = lines.line(in: bytes.span, from: offset)
        {
            let frame = lines.frame(line)
            #expect(frame.whole.lowerBound == offset && framer.isAtRest)
            found.append(Found(frame, in: bytes.span))
            offset = frame.whole.upperBound
        }
        return found + rest(&framer, Array(bytes[offset...]))
    }

    private func rest(_ framer: inout LineFramer, _ bytes: [UInt8]) -> [Found] {
        var found: [Found] = []
        framer.append(bytes)
        while let frame = framer.next() { found.append(Found(frame, in: framer.buffer.span)) }
        if let frame = framer.finish() { found.append(Found(frame, in: framer.buffer.span)) }
        return found
    }

    @Test(arguments: LineFramerTests.cases)
    func terminatorsAreTheSame(_ test: LineFramerTests.Case) {
        let dialect = LineFramerTests.dialect(test.accepted)
        let bytes = Array(test.stream.utf8)
        #expect(parsedWithoutCopy(bytes, dialect) == appended(bytes, dialect))
    }

    @Test(arguments: Dialects.all)
    func limitsEmptyLinesAndPayloadsAreTheSame(_ dialect: Dialect) {
        let long = String(repeating: "x", count: 600)
        for end in ["\r\n", "\n", "\n\r", "\0"] {
            let stream = [
                "PING a", "", "@t=1 PRIVMSG a :b", long, "@\(long) PING", "PUB a 3", "xyz", "",
            ]
            for text in [stream.joined(separator: end), stream.joined(separator: end) + "PI"] {
                let bytes = Array(text.utf8)
                #expect(parsedWithoutCopy(bytes, dialect) == appended(bytes, dialect))
            }
        }
    }

    @Test func incompleteLinesAreNotReturned() throws {
        let framer = LineFramer(LineFramerTests.dialect([.crlf, .lf]), direction: .fromClient)
        let lines = try #require(framer.plainLines)
        #expect(lines.line(in: bytes("PING").span, from: 0) == nil)
        #expect(lines.line(in: bytes("PING\n").span, from: 5) == nil)
        #expect(lines.line(in: bytes("a\nPING\r\n").span, from: 2)?.text == 2..<6)
    }
}
