import Diagnostics
import Foundation
import LineProtocol
import Scenario
import Testing

@testable import DialectFiles

/// Checks `docs/dialect-language.md` against the implementation.
@Suite struct LanguageDocumentTests {
    private static let text =
        (try? String(
            contentsOf: Fixtures.repository.appending(path: "docs/dialect-language.md"),
            encoding: .utf8)) ?? ""

    /// The YAML examples with their first line.
    static let examples: [(line: Int, text: String)] = {
        var examples: [(line: Int, text: String)] = []
        var current: (line: Int, text: String)?
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line == "```yaml" {
                current = (index + 2, "")
            } else if line == "```" {
                if let current { examples.append(current) }
                current = nil
            } else {
                current?.text += line + "\n"
            }
        }
        return examples
    }()

    @Test func documentHasExamples() {
        #expect(Self.examples.count >= 15)
        #expect(Self.examples[0].text.split(separator: "\n").count < 30)
    }

    @Test(arguments: examples.map(\.line))
    func everyExampleReads(line: Int) throws {
        let example = try #require(Self.examples.first { $0.line == line })
        let source = SourceText(path: "dialect-language.md:\(line)", text: example.text)
        let outcome = DialectReader.read(source)
        #expect(rendered(outcome.diagnostics) == "")
        let dialect = try #require(outcome.dialect)
        for behaviour in dialect.behaviours.values {
            let steps = ScenarioParser.parseFragment(
                Array(behaviour.scenarioText.utf8), in: source, line: behaviour.line,
                column: behaviour.column)
            #expect(rendered(steps.diagnostics) == "")
        }
    }

    @Test(
        arguments: [
            DialectKeys.table, FramingKeys.table, LimitKeys.table, LengthPrefixKeys.table,
            GroupingKeys.table, FieldsKeys.table, TagKeys.table, KeyValueKeys.table,
            EscapingKeys.ruleTable, EscapingKeys.positionsTable, ToleranceKeys.table,
            PolicyReader.table, CommandKeys.table, ArgumentKeys.table, ClauseKeys.table,
            KnownFailureKeys.table, TimingKeys.table,
        ].flatMap(\.names)
            + PolicyCatalogue.policies.flatMap(\.words) + StandardBehaviour.names
            + TimeFormatName.all.map(\.name))
    func everyKeyIsDocumented(key: String) {
        let isDocumented = Self.text.contains("`\(key)`")
        #expect(isDocumented, "`\(key)` is not in docs/dialect-language.md")
    }

    @Test func everyCodeIsDocumented() throws {
        let codes = try String(
            contentsOf: Fixtures.repository.appending(
                path: "Sources/DialectFiles/DialectCodes.swift"), encoding: .utf8)
        for line in codes.split(separator: "\n") where line.contains("\"dialect.") {
            let code = line.split(separator: "\"")[1]
            let isDocumented = Self.text.contains("`\(code)`")
            #expect(isDocumented, "\(code) is not documented")
        }
    }
}
