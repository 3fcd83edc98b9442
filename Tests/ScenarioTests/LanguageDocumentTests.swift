import Foundation
import Scenario
import Testing

/// The examples of the language's reference are scenarios.
struct LanguageDocumentTests {
    /// The blocks of a Markdown file between "```chat" and "```".
    static func examples() throws -> [String] {
        let url = Files.root.appending(path: "docs/scenario-language.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        var blocks: [String] = []
        var current: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```chat" {
                current = []
            } else if line == "```", let lines = current {
                blocks.append(lines.joined(separator: "\n") + "\n")
                current = nil
            } else {
                current?.append(line)
            }
        }
        return blocks
    }

    @Test func everyExampleIsAScenario() throws {
        let examples = try Self.examples()
        #expect(!examples.isEmpty)
        for example in examples {
            let outcome = ScenarioParser.parse(source(example))
            #expect(rendered(outcome.diagnostics) == "", "\(example)")
        }
    }
}
