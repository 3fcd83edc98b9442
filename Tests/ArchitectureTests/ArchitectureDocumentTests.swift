import Foundation
import Testing
import RepositoryFiles

/// Every path in `docs/architecture.md` exists.
@Suite struct ArchitectureDocumentTests {
    @Test func everyPathInTheDocumentExists() throws {
        let text = try String(
            contentsOf: Repository.root.appending(path: "docs/architecture.md"), encoding: .utf8)
        let paths = Set(
            text.matches(of: /`([A-Za-z+.]+(?:\/[A-Za-z+.]+)+)`/).map { String($0.1) })
        #expect(paths.count > 20)
        let missing = paths.filter { path in
            !["Sources/\(path)", "Sources/\(path).swift", path].contains {
                FileManager.default.fileExists(atPath: Repository.root.appending(path: $0).path)
            }
        }
        // A placeholder for any dialect.
        #expect(missing == ["Scenarios/NAME"])
    }
}
