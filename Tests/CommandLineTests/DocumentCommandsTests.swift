import Foundation
import RepositoryFiles
import Testing

/// The commands in the Markdown pages succeed as printed, and print what the pages show.
///
/// `GOLDEN_UPDATE=1` writes current outputs into the pages.
struct DocumentCommandsTests {
    @Test(arguments: DocumentTests.pages.filter { !PageScript($0).shellBlocks.isEmpty })
    func everyCommandRunsAsPrinted(_ page: MarkdownPage) async throws {
        let script = PageScript(page)
        var run = try await Self.run(script, page)
        // On a busy machine, load tests can be inconclusive.
        for _ in 0..<2 where run.isInconclusive(script) && !Sanitizer.isUsed {
            run = try await Self.run(script, page)
        }
        #expect(run.outcome.status == 0, "\(page.path): \(run.outcome.all)")
        for (index, expected) in script.statuses {
            let accepted = Sanitizer.isUsed ? expected + [2] : expected
            #expect(
                accepted.contains { run.statuses[index] == "\($0)\n" },
                """
                \(page.path):\(page.blocks[index].line): \(run.statuses[index] ?? "")
                \(run.outputs[index] ?? "")
                """)
        }
        try Self.compare(run.outputs, on: page)
    }

    /// A run of all commands of a page, with the output and the status of each shell block.
    private struct PageRun {
        var outcome: Command.Outcome
        var outputs: [Int: String] = [:]
        var statuses: [Int: String] = [:]

        func isInconclusive(_ script: PageScript) -> Bool {
            script.statuses.contains { statuses[$0] == "2\n" && !$1.contains(2) }
        }
    }

    private static func run(_ script: PageScript, _ page: MarkdownPage) async throws -> PageRun {
        try await Files.with(["script": script.text]) { folder in
            try prepare(folder, for: page)
            var command = Command("-c", PageScript.launcher).within(folder)
            command.program = URL(filePath: "/bin/bash")
            command.secondsMax = 600
            var run = PageRun(outcome: try await command.run())
            for index in script.shellBlocks {
                let file = { (name: String) in
                    try? Files.text(folder.appending(path: "\(name).\(index)"))
                }
                run.outputs[index] = file("output") ?? "not run"
                run.statuses[index] = file("status")
            }
            return run
        }
    }

    /// Times are padded to a column, so shorter ones have more spaces before them.
    @Test(arguments: [("  > 22.8 ms  bob", "  >  9.8 ms  bob"), ("in 22 ms:", "in 104 ms:")])
    func timesOfAnyWidthMatch(_ printed: String, _ output: String) {
        #expect(PrintedOutput(printed).matches(output))
        #expect(!PrintedOutput(printed).matches(output + "!"))
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
        let isUpdated = DocumentTests.updates && !texts.isEmpty
        if isUpdated { try page.write(texts) }
        for (index, output) in texts where !isUpdated {
            Issue.record("\(page.path):\(page.blocks[index].line): it prints\n\(output)")
        }
    }
}

/// The expected output of a page's commands. A line `…` matches any number of lines; times, seeds
/// and ports may differ.
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
            .replacing(/[ ]*\d+(\.\d+)? ?(ns|us|µs|ms|s)\b/, with: " TIME")
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
