import Diagnostics
import LineProtocol
import Testing

@testable import DialectFiles

@Suite struct DialectLintTests {
    @Test(arguments: DialectLibrary.builtInNames)
    func builtInDialectsAreLinted(name: String) throws {
        let file = try DialectLibrary.find(name)
        let found = DialectLint.lint(file.dialect, source: file.source)
        #expect(!found.hasErrors)
        try expectGolden(rendered(found), "lint/\(name).txt")
    }

    @Test(arguments: Fixtures.names(in: "lint"))
    func questionableDialectsAreReported(name: String) throws {
        let source = try Fixtures.source("lint/\(name).yaml")
        let outcome = DialectReader.read(source)
        #expect(rendered(outcome.diagnostics) == "")
        let dialect = try #require(outcome.dialect)
        try expectGolden(
            rendered(DialectLint.lint(dialect, source: source)), "lint/\(name).txt")
    }

    @Test func dialectWithoutAFileIsLintedWithoutPositions() throws {
        let found = DialectLint.lint(try dialect("name: x"))
        #expect(found.contains { $0.code == .noCommands })
        #expect(found.allSatisfy { $0.location == nil })
    }
}
