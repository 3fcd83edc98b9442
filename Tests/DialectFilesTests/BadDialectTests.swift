import Diagnostics
import Testing

@testable import DialectFiles

/// Each file in `Fixtures/bad` is rejected with the diagnostics in its `.err` file.
@Suite struct BadDialectTests {
    @Test(arguments: Fixtures.names(in: "bad"))
    func errorsAreExplainedAtTheirPosition(name: String) throws {
        let outcome = DialectReader.read(try Fixtures.source("bad/\(name).yaml"))
        #expect((outcome.dialect == nil) == true)
        #expect(outcome.diagnostics.hasErrors)
        try expectGolden(rendered(outcome.diagnostics), "bad/\(name).err")
    }
}
