import Foundation
import RepositoryFiles

/// The terms of `docs/glossary.md`, and the words that they replace.
enum GlossaryTerms {
    /// Expressions for words that must not be used for a term.
    static let replaced: [(term: String, words: String)] = [
        ("barrier", #"fences?"#),
        ("baseline file", #"lock files?|pinned|characteri[sz]ed?"#),
        ("batching interval", #"quantum"#),
        ("bystander client", #"witness(?:es)?"#),
        ("capture", #"packet (?:dumps?|traces?)"#),
        ("differential pair", #"twins?"#),
        ("folder", #"(?<!working\s{1,4})director(?:y|ies)|subdirector(?:y|ies)"#),
        ("known failure", #"expected failures?|xfails?"#),
        ("load", #"load runs?|benchmark runs?"#),
        ("metric", #"(?:the|each|every|these|two|per) measures?"#),
        ("operator behaviour", #"personas?"#),
        ("outlier report", #"minority reports?"#),
        ("placeholder", #"holes?"#),
        ("recipient", #"(?:its|their|all|message's) receivers?"#),
        ("reference server", #"built-in server"#),
        ("run", #"played|playback"#),
        ("scenario", #"test scripts?"#),
        ("server under test", #"target server|tested server|server being tested|SUT"#),
        ("shrinking", #"minimi[sz]\w*"#),
        ("stale session", #"ghosts?"#),
        ("threshold", #"(?:a|the|every|each) promises?|promises|SLOs?"#),
        ("virtual user", #"crews?"#),
        ("violation", #"breaks? the (?:dialect|command table|table)|threshold (?:was|is) broken"#),
    ]

    static let marked = MarkedWords(replaced.map { ($0.words, $0.term) })

    /// The terms of the page, in order.
    static func page() throws -> [String] {
        let text = try Repository.text("docs/glossary.md")
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
        return rows.map { $0.dropFirst(2).components(separatedBy: " | ")[0].lowercased() }
    }
}
