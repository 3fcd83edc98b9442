import DialectModel
import Diagnostics
import DialectFiles
import LineProtocol
import Testing

struct BoundDialectTests {
    private func diagnostics(_ text: String) throws -> [String] {
        let source = SourceText(path: "x.yaml", text: text)
        let dialect = try DialectReader.dialect(from: source)
        return BoundDialect(dialect, source: source).diagnostics.map { diagnostic in
            let position = diagnostic.location?.position
            return "\(position?.line ?? 0):\(position?.column ?? 0) \(diagnostic.message)"
        }
    }

    @Test(arguments: [
        ("behaviours:\n  login: |\n    -> HELLO {{\n", "4:14 unclosed placeholder"),
        ("rejects:\n  - 'ERR {{'\n", "3:10 unclosed placeholder"),
        ("ignores:\n  - ping: 'PING {{'\n", "3:17 unclosed placeholder"),
    ])
    func errorsInScenarioTextPointIntoTheDialect(_ rest: String, _ expected: String) throws {
        #expect(try diagnostics("name: x\n" + rest) == [expected])
    }

    @Test func linesThatDoNotFitTheCommandTableAreErrors() throws {
        let text = """
            name: x
            commands:
              say: {wire: SAY, from: client, arguments: [text: text]}
            behaviours:
              login: |
                -> sya(text: "x")

            """
        let found = try diagnostics(text)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("6:8 ") == true, "\(found)")
    }

    @Test(arguments: DialectLibrary.builtInNames)
    func theBuiltInDialectsHaveNoErrors(_ name: String) throws {
        let source = try #require(DialectLibrary.builtInSource(name))
        let outcome = DialectReader.read(source)
        for profile in [nil] + outcome.profiles.map(Optional.some) {
            let dialect = try DialectReader.dialect(from: source, profile: profile)
            #expect(BoundDialect(dialect, source: source).diagnostics.isEmpty)
        }
    }

    @Test func aVariableWithoutAValueIsLeftToTheUser() throws {
        let text = "name: x\nbehaviours:\n  login: |\n    -> HELLO {{ticket}}\n"
        #expect(try diagnostics(text).isEmpty)
    }
}
