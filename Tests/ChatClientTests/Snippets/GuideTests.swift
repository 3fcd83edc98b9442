import Foundation
import RepositoryFiles
import Testing

/// The Swift code in the Markdown pages is compiled and run by tests.
///
/// `GOLDEN_UPDATE=1` writes the current code of the tests into the pages.
struct GuideTests {
    /// The paths of the pages that contain Swift code.
    private static let pages: [String] = {
        let docs = Repository.root.appending(path: "docs")
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: docs.path)) ?? []
        let pages = ["README.md", "CONTRIBUTING.md"] + names.map { "docs/\($0)" }
        return pages.filter { page in
            page.hasSuffix(".md")
                && ((try? Repository.text(page))?.contains("```swift\n") ?? false)
        }.sorted()
    }()

    @Test func pagesAreFound() {
        #expect(Self.pages == ["docs/chat-model.md", "docs/check.md", "docs/swift-client.md"])
    }

    /// `DocumentTests` compares blocks that show a file, and `ClientGuideSnippets` reads the
    /// manifest.
    @Test(arguments: pages)
    func swiftBlocksAreThoseOfTests(_ page: String) throws {
        var text = try Repository.text(page)
        let isUpdating = ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1"
        for block in SwiftBlock.all(text) {
            if block.comment?.hasPrefix("file: ") == true { continue }
            if block.code.hasPrefix("// swift-tools-version") { continue }
            let name = block.snippet ?? ""
            guard isUpdating, let code = Snippets.all[name] else {
                #expect(Snippets.all[name] == block.code, "\(page): snippet \(name)")
                continue
            }
            text = Self.replacing(name, by: code, in: text)
        }
        guard isUpdating else { return }
        try Data(text.utf8).write(to: Repository.root.appending(path: page))
    }

    /// Replaces the block after the comment that names a snippet.
    private static func replacing(_ name: String, by code: String, in text: String) -> String {
        var lines: [String] = []
        var (isNamed, isSkipping) = (false, false)
        for line in text.components(separatedBy: "\n") {
            let indent = String(line.prefix { $0 == " " })
            if isSkipping, line == indent + "```" { isSkipping = false }
            if !isSkipping { lines.append(line) }
            if isNamed, line == indent + "```swift" {
                lines += code.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                    .map { $0.isEmpty ? "" : indent + $0 }
                isSkipping = true
            }
            isNamed = line == indent + "<!-- snippet: \(name) -->"
        }
        return lines.joined(separator: "\n")
    }

    @Test func blocksAreFoundInLists() {
        let page =
            "1. Text\n\n   <!-- snippet: a b -->\n   ```swift\n   let a = 1\n     + 2\n   ```\n"
        let blocks = SwiftBlock.all(page)
        #expect(blocks.map(\.snippet) == ["a b"])
        #expect(blocks.map(\.code) == ["let a = 1\n  + 2\n"])
        #expect(
            Self.replacing("a b", by: "let b = 2\n", in: page)
                == "1. Text\n\n   <!-- snippet: a b -->\n   ```swift\n   let b = 2\n   ```\n")
    }
}
