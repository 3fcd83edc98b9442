import Foundation
import Testing
import RepositoryFiles

/// The Markdown pages are in plain English, wrapped at 100 columns, and their links resolve.
@Suite struct DocumentProseTests {
    /// The paths of all pages.
    private static let paths: [String] = {
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: Repository.root.path)) ?? []
        var paths = names.filter { $0.hasSuffix(".md") }
        for folder in ["docs", "deploy", "editors", "Reports", "Examples"] {
            let found = manager.enumerator(atPath: Repository.root.appending(path: folder).path)
            for case let name as String in found ?? .init() where name.hasSuffix(".md") {
                paths.append("\(folder)/\(name)")
            }
        }
        return paths.filter { !$0.hasPrefix("Reports/load/") }.sorted()
    }()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    }

    /// The lines outside fenced blocks, with their numbers.
    private static func prose(_ path: String) throws -> [(number: Int, line: String)] {
        var isCode = false
        var lines: [(number: Int, line: String)] = []
        for (index, line) in try text(path).components(separatedBy: "\n").enumerated() {
            if line.trimmingCharacters(in: .whitespaces).hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                lines.append((number: index + 1, line: line))
            }
        }
        return lines
    }

    private static let translated = MarkedWords(MarkedWords.translated)

    @Test func pagesAreFound() {
        #expect(Self.paths.contains("docs/command-line.md"))
        #expect(Self.paths.count > 20)
    }

    @Test(arguments: paths) func noWordMarksTranslatedEnglish(_ path: String) throws {
        let prose = try Self.prose(path)
        for hit in Self.translated.hits(in: prose) + GlossaryTerms.marked.hits(in: prose) {
            Issue.record("\(path):\(hit)")
        }
    }

    /// Rows of tables, comments, and items that are only a link cannot be wrapped.
    @Test(arguments: paths) func linesHaveAtMostAHundredColumns(_ path: String) throws {
        for (number, line) in try Self.prose(path) where line.count > 100 {
            let isLink = line.wholeMatch(of: /\s*(?:-|\d+\.) \[.*\]\(\S+\)/) != nil
            let isTable = line.drop { $0 == " " }.hasPrefix("|")
            #expect(
                isLink || isTable || line.hasPrefix("<!--"), "\(path):\(number)")
        }
    }

    @Test(arguments: paths) func everyLinkResolves(_ path: String) throws {
        let page = Repository.root.appending(path: path)
        let text = try Self.prose(path).map(\.line).joined(separator: "\n")
        for match in text.matches(of: /\]\(([^)\s]+)\)/) {
            let target = match.1.split(separator: "#", omittingEmptySubsequences: false)
            guard !match.1.contains("://"), let file = target.first else { continue }
            let url =
                file.isEmpty
                ? page : page.deletingLastPathComponent().appending(path: String(file))
            guard FileManager.default.fileExists(atPath: url.path) else {
                Issue.record("\(path): there is no \(match.1)")
                continue
            }
            guard target.count > 1, url.pathExtension == "md" else { continue }
            let anchors = try Self.anchors(of: url)
            #expect(anchors.contains(String(target[1])), "\(path): no heading for \(match.1)")
        }
    }

    /// The anchors that GitHub makes from a page's headings.
    private static func anchors(of page: URL) throws -> Set<String> {
        let text = try String(contentsOf: page, encoding: .utf8)
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }
        return Set(
            headings.map { heading in
                let title = heading.drop { $0 == "#" }.dropFirst().lowercased()
                return String(title.filter { $0.isLetter || $0.isNumber || " -_".contains($0) })
                    .replacing(" ", with: "-")
            })
    }
}
