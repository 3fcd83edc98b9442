import Foundation
import RepositoryFiles
import Testing

/// Comments, messages, help texts, scenario titles and dialect summaries are in plain English and
/// use the terms of the glossary.
@Suite struct CodeProseTests {
    /// Words that have another meaning in some files: the start of the path, and the words.
    private static let allowed: [(path: String, words: [String])] = [
        // The promises of SwiftNIO.
        ("Sources/SessionTransport/", ["the promise"]),
        ("Sources/Transport/", ["the promise"]),
        ("Sources/TransportTLS/", ["the promise", "a promise"]),
        // A class in regular expressions.
        ("Sources/RegularExpressions/", ["blank"]),
        // The fence around a block of Markdown.
        ("Sources/Report/Text/MarkdownText.swift", ["fence"]),
        // A message of a corpus.
        ("Benchmarks/Sources/CodecBench/Corpora.swift", ["anybody"]),
        // A capability of IRCv3.
        ("Scenarios/irc/history/", ["playback"]),
    ]

    /// Paths of the files below a folder with one of the extensions.
    private static func paths(_ folder: String, _ extensions: Set<String>) -> [String] {
        let root = Repository.root.appending(path: folder)
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
        return names.filter { name in
            name.split(separator: ".").last.map { extensions.contains(String($0)) } ?? false
        }.map { "\(folder)/\($0)" }.sorted()
    }

    private static func numbered(_ text: String) -> [(number: Int, line: String)] {
        text.components(separatedBy: "\n").enumerated().map { (number: $0 + 1, line: $1) }
    }

    /// The sentences of a scenario or dialect: comments, titles, reasons and summaries.
    private static func sentences(_ text: String) -> [(number: Int, line: String)] {
        let starts = ["#", "title ", "known failure ", "skip ", "summary: "]
        return numbered(text).compactMap { number, line in
            let line = line.trimmingCharacters(in: .whitespaces)
            if starts.contains(where: line.hasPrefix) { return (number: number, line: line) }
            guard let range = line.range(of: "summary: ") ?? line.range(of: " # ") else {
                return nil
            }
            return (number: number, line: String(line[range.lowerBound...]))
        }
    }

    /// Returns the marked words of a file that are not allowed there.
    private static func hits(_ path: String) throws -> [MarkedWords.Hit] {
        let text = try Repository.text(path)
        let prose =
            path.hasSuffix(".swift") ? SourceProse(Array(text.utf8)).lines : sentences(text)
        let words = allowed.filter { path.hasPrefix($0.path) }.flatMap(\.words)
        let hits = translated.hits(in: prose) + GlossaryTerms.marked.hits(in: prose)
        return hits.filter { !words.contains($0.found.lowercased()) }
    }

    private static let translated = MarkedWords(MarkedWords.translated)

    @Test(arguments: [("Sources", 900), ("Examples", 1), ("Benchmarks/Sources", 10)])
    func codeHasNoMarkedWords(_ folder: String, _ filesMin: Int) throws {
        let paths = Self.paths(folder, ["swift"])
        #expect(paths.count >= filesMin)
        for path in paths {
            for hit in try Self.hits(path) { Issue.record("\(path):\(hit)") }
        }
    }

    @Test(arguments: [
        ("Scenarios", ["chat"], 300), ("Sources/DialectFiles/Dialects", ["yaml"], 10),
    ])
    func scenariosAndDialectsHaveNoMarkedWords(
        _ folder: String, _ extensions: [String], _ filesMin: Int
    ) throws {
        let paths = Self.paths(folder, Set(extensions))
        #expect(paths.count >= filesMin)
        for path in paths {
            for hit in try Self.hits(path) { Issue.record("\(path):\(hit)") }
        }
    }

    @Test func proseIsFoundInCode() {
        let code = """
            // A comment, and a "word".
            let word = "word", text = "it says \\(name("a b", at: "\\(x)")) here"
            let raw = #"a b"#, lines = \"""
                first line \\
                second `code`
                \"""  /// Last words.
            """
        let prose = SourceProse(Array(code.utf8)).lines
        #expect(prose.map(\.number) == [1, 2, 5, 6])
        #expect(prose[0].line == "// A comment, and a \"word\".")
        #expect(prose[1].line == "it says ` here")
        #expect(prose[2].line.contains("first line"))
        #expect(prose[3].line == "/// Last words.")
    }

    @Test func wordsAreFoundOutsideOfCodeSpans() {
        let words = MarkedWords([(#"holes?"#, "placeholder")])
        let lines = [
            (number: 3, line: "a `hole` and ``Type/hole``"), (number: 5, line: "Two holes"),
        ]
        #expect(
            words.hits(in: lines).map(\.description) == [
                #"5: instead of "holes" write: placeholder"#
            ])
    }
}
