import Diagnostics
import LineProtocol
import Scenario
import Testing

@testable import DialectFiles

/// Errors in scenario text point into the dialect file.
@Suite struct BehaviourPositionTests {
    @Test(arguments: [
        // A block, a block after empty lines and a comment, deeper indentation, a single line, a
        // quoted line.
        ("behaviours:\n  probe: |\n    -> PING\n    <~ PONG {{\n", 6, 13),
        ("behaviours:\n  probe: |    # why\n\n\n      -> PING {{\n", 7, 15),
        ("behaviours:\n  probe: |-\n      -> PING\n        <~ PONG {{", 6, 17),
        ("behaviours: {}\nrejects:\n  - NO {{\n", 5, 8),
        ("behaviours: {}\nrejects:\n  - named: 'NO {{'\n", 5, 16),
    ])
    func errorPointsIntoTheFile(text: String, line: Int, column: Int) throws {
        let source = SourceText(path: "x.yaml", text: "# ü\nname: x\n" + text)
        let dialect = try DialectReader.dialect(from: source)
        let behaviour = try #require(dialect.behaviours["probe"] ?? dialect.rejects.first)
        let isPattern = dialect.behaviours.isEmpty
        let outcome = ScenarioParser.parseFragment(
            Array(((isPattern ? "<- " : "") + behaviour.scenarioText).utf8), in: source,
            line: behaviour.line, column: behaviour.column - (isPattern ? 3 : 0))
        let position = outcome.diagnostics.first?.location?.position
        #expect(position?.line == line)
        #expect(position?.column == column)
    }

    @Test func behaviourHasItsParameters() throws {
        let dialect = try dialect(
            """
            name: x
            behaviours:
              relay: |
                -> SAY {{to}} {{text}}
              wave:
                parameters: [who]
                steps: |
                  -> WAVE {{who}}
            """)
        #expect(dialect.behaviours["relay"]?.parameters == ["to", "text"])
        #expect(dialect.behaviours["wave"]?.parameters == ["who"])
        #expect(dialect.behaviours["wave"]?.line == 8)
        #expect(dialect.behaviours["wave"]?.column == 7)
        #expect(dialect.behaviours["wave"]?.scenarioText == "-> WAVE {{who}}")
    }
}
