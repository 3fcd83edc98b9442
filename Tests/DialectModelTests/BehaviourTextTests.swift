import Foundation
import Testing
import RepositoryFiles

/// One type parses the scenario text in a dialect; all other code asks the bound dialect.
struct BehaviourTextTests {
    private static let sources = Repository.root.appending(path: "Sources")

    private struct Source {
        var path: String
        var code: Substring
    }

    /// Every Swift file below a folder, without its comments.
    private func files(in folder: String) throws -> [Source] {
        let paths = try #require(
            FileManager.default.subpaths(atPath: Self.sources.path)
        ).filter { $0.hasSuffix(".swift") }
        #expect(paths.count > 500)
        return try paths.filter { $0.hasPrefix(folder) }.map { path in
            let text = try String(
                contentsOf: Self.sources.appending(path: path), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            return Source(path: path, code: lines.joined(separator: "\n")[...])
        }
    }

    private func files(
        in folder: String = "", matching pattern: Regex<Substring>
    ) throws -> [String] {
        try files(in: folder).filter { $0.code.contains(pattern) }.map(\.path).sorted()
    }

    @Test func oneFileParsesBehaviours() throws {
        #expect(
            try files(matching: /parseFragment\(/) == [
                "DialectModel/Behaviours/BehaviourTextReader.swift",
                "Scenario/Parsing/ScenarioParser.swift",
            ])
    }

    @Test func onlyReadersAndWritersOfDialectsTouchTheText() throws {
        #expect(
            try files(matching: /scenarioText/) == [
                "DialectFiles/Reading/BehaviourReader.swift",
                "DialectFiles/Writing/SectionWriter+Rest.swift",
                "DialectModel/Behaviours/BehaviourTextReader.swift",
                "DialectModel/Behaviours/BoundDialect+CountedProbes.swift",
                "LineProtocol/Dialect/Behaviour.swift",
            ])
    }

    /// Checks build their cases from steps. They print them, but do not read the text.
    @Test func checksNeverReadScenarioText() throws {
        let parsers = /ScenarioParser|LineCursor|SourcePrinter/
        #expect(try files(in: "Scenario/", matching: parsers) != [])
        #expect(try files(in: "Conformance/", matching: parsers) == [])
        // Text with the syntax of a statement: a keyword or an arrow that is searched for, or that
        // other words are inserted after.
        let statements = try files(
            in: "Conformance/",
            matching:
                /(?:hasPrefix|hasSuffix|contains|replacing|split)\([^)]*"(?:use|sync|wait|repeat|name|any|one|outcome) |"[^"\n]*(?:->|<-|<~|<!) \\\(|"(?:use|sync|wait|repeat|name) \\\(/
        )
        #expect(statements == [])
    }
}
