import DialectFiles
import DialectModel
import Diagnostics
import LineProtocol
import Testing

struct BehaviourLintTests {
    private func lint(_ text: String) throws -> [Diagnostic] {
        let source = SourceText(path: "toy.yaml", text: text)
        return BoundDialect(try DialectReader.dialect(from: source), source: source).lint
    }

    private static let commands = """
        name: toy
        commands:
          say: {wire: SAY, from: client, arguments: [text: text]}
          said: {wire: SAID, from: server, arguments: [from: text, text: text]}
          ping: {wire: PING, from: client, arguments: [token: text]}
          pong: {wire: PONG, from: server, arguments: [token: text?]}

        """

    @Test(arguments: [("tokn", "token"), ("txt", "text"), ("password", nil)])
    func aVariableThatResemblesAnotherIsProbablyMisspelled(name: String, meant: String?) throws {
        let found = try lint(
            Self.commands + """
                behaviours:
                  probe: |
                    -> ping(token: {{\(name)}})
                    <~ pong()

                """
        ).filter { $0.code == "dialect.unknown-variable" }
        guard let meant else {
            #expect(found.isEmpty)
            return
        }
        #expect(found.map(\.message) == ["`{{\(name)}}` in `probe` has no value"])
        #expect(found.first?.notes.contains { $0.text.contains("`{{\(meant)}}`?") } == true)
        #expect(found.first?.location?.position.line == 8)
    }

    @Test(arguments: ["said()", "SAID {{...}}", "said(from: {{_}}, text: {{_}})"])
    func ignoringEveryLineThatBringsATextIsAnError(_ pattern: String) throws {
        let found = try lint(
            Self.commands + """
                behaviours:
                  say: |
                    -> say(text: {{text}})
                  heard: |
                    <~ said(from: {{from}}, text: {{text}})
                ignores:
                  - '\(pattern)'

                """)
        #expect(found.map(\.code) == ["dialect.ignored-text"])
        #expect(found.first?.severity == .error)
        #expect(found.first?.location?.position.line == 12)
    }

    @Test(arguments: ["said(from: \"server\")", "pong()"])
    func ignoringOtherLinesIsNoError(_ pattern: String) throws {
        let found = try lint(
            Self.commands + """
                behaviours:
                  heard: |
                    <~ said(from: {{from}}, text: {{text}})
                ignores:
                  - '\(pattern)'

                """)
        #expect(found.isEmpty)
    }

    @Test(
        arguments: [
            ("ping(token: {{token}})", "PONG {{token}}", nil),
            ("ping(token: {{token}})", "PONG", "dialect.probe-answer-without-token"),
            ("PING x", "PONG", "dialect.counted-probe"),
        ] as [(String, String, String?)])
    func aProbeWhoseAnswerRepeatsNoTokenIsReported(
        _ sent: String, _ awaited: String, _ code: String?
    ) throws {
        let found = try lint(
            Self.commands + """
                behaviours:
                  probe: |
                    -> \(sent)
                    <~ \(awaited)

                """)
        #expect(found.map(\.code.word) == [code].compactMap(\.self))
        if code == "dialect.probe-answer-without-token" {
            #expect(found.first?.severity == .warning)
        }
    }
}
