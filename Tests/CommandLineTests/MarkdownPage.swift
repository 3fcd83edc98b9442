import Foundation
import Testing

/// A fenced block of a Markdown page, with the HTML comment on the line before it.
struct FencedBlock: Sendable {
    /// The line number of the opening fence.
    var line: Int
    var language: String
    var text: String
    /// The comment's text, such as `test: server irc 6667; exits 1`; nil without a comment.
    var directive: String?

    /// The rest of a directive that starts with this word and a colon.
    func directive(_ word: String) -> String? {
        guard let directive, directive.hasPrefix(word + ":") else { return nil }
        return directive.dropFirst(word.count + 1).trimmingCharacters(in: .whitespaces)
    }

    /// The file that the block shows, relative to the repository or to the page's scratch folder.
    var file: String? { directive("file") }

    /// Whether the block shows the output of the shell block before it.
    var isOutput: Bool { directive == "prints" }
}

/// A Markdown page of the repository.
struct MarkdownPage: CustomTestStringConvertible, Sendable {
    /// The path relative to the repository.
    let path: String
    let lines: [String]
    let blocks: [FencedBlock]

    var testDescription: String { path }

    init(path: String, text: String) {
        self.path = path
        lines = text.components(separatedBy: "\n")
        var blocks: [FencedBlock] = []
        var open: FencedBlock?
        for (index, line) in lines.enumerated() {
            if let block = open, line == "```" {
                blocks.append(block)
                open = nil
            } else if open != nil {
                open?.text += line + "\n"
            } else if line.hasPrefix("```") {
                open = FencedBlock(
                    line: index + 1, language: String(line.dropFirst(3)), text: "",
                    directive: index > 0 ? Self.comment(lines[index - 1]) : nil)
            }
        }
        self.blocks = blocks
    }

    private static func comment(_ line: String) -> String? {
        guard let match = line.wholeMatch(of: /<!-- (.*) -->/) else { return nil }
        return String(match.1)
    }

    /// All pages of the repository, sorted by path.
    static let all: [MarkdownPage] = {
        var paths: [String] = []
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Files.root.path)) ?? []
        paths += names.filter { $0.hasSuffix(".md") }
        for folder in ["docs", "deploy", "editors", "Reports", "Examples"] {
            let found = FileManager.default.enumerator(
                atPath: Files.root.appending(path: folder).path)
            for case let name as String in found ?? .init() where name.hasSuffix(".md") {
                paths.append("\(folder)/\(name)")
            }
        }
        return paths.sorted().compactMap { path in
            (try? Files.text(Files.root.appending(path: path))).map {
                MarkdownPage(path: path, text: $0)
            }
        }
    }()

    /// Replaces blocks, by index, in the current file.
    func write(_ texts: [Int: String]) throws {
        let url = Files.root.appending(path: path)
        let current = MarkdownPage(path: path, text: try Files.text(url))
        var lines = current.lines
        for (index, text) in texts.sorted(by: { $0.key > $1.key }) {
            let block = current.blocks[index]
            let count = block.text.components(separatedBy: "\n").count - 1
            let replacement = text.components(separatedBy: "\n").dropLast()
            lines.replaceSubrange(block.line..<block.line + count, with: replacement)
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: url)
    }
}
