import Diagnostics
import LineProtocol
import Testing

@testable import DialectFiles

@Suite struct DialectTemplateTests {
    @Test func templateReadsAndLintsWithoutFindings() throws {
        let text = DialectTemplate.text(name: "support")
        let read = try dialect(text)
        #expect(read.name == "support")
        let found = DialectLint.lint(read, source: SourceText(path: "support.yaml", text: text))
        #expect(!found.contains { $0.severity != .note }, "\(rendered(found))")
        try expectGolden(text, "guess/template.yaml")
    }

    @Test func invalidNameIsReplaced() throws {
        #expect(try dialect(DialectTemplate.text(name: "no good: name")).name == "mychat")
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        var name: String
        var lines: String

        var testDescription: String { name }
    }

    static let samples = [
        Sample(
            name: "json",
            lines: #"""
                -> {"type":"join","room":"lobby","since":null}
                <- {"type":"joined","room":"lobby","members":["joe","ann"],"count":2}
                -> {"type":"say","room":"lobby","text":"a: b | c\n","bold":true}
                <- {"type":"said","from":"joe","text":"x","at":"2026-01-01T00:00:00Z","user-id":7}
                <- {"from":"ann","type":"said","at":"2026-01-01T00:00:01Z","text":"y","more":{"a":1}}
                -> {"type":"say","room":"lobby","text":"bye"}

                """#),
        Sample(
            name: "json-only-key",
            lines: """
                {"join":{"room":"lobby"}}
                {"say":{"text":"hi","level":1}}
                {"say":{"text":"ho","level":1.5}}
                {"quit":{}}

                """),
        Sample(
            name: "pipes",
            lines: """
                R0004|12341|Hello!|Joe|2134|0
                R0004|12342|a\\|b\\nc|Joe|2134|1
                R0004|12343|Bye|Ann|2134|0
                R0004|12344|C:\\\\|Ann|7|1
                R0012|7|Joe
                R0013|7|Joe|closed
                S0004|431|2134|Hi

                """),
        Sample(
            name: "words",
            lines:
                "C: NICK alice\r\nC: USER alice 0 * :Alice A\r\nS: :irc.local 001 alice :Welcome\r\n"
                + "S: PING :abc\r\nC: PONG :abc\r\nC: PRIVMSG #a :hello there\r\n"),
        Sample(
            name: "words-text",
            lines:
                "C: SAY hi\nS: FROM joe hi\nC: SAY one two three\nS: FROM joe one two three\n"
                + "C: AWAY\nC: AWAY at lunch\nC: NICK joe\n"),
        Sample(name: "words-percent", lines: "> MSG 1 Joe%20B\n< ACK 1\n> MSG 2 Al\n< ACK 2\n"),
        Sample(name: "texts", lines: "hello\nworld\nfoo\n"),
        Sample(name: "nul", lines: "LOGIN~joe\0OK~1~1.5\0SAY~hi~2012-06-30T23:59:59Z\0"),
        Sample(name: "nothing", lines: ""),
        Sample(name: "hostile", lines: "no|yes\n~|~\n: |:\n'\"|x\n|\nnull|1\n{{x}}|#\n"),
    ]

    @Test(arguments: samples)
    func dialectIsGuessedFromLines(sample: Sample) throws {
        let text = DialectGuess.yaml(name: "guess", lines: Array(sample.lines.utf8))
        let outcome = DialectReader.read(SourceText(path: "guess.yaml", text: text))
        #expect(rendered(outcome.diagnostics) == "")
        try expectGolden(text, "guess/\(sample.name).yaml")
    }

    @Test func anyBytesGiveAReadableDialect() {
        var generator = SeededRandom(seed: 11)
        let special = Array("|\\: ;=%@-\r\n\0\t\"'ABno~^&,.%41#[]{}".utf8) + [0xFF, 0xC3]
        for _ in 0..<150 {
            let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                special.randomElement(using: &generator) ?? 0
            }
            let text = DialectGuess.yaml(name: "x", lines: bytes)
            let outcome = DialectReader.read(SourceText(path: "guess.yaml", text: text))
            #expect(rendered(outcome.diagnostics) == "")
        }
    }
}
