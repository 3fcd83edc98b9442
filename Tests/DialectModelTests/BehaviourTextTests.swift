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

    /// Every Swift file without its comments.
    private func files() throws -> [Source] {
        let paths = try #require(
            FileManager.default.subpaths(atPath: Self.sources.path)
        ).filter { $0.hasSuffix(".swift") }
        #expect(paths.count > 500)
        return try paths.map { path in
            let text = try String(
                contentsOf: Self.sources.appending(path: path), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            return Source(path: path, code: lines.joined(separator: "\n")[...])
        }
    }

    private func files(matching pattern: Regex<Substring>) throws -> [String] {
        try files().filter { $0.code.contains(pattern) }.map(\.path).sorted()
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
}
