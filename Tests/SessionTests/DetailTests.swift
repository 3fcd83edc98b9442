import Diagnostics
import LineProtocol
import Results
import Scenario
import Session
import Testing

/// Payloads in transcripts, spellings of bools, comparisons after other lines.
struct DetailTests {
    @Test(arguments: [
        (
            "dialect nats\noperators a\na -> PUB x {{length}}  payload \"hello\"\n", "PUB x 5",
            "hello"
        ),
        (
            "dialect nats\noperators a\na -> publish(subject: \"x\", payload: \"a\\r\\nb\")\n",
            "PUB x 4", "a\r\nb"
        ),
        ("dialect nats\noperators a\na -> PUB x 0  payload \"\"\n", "PUB x 0", ""),
    ])
    func sentPayloadIsRecordedWithItsLine(text: String, line: String, payload: String) throws {
        let result = try run(text) { _ in "" }
        let sent = result?.transcript.first { $0.kind == .sent }
        #expect(sent?.bytes == Array(line.utf8))
        #expect(sent?.terminator == [0x0D, 0x0A])
        #expect(sent?.payload == Array(payload.utf8))
    }

    @Test func sentLineThatViolatesTheFramingIsRecordedUnchanged() throws {
        let text = "dialect nats\noperators a\na -> PUB x 9  payload \"hello\"\n"
        let sent = try run(text) { _ in "" }?.transcript.first { $0.kind == .sent }
        #expect(sent?.bytes == Array("PUB x 9\r\nhello".utf8))
        #expect(sent?.payload == nil)
    }

    @Test(arguments: [
        ("livechat", "1", true), ("livechat", "0", true), ("livechat", "true", false),
        ("irc", "true", true), ("irc", "1", true), ("irc", "yes", false),
    ])
    func boolsUseTheSpellingsOfTheDialect(dialect: String, word: String, matches: Bool) throws {
        let separator = dialect == "irc" ? " " : "|"
        let text = "dialect \(dialect)\noperators a\na connect\na <- X\(separator){{x:bool}}\n"
        let result = try run(text, greeting: { [.send($0, "X\(separator)\(word)\n")] }) { _, _ in
            []
        }
        #expect((result?.outcome == .passed) == matches, "\(failure(result))")
    }

    @Test func comparisonKeepsEarlierLines() throws {
        let text = """
            operators a
            a -> FIRST
            outcome of {
                a -> TWO a
                a <- TWO
            } same as {
                a -> two a
                a <- TWO
            }
            a <- FIRST
            a quiet

            """
        let result = try run(text) { line in
            switch line.split(separator: " ").first?.uppercased() {
            case "PING": "PONG x \(line.dropFirst(5))\r\n"
            case "TWO": "TWO a\r\nREST\r\n"
            default: "FIRST\r\n"
            }
        }
        #expect(result?.outcome == .passed, "\(failure(result))")
    }

    @Test func retriedComparisonKeepsEarlierLines() throws {
        let count = Counter()
        let text = """
            operators a
            a -> FIRST
            eventually within 3s {
                outcome of {
                    a -> TWO
                    a <- TWO 3
                } same as {
                    a -> TWO
                }
            }
            a <- FIRST

            """
        let result = try run(text) { line in
            switch line.prefix(3) {
            case "PIN": return "PONG x \(line.dropFirst(5))\r\n"
            case "TWO": return "TWO \(min(3, count.next()))\r\n"
            default: return "FIRST\r\n"
            }
        }
        #expect(result?.outcome == .passed, "\(failure(result))")
    }

    /// The answers to the first block, twice, to the second block and, if there is a fourth round, to
    /// the first block again.
    @Test(arguments: [
        (["CLOCK 1 a", "CLOCK 1 a", "CLOCK 1 a"], nil),
        // A second has passed just before the second block.
        (["CLOCK 1 a", "CLOCK 1 a", "CLOCK 2 a", "CLOCK 2 a"], nil),
        (["CLOCK 1 a", "CLOCK 2 a", "CLOCK 3 a"], nil),
        (["CLOCK 1 a", "CLOCK 1 a", "CLOCK 2 b", "CLOCK 2 a"], "run.pair-differs"),
        (["CLOCK 1 a", "CLOCK 1 a", "CLOCK 2 a", "CLOCK 1 a"], "run.pair-differs"),
        (["CLOCK 1 a", "CLOCK 1 a", "ERROR 1 a", "CLOCK 1 a"], "run.pair-differs"),
        (["CLOCK 1 a", "CLOCK 1 a", "ERROR", "CLOCK 1 a\r\nMORE"], "run.pair-differs"),
    ])
    func comparisonIgnoresPartsThatChangeByThemselves(
        answers: [String], code: String?
    ) throws {
        let count = Counter()
        let text = """
            operators a
            outcome of {
                a -> CLOCK
            } same as {
                a -> clock
            }
            a quiet

            """
        let result = try run(text) { line in
            guard line.hasPrefix("PING") else {
                let index = count.next() - 1
                return answers.indices.contains(index) ? answers[index] + "\r\n" : "EXCESS\r\n"
            }
            return "PONG x \(line.dropFirst(5))\r\n"
        }
        #expect(result?.diagnostic?.code.word == code, "\(failure(result))")
        #expect(count.next() == answers.count + 1)
    }
}
