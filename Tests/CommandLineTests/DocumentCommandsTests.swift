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
                // With a sanitizer, load tests can be inconclusive.
                let accepted = Sanitizer.isUsed ? expected + [2] : expected
                #expect(
                    accepted.contains { status == "\($0)\n" },
                    "\(page.path):\(page.blocks[index].line): \(status ?? "")\n\(output)")
            }
            try Self.compare(outputs, on: page)
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
