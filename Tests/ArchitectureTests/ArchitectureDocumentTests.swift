import Foundation
import Testing

/// What `docs/architecture.md` says of files: every path in it exists.
@Suite struct ArchitectureDocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func everyPathInTheDocumentExists() throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "docs/architecture.md"), encoding: .utf8)
        let paths = Set(
            text.matches(of: /`([A-Za-z+.]+(?:\/[A-Za-z+.]+)+)`/).map { String($0.1) })
        #expect(paths.count > 20)
        let missing = paths.filter { path in
            !["Sources/\(path)", "Sources/\(path).swift", path].contains {
                FileManager.default.fileExists(atPath: Self.root.appending(path: $0).path)
            }
        }
        // The one that stands for any dialect.
        #expect(missing == ["Scenarios/NAME"])
    }
}
