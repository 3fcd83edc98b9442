import Diagnostics
import Foundation
import LineProtocol
import Testing

@testable import DialectFiles
import RepositoryFiles

/// Fixtures of the tests.
enum Fixtures {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures")
    static let repository = Repository.root

    /// Returns the names of the dialect files in a folder, without extension.
    static func names(in name: String, ending: String = "yaml") -> [String] {
        let files = try? FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: name).path)
        return (files ?? []).filter { $0.hasSuffix(".\(ending)") }
            .map { String($0.dropLast(ending.count + 1)) }.sorted()
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: path)))
    }

    static func source(_ path: String) throws -> SourceText {
        SourceText(
            path: path.split(separator: "/").last.map(String.init) ?? path, bytes: try bytes(path))
    }
}

/// Compares a text with a golden file. With `GOLDEN_UPDATE=1`, replaces the file.
func expectGolden(
    _ text: String, _ path: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
    let url = Fixtures.folder.appending(path: path)
    if ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1" {
        try Data(text.utf8).write(to: url)
        return
    }
    let expected = (try? String(contentsOf: url, encoding: .utf8)) ?? "(no file \(path))"
    #expect(text == expected, "\(path)", sourceLocation: sourceLocation)
}

/// Renders diagnostics as on a terminal.
func rendered(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { "[\($0.code)] " + DiagnosticRenderer().text($0) }.joined(separator: "\n")
}

/// Reads a dialect that must have no errors.
func dialect(_ text: String, profile: String? = nil) throws -> Dialect {
    let outcome = DialectReader.read(SourceText(path: "x.yaml", text: text), profile: profile)
    #expect(rendered(outcome.diagnostics) == "")
    return try #require(outcome.dialect)
}
