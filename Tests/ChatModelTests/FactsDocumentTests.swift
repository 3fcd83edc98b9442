import Foundation
import Testing
import RepositoryFiles

/// Checks that the tests named in `docs/facts.md` exist.
@Suite struct FactsDocumentTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    private func sources(in folder: String) throws -> [String] {
        let url = Repository.root.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: url.path)?.allObjects ?? []
        return try names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
            .map { try text("\(folder)/\($0)") }
    }

    @Test func everyFactNamesExistingTests() throws {
        let rows = try text("docs/facts.md").split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| fact") && !$0.hasPrefix("| ---") }
        #expect(rows.count > 40)
        var tests: Set<String> = []
        for source in try sources(in: "Tests") {
            let declared = source.matches(of: /@Test[^{]*?func ([A-Za-z0-9]+)\(/)
            tests.formUnion(declared.map { String($0.1) })
        }
        for row in rows {
            let cell = row.replacing("\\|", with: "").split(separator: "|").last ?? ""
            let named = cell.matches(of: /`([A-Za-z0-9]+)`/).map { String($0.1) }
            #expect(!named.isEmpty, "\(row)")
            for name in named { #expect(tests.contains(name), "no test is called \(name)") }
        }
    }

    @Test func theModelImportsNoPlatformModule() throws {
        let imports = try sources(in: "Sources/ChatModel").flatMap { source in
            source.matches(of: /(?m)^(?:public |package |internal )?import (\S+)/)
                .map { String($0.1) }
        }
        #expect(Set(imports) == ["LineProtocol", "Observation", "Synchronization"])
    }
}
