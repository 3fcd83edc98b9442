import Foundation
import Testing

/// The commands, files and outputs in the Markdown pages match what the program accepts and prints.
///
/// `GOLDEN_UPDATE=1` writes current files and outputs into the pages.
@Suite(.serialized) struct DocumentCommandsTests {
    /// Pages that are not yet checked. Only ever remove entries.
    static let unchecked: Set = ["docs/command-line.md"]

    static let pages = MarkdownPage.all.filter { !unchecked.contains($0.path) }

    static let updates = ProcessInfo.processInfo.environment["GOLDEN_UPDATE"] == "1"

    @Test func pagesAreFound() {
        #expect(Self.unchecked.isSubset(of: MarkdownPage.all.map(\.path)))
        #expect(Self.pages.count > 20)
    }

    @Test(arguments: pages)
    func everyBlockHasALanguageAndAKnownDirective(_ page: MarkdownPage) {
        let known = ["test", "not run", "file"]
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

    @Test(arguments: pages.filter { !PageScript($0).shellBlocks.isEmpty })
    func everyCommandRunsAsPrinted(_ page: MarkdownPage) async throws {
        let script = PageScript(page)
        try await Files.with(["script": script.text]) { folder in
            try Self.prepare(folder, for: page)
            var command = Command("-c", PageScript.launcher).within(folder)
            command.program = URL(filePath: "/bin/bash")
            command.secondsMax = 600
            let outcome = try await command.run()
            #expect(outcome.status == 0, "\(page.path): \(outcome.all)")
            var outputs: [Int: String] = [:]
            for index in script.shellBlocks {
                let output =
                    (try? Files.text(folder.appending(path: "output.\(index)"))) ?? "not run"
                outputs[index] = output
                guard let expected = script.statuses[index] else { continue }
                let status = try? Files.text(folder.appending(path: "status.\(index)"))
                #expect(
                    expected.contains { status == "\($0)\n" },
                    "\(page.path):\(page.blocks[index].line): \(status ?? "")\n\(output)")
            }
            try Self.compare(outputs, on: page)
        }
    }

    /// Links the repository's folders and the executable into a folder, and writes the files that
    /// the page shows.
    private static func prepare(_ folder: URL, for page: MarkdownPage) throws {
        let manager = FileManager.default
        for name in ["Scenarios", "Examples", "scripts", "deploy", "editors", "docs", "Reports"] {
            try manager.createSymbolicLink(
                at: folder.appending(path: name),
                withDestinationURL: Files.root.appending(path: name)
            )
        }
        let programs = folder.appending(path: "bin")
        try manager.createDirectory(at: programs, withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            at: programs.appending(path: "linejudge"), withDestinationURL: Command.executable)
        for block in page.blocks {
            guard let name = block.file else { continue }
            let file = folder.appending(path: name)
            guard !manager.fileExists(atPath: file.path) else { continue }
            try manager.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(block.text.utf8).write(to: file)
        }
    }

    /// Compares outputs, by the index of the shell block, with those in the page.
    private static func compare(_ outputs: [Int: String], on page: MarkdownPage) throws {
        var texts: [Int: String] = [:]
        var last: Int?
        for (index, block) in page.blocks.enumerated() {
            if block.language == "sh" { last = index }
            guard block.isOutput, let last, let output = outputs[last] else { continue }
            if !PrintedOutput(block.text).matches(output) {
                texts[index] = output.trimmingCharacters(in: .newlines) + "\n"
            }
        }
        let isUpdated = updates && !texts.isEmpty
        if isUpdated { try page.write(texts) }
        for (index, output) in texts where !isUpdated {
            Issue.record("\(page.path):\(page.blocks[index].line): it prints\n\(output)")
        }
    }
}

/// Returns whether the output matches the page, where a line `…` matches any lines, and times,
/// seeds and ports may differ.
struct PrintedOutput {
    private let parts: [[String]]

    init(_ text: String) {
        var parts: [[String]] = [[]]
        for line in Self.normalised(text) {
            if line == "…" { parts.append([]) } else { parts[parts.count - 1].append(line) }
        }
        self.parts = parts
    }

    private static func normalised(_ text: String) -> [String] {
        text.trimmingCharacters(in: .newlines)
            .replacing(/\d+(\.\d+)? ?(ns|us|µs|ms|s)\b/, with: "TIME")
            .replacing(/seed \d+/, with: "seed N")
            .replacing(/127\.0\.0\.1:\d+/, with: "ADDRESS")
            .components(separatedBy: "\n")
            .map { $0.replacing(/[ ]{2,}/, with: "  ") }
    }

    func matches(_ output: String) -> Bool {
        var rest = Self.normalised(output)[...]
        guard parts.count > 1 else { return rest.elementsEqual(parts[0]) }
        guard rest.starts(with: parts[0]) else { return false }
        rest = rest.dropFirst(parts[0].count)
        for part in parts.dropFirst() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return parts.last?.isEmpty == true || rest.isEmpty
    }
}

extension DocumentCommandsTests {
    private static let commands = [
        ["run"], ["check"], ["fmt"], ["lint"], ["dialect", "list"], ["dialect", "show"],
        ["dialect", "lint"], ["dialect", "explain"], ["dialect", "new"], ["serve"], ["decode"],
        ["record"], ["load"], ["report"], ["compare"],
    ]

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
}

extension DocumentCommandsTests {
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
            let rows = section.components(separatedBy: "\n## ")[0].matches(of: /\n\| (\d+) \|/)
            return rows.map { String($0.1) }
        }
        #expect(lists[0].count == 11)
        #expect(lists[0] == lists[1])
    }
}
