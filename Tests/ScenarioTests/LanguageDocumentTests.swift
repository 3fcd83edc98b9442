import Foundation
import Scenario
import Testing

/// The examples of the language reference, which must be valid scenarios.
struct LanguageDocumentTests {
    /// Returns the code blocks of a Markdown file marked "```chat".
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

    /// Returns the diagnostic codes in some files, without duplicates.
    private func codes(
        in text: String, _ pattern: Regex<(Substring, Substring)>
    ) -> Set<String> {
        Set(text.matches(of: pattern).map { String($0.1) })
    }

    @Test func documentedCodesAreComplete() throws {
        let folder = Files.root.appending(path: "Sources")
        let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
        var used: Set<String> = []
        // The codes of earlier versions are not documented.
        for case let name as String in names
        where name.hasSuffix(".swift") && !name.hasSuffix("/EarlierNames.swift") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            used.formUnion(codes(in: text, /"((?:scenario|run)\.[a-z-]+)"/))
        }
        let url = Files.root.appending(path: "docs/scenario-language.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        let explained = codes(in: text, /\| `((?:scenario|run)\.[a-z-]+)` \|/)
        #expect(used.subtracting(explained).sorted() == [])
        #expect(explained.subtracting(used).sorted() == [])
    }

    @Test func everyExampleIsAValidScenario() throws {
        let examples = try Self.examples()
        #expect(!examples.isEmpty)
        for example in examples {
            let outcome = ScenarioParser.parse(source(example))
            #expect(rendered(outcome.diagnostics) == "", "\(example)")
        }
    }
}
