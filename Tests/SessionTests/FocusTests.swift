import Results
import Session
import Testing

/// The part of a transcript that shows why a scenario failed.
struct FocusTests {
    /// Scenario, text of the deciding line, operators involved.
    static let decided: [(String, String, [String])] = [
        ("a -> FOO\na <- 421 {{...}}\n", "NOTICE a :no", ["a"]),
        ("b -> FOO\na -> FOO\na <- 421 {{...}}\n", "NOTICE a :no", ["a"]),
        ("a connect\nb -> TELL a\na quiet for 1s\n", "HI a", ["a", "b"]),
        ("a connect\nb -> TELL a\na <! HI  for 1s\n", "HI a", ["a", "b"]),
        ("a -> FOO\na <- NOTICE  within 1s..2s\n", "NOTICE a :no", ["a"]),
        ("a -> FOO\nany order {\na <- 1\na <- 2\n}\n", "NOTICE a :no", ["a"]),
    ]

    @Test(arguments: decided)
    func receivedLineDecides(_ text: String, _ line: String, _ operators: [String]) throws {
        let result = try #require(try outcome(of: text))
        #expect(result.outcome == .failed)
        let entry = try #require(result.focus?.entry, "\(failure(result))")
        #expect(String(decoding: result.transcript[entry].bytes, as: UTF8.self) == line)
        #expect(result.focus?.operators == operators)
    }

    @Test(arguments: [
        ("a -> FOO\na <- NOTICE\nb connect\na <- 421\n", ["a"]),
        ("b -> FOO\nb <- NOTICE\na connect\na <- 421\n", ["a", "b"]),
        ("a connect\na -> MUTE\nany order {\na <- 1\nb <- 2\n}\n", ["a", "b"]),
    ])
    func nothingDecidesWhereNothingArrived(_ text: String, _ operators: [String]) throws {
        let result = try #require(try outcome(of: text))
        #expect(result.outcome == .failed)
        #expect(result.focus == TranscriptFocus(entry: nil, operators: operators))
    }

    @Test func closeByTheServerDecides() throws {
        let result = try #require(try outcome(of: "a -> BYE\na <- 421\n"))
        let entry = try #require(result.focus?.entry)
        #expect(result.transcript[entry].kind == .closedByPeer)
    }

    @Test func passedScenarioHasNone() throws {
        #expect(try outcome(of: "a -> FOO\na <- NOTICE\n")?.focus == nil)
    }

    private func outcome(of text: String) throws -> ScenarioOutcome? {
        try run("dialect irc\noperators a, b\n" + text) { line, client in
            switch line {
            case "TELL a": [.send(ConnectionID(operatorIndex: 0, generation: 1), "HI a\r\n")]
            case "MUTE": []
            case "BYE": [.close(client)]
            default: [.send(client, "NOTICE a :no\r\n")]
            }
        }
    }
}
