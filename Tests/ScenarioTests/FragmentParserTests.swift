import Diagnostics
import Scenario
import Testing

/// Steps embedded in a dialect file.
struct FragmentParserTests {
    private let yaml = """
        behaviour:
          keepalive: |
            -> PING {{token}}
            self <~ PONG {{...}} {{token}}
            close
        """

    private let fragment = "-> PING {{token}}\nself <~ PONG {{...}} {{token}}\nclose\n"

    @Test func stepWithoutAnOperatorBelongsToSelf() {
        let text = "-> PING {{token}}\nself <~ PONG {{token}}\nquiet\nignore X\nuse login\n"
        let outcome = ScenarioParser.parseFragment(
            Array(text.utf8), in: source(text), line: 1, column: 1)
        #expect(outcome.diagnostics == [])
        #expect(outcome.steps.count == 5)
        #expect(outcome.steps.prefix(4).allSatisfy { $0.actor != nil && $0.actor?.name == nil })
    }

    @Test func rangesPointIntoTheEnclosingFile() {
        let file = SourceText(path: "irc.yaml", text: yaml)
        let outcome = ScenarioParser.parseFragment(
            Array(fragment.utf8), in: file, line: 3, column: 5)
        #expect(outcome.diagnostics.map { $0.location?.position.line } == [4])
        #expect(outcome.diagnostics.map { $0.location?.position.column } == [18])
        let slices = outcome.steps.map { step in
            String(decoding: file.bytes(in: step.range), as: UTF8.self)
        }
        #expect(slices == ["-> PING {{token}}", "close"])
    }

    @Test(arguments: ["title x", "cite RFC 1", "fragment a {\n}", "operators a"])
    func behaviourHasNoHeaderAndNoFragments(_ text: String) {
        let outcome = ScenarioParser.parseFragment(
            Array(text.utf8), in: source(text), line: 1, column: 1)
        #expect(outcome.diagnostics.hasErrors)
    }

    @Test func positionsOutsideTheFileAreClamped() {
        let outcome = ScenarioParser.parseFragment(
            Array("oops\n".utf8), in: source("x\n"), line: 99, column: 99)
        #expect(outcome.diagnostics.count == 1)
        #expect(!rendered(outcome.diagnostics).isEmpty)
    }
}
