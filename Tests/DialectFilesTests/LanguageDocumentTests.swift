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

    /// The YAML examples with their first line, except those that are files.
    static let examples = blocks.filter { $0.file == nil }

    /// The YAML blocks with their first line and, if they are files, the path.
    private static let blocks: [(line: Int, file: String?, text: String)] = {
        var blocks: [(line: Int, file: String?, text: String)] = []
        var current: (line: Int, file: String?, text: String)?
        var previous = ""
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line == "```yaml" {
                let isFile = previous.hasPrefix("<!-- file: ")
                let file = isFile ? String(previous.dropFirst(11).dropLast(4)) : nil
                current = (index + 2, file, "")
            } else if line == "```" {
                if let current { blocks.append(current) }
                current = nil
            } else {
                current?.text += line + "\n"
            }
            previous = line
        }
        return blocks
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

    @Test func everyExampleFileReadsTogetherWithTheOthers() throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(
            path: "examples-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = Self.blocks.compactMap { block in block.file.map { ($0, block.text) } }
        for (name, text) in files {
            let path = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: path)
        }
        let dialects = files.filter { $0.1.hasPrefix("name:") }
        #expect(dialects.count > 0 && dialects.count < files.count)
        for (name, _) in dialects {
            let read = try DialectLibrary.find(folder.appending(path: name).path)
            #expect(read.source.files.count == files.count)
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
