import Foundation
import Testing
import RepositoryFiles

/// The Markdown pages are in plain English, wrapped at 100 columns, and their links resolve.
@Suite struct DocumentProseTests {
    /// Pages that are not yet rewritten. The list may only become shorter.
    private static let unchecked: Set = ["docs/command-line.md"]

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

    private static let checked = paths.filter { !unchecked.contains($0) }

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

    /// Words that mark translated English or that the glossary replaces, with what to write instead.
    private static let marked: [(words: String, instead: String)] = [
        (#"tells?|told|telling"#, "report, show, print"),
        (#"anew"#, "again"),
        (#"stands? (?:in|beside|by|behind|between|there)"#, "is in"),
        (#"so (?:many|long)(?! as)"#, "a number, a duration"),
        (#"beside"#, "next to, along with"),
        (#"blanks?"#, "space"),
        (#"nobody|somebody|anybody|everybody"#, "no client, another client, all clients"),
        (#"what (?:is|was) said"#, "messages"),
        (#"held against"#, "compared with"),
        (#"(?:came|comes?|becomes?) of"#, "outcome of"),
        (#"under way"#, "in progress, in flight"),
        (#"once more"#, "again"),
        (#"hears?|heard"#, "receives"),
        (#"pass(?:ed|es)? over"#, "skips"),
        (#"(?:to be|is|are|was|were) (?:told|said|had)"#, "reported, printed"),
        (#"at hand"#, "available"),
        (#"amounts? to"#, "is"),
        (#"whatever it was"#, "any"),
        (#"(?:it|this|that|which|what|who) is no (?!longer)"#, "is not"),
        (#"(?:a|the|every|each) promises?"#, "threshold"),
        (#"lock files?"#, "baseline file"),
        (#"pinned"#, "recorded"),
        (#"minority report"#, "outlier report"),
        (#"twins?"#, "differential pair"),
        (#"ghosts?"#, "stale session"),
        (#"play(?:ed|er|back)"#, "run"),
        (#"characteri[sz]ed?"#, "record a baseline"),
    ]

    @Test func theListOfPagesIsComplete() {
        #expect(Self.unchecked.isSubset(of: Self.paths))
        #expect(Self.checked.count > 20)
    }

    @Test(arguments: checked) func noWordMarksTranslatedEnglish(_ path: String) throws {
        let marked = try Self.marked.map { words, instead in
            (expression: try Regex(#"\b(?:"# + words + #")\b"#), instead: instead)
        }
        for (number, line) in try Self.prose(path) {
            let words = line.replacing(/`[^`]*`/, with: "`").lowercased()
            for (expression, instead) in marked {
                guard let match = words.firstMatch(of: expression) else { continue }
                let found = String(words[match.range])
                Issue.record("\(path):\(number): instead of \"\(found)\" write: \(instead)")
            }
        }
    }

    /// Rows of tables, comments, and items that are only a link cannot be wrapped.
    @Test(arguments: checked) func linesHaveAtMostAHundredColumns(_ path: String) throws {
        for (number, line) in try Self.prose(path) where line.count > 100 {
            let isLink = line.wholeMatch(of: /\s*(?:-|\d+\.) \[.*\]\(\S+\)/) != nil
            #expect(
                isLink || line.hasPrefix("|") || line.hasPrefix("<!--"), "\(path):\(number)")
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
