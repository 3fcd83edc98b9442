import Diagnostics
import Foundation
import Scenario
import RepositoryFiles

/// Fixtures of the tests, and files of the repository.
enum Files {
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")
    static let root = Repository.root

    /// Returns the names of the fixtures in a folder with this ending, sorted.
    static func names(in folder: String, ending: String) -> [String] {
        let found = try? FileManager.default.contentsOfDirectory(
            atPath: fixtures.appending(path: folder).path)
        return (found ?? []).filter { $0.hasSuffix(ending) }.sorted()
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: fixtures.appending(path: path)))
    }

    /// Returns the scenarios in the repository's `Scenarios` folder, sorted by path.
    static func shipped() throws -> [[UInt8]] {
        let folder = Repository.root.appending(path: "Scenarios")
        let found = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
        return try found.compactMap { $0 as? String }.filter { $0.hasSuffix(".chat") }.sorted()
            .map { Array(try Data(contentsOf: folder.appending(path: $0))) }
    }

    /// Returns the golden text of a path. With `GOLDEN_UPDATE=1`, replaces it first.
    static func golden(_ path: String, now: String) throws -> String {
        let url = fixtures.appending(path: path)
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try Data(now.utf8).write(to: url)
        }
        return String(decoding: (try? Data(contentsOf: url)) ?? Data(), as: UTF8.self)
    }
}

func source(_ text: String) -> SourceText { SourceText(path: "test.chat", text: text) }

/// Renders diagnostics as on a terminal.
func rendered(_ diagnostics: [Diagnostic]) -> String { DiagnosticRenderer().text(diagnostics) }

/// Parses a text that must have no errors.
func steps(_ text: String) throws -> [Step] {
    try ScenarioParser.file(from: source(text)).steps
}

/// A range for expected values; ranges are ignored by `==`.
let anywhere = SourceRange(start: 0, end: 0)

/// The scenario language's type, as the testing library has a type with the same name.
typealias Expectation = Scenario.Expectation
