import Foundation
import Testing

/// The options, files, scenarios and dialects in the Markdown pages exist and are valid.
///
/// `GOLDEN_UPDATE=1` writes current files into the pages.
struct DocumentTests {
    static let pages = MarkdownPage.all

    static let updates = ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1"

    @Test func pagesAreFound() {
        #expect(Self.pages.contains { $0.path == "docs/command-line.md" })
        #expect(Self.pages.count > 20)
    }

    @Test(arguments: pages)
    func everyBlockHasALanguageAndAKnownDirective(_ page: MarkdownPage) {
        let known = ["test", "not run", "file", "snippet"]
        for block in page.blocks {
            #expect(!block.language.isEmpty, "\(page.path):\(block.line): name the language")
            guard block.directive != nil, !block.isOutput else { continue }
            let words = known.filter { block.directive($0) != nil }
            #expect(words.count == 1, "\(page.path):\(block.line): \(block.directive ?? "")")
        }
        #expect(PageScript(page).errors == [])
    }

    /// Blocks that show a file of the repository have its content.
    @Test(arguments: pages)
    func shownFilesAreThoseOfTheRepository(_ page: MarkdownPage) throws {
        var texts: [Int: String] = [:]
        for (index, block) in page.blocks.enumerated() {
            guard let file = block.file,
                let text = try? Files.text(Files.root.appending(path: file)), text != block.text
            else { continue }
            texts[index] = text
        }
        if Self.updates, !texts.isEmpty { return try page.write(texts) }
        let files = texts.keys.compactMap { page.blocks[$0].file }
        #expect(files == [], "\(page.path) shows another text than these files")
    }

    private static let commands = UsageTests.commands.filter { ![[], ["dialect"]].contains($0) }

    /// Old names that still work but are not in the help.
    private static let oldNames: Set = ["--lock", "--characterise", "--quantum"]

    @Test func everyOptionInThePagesExists() async throws {
        var options = Self.oldNames.union(["--version", "--generate-completion-script"])
        for command in Self.commands {
            let help = try await Command(command + ["--help-hidden"]).run().output
            options.formUnion(help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
        }
        for page in Self.pages {
            var texts = page.blocks.filter { $0.language == "sh" }.flatMap { block in
                block.text.replacing("\\\n", with: " ").components(separatedBy: "\n")
                    .filter { !$0.contains("swift build") }
                    .compactMap { line in
                        line.range(of: "linejudge ").map { String(line[$0.lowerBound...]) }
                    }
            }
            texts += page.lines.flatMap { line in
                line.matches(of: /`((?:linejudge |--)[^`]*)`/).map { String($0.1) }
            }
            for text in texts where !text.contains("swift build") && !text.hasPrefix("--explicit") {
                for match in text.matches(of: /(?:^|\s)(--[a-z][a-z-]*)/) {
                    let option = String(match.1)
                    #expect(options.contains(option), "\(page.path): \(option) in `\(text)`")
                }
            }
        }
    }
    @Test(arguments: pages)
    func everyScenarioParses(_ page: MarkdownPage) async throws {
        for block in page.blocks where block.language == "chat" {
            let outcome = try await Command("fmt", "-").with(input: block.text).run()
            #expect(outcome.status == 0, "\(page.path):\(block.line): \(outcome.all)")
        }
    }

    /// Other tests cover the plans in `docs/load.md` and the dialects in the language reference.
    @Test(
        arguments: pages.filter { !["docs/load.md", "docs/dialect-language.md"].contains($0.path) })
    func everyDialectParses(_ page: MarkdownPage) async throws {
        for block in page.blocks
        where block.language == "yaml" && block.directive("not run") == nil {
            guard block.text.contains("commands:") else {
                #expect(block.file != nil, "\(page.path):\(block.line): is it run?")
                continue
            }
            try await Files.with(["dialect.yaml": block.text]) { folder in
                let outcome = try await Command("dialect", "lint", "dialect.yaml").within(folder)
                    .run()
                // Exit status 1 means warnings, as for the first version of a dialect in a
                // tutorial.
                #expect(
                    [0, 1].contains(outcome.status), "\(page.path):\(block.line): \(outcome.all)")
            }
        }
    }

    @Test func theReadmeListsTheExitCodesOfTheReference() throws {
        let lists = try ["README.md", "docs/command-line.md"].map { path in
            let text = try Files.text(Files.root.appending(path: path))
            let section = text.components(separatedBy: "\n## Exit codes\n").dropFirst().first ?? ""
            let rows = section.components(separatedBy: "\n## ")[0].matches(of: /\n(\| \d+ \|.*)/)
            return rows.map { $0.1.replacing("`", with: "") }
        }
        #expect(lists[0].count == 11)
        #expect(lists[0] == lists[1])
    }
}
