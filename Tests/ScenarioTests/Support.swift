import Diagnostics
import Foundation
import Scenario

/// Files that stand beside the tests, and the repository around them.
enum Files {
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The names of the files of a folder of fixtures that end like this, sorted.
    static func names(in folder: String, ending: String) -> [String] {
        let found = try? FileManager.default.contentsOfDirectory(
            atPath: fixtures.appending(path: folder).path)
        return (found ?? []).filter { $0.hasSuffix(ending) }.sorted()
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: fixtures.appending(path: path)))
    }

    /// The texts of the scenarios in the repository's `Scenarios`, in the order of their paths.
    static func shipped() throws -> [[UInt8]] {
        let folder = root.appending(path: "Scenarios")
        let found = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
        return try found.compactMap { $0 as? String }.filter { $0.hasSuffix(".chat") }.sorted()
            .map { Array(try Data(contentsOf: folder.appending(path: $0))) }
    }

    /// The golden text of a path; with `GOLDEN_UPDATE=1` it first becomes what is found now.
    static func golden(_ path: String, now: String) throws -> String {
        let url = fixtures.appending(path: path)
        if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
            try Data(now.utf8).write(to: url)
        }
        return String(decoding: (try? Data(contentsOf: url)) ?? Data(), as: UTF8.self)
    }
}

/// A scenario's text as a source.
func source(_ text: String) -> SourceText { SourceText(path: "test.chat", text: text) }

/// The diagnostics as people read them.
func rendered(_ diagnostics: [Diagnostic]) -> String { DiagnosticRenderer().text(diagnostics) }

/// The steps of a text without mistakes.
func steps(_ text: String) throws -> [Step] {
    try ScenarioParser.file(from: source(text)).steps
}

/// The range of a text's first occurrence is of no importance to equality.
let anywhere = SourceRange(start: 0, end: 0)

/// The testing library has a type of that name too.
typealias Expectation = Scenario.Expectation
