import Foundation
import Testing
import RepositoryFiles

/// Types are named by the terms of `docs/glossary.md`.
@Suite struct GlossaryTests {
    /// Words in type names that a glossary term or a standard term has replaced.
    private static let replaced: [String: String] = [
        "Bell": "signal", "Crew": "virtual user", "Familiar": "cache", "Fence": "barrier",
        "Ghost": "stale session", "Hall": "service", "Happening": "event",
        "Pinned": "baseline", "Playbook": "operator script", "Remark": "note, warning",
        "Saying": "entry", "Seat": "slot", "Shelf": "tally", "Surroundings": "context",
        "Teller": "emitter", "Twin": "differential pair",
        "Voice": "protocol adapter", "Witness": "bystander", "Wording": "encoder",
    ]

    /// Words in any identifier that a glossary term or a standard term has replaced.
    private static let replacedAnywhere: [String: String] = {
        let lists = [
            "index, offset, position or location": "place places",
            "run or outcome":
                "play plays played player players playing playback playable unplayable",
            "report, send or print": "tell tells telling teller told untold",
            "again": "anew",
            "another client": "somebody nobody anybody everybody",
            "operator behaviour": "persona personas",
            "baseline": "pinned characterise characterised",
            "differential pair": "twin twins",
            "stale session": "ghost ghosts",
            "entry or template": "saying sayings",
            "miss": "stranger strangers",
            "comment, note or warning": "remark remarks",
            "cache": "familiar",
            "space or whitespace": "blanks",
            "batching interval": "quantum",
            "threshold": "promises",
            "slot": "seat seats",
            "virtual user": "crew crews",
            "signal": "bell",
            "from": "whence",
            "recipient": "hearer hearers",
            "inject or occur": "strike strikes",
        ]
        return lists.reduce(into: [:]) { result, list in
            for word in list.value.split(separator: " ") { result[String(word)] = list.key }
        }
    }()

    @Test func theTermsAreSortedAndUnique() throws {
        let terms = try GlossaryTerms.page()
        #expect(terms.count > 60)
        #expect(terms == terms.sorted())
        #expect(Set(terms).count == terms.count)
    }

    /// `CodeProseTests` and `DocumentProseTests` search for these words.
    @Test func replacedWordsBelongToTerms() throws {
        let terms = try GlossaryTerms.page()
        #expect(GlossaryTerms.replaced.map(\.term).filter { !terms.contains($0) } == [])
        for words in (GlossaryTerms.replaced.map(\.words) + MarkedWords.translated.map(\.words)) {
            #expect(throws: Never.self) { try NSRegularExpression(pattern: words) }
        }
    }

    /// The Swift files below a folder.
    private static func files(in folder: String) throws -> [(name: String, code: [UInt8])] {
        let folder = Repository.root.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
            .map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
    }

    @Test(arguments: ["Sources", "Tests", "Benchmarks/Sources"])
    func noIdentifierHasAReplacedWord(_ folder: String) throws {
        var seen: Set<String> = []
        for (name, code) in try Self.files(in: folder) {
            var words = CodeWords(code)
            while let identifier = words.next() {
                guard seen.insert(identifier.text).inserted else { continue }
                for word in Self.words(of: identifier.text) {
                    guard let instead = Self.replacedAnywhere[word] else { continue }
                    Issue.record(
                        "\(name):\(identifier.line): in \(identifier.text), instead of \(word): \(instead)"
                    )
                }
            }
        }
        #expect(seen.count > 100)
    }

    /// The words of an identifier in lower case: `isInPlace` has `is`, `in` and `place`.
    private static func words(of identifier: String) -> [String] {
        var words: [String] = []
        let letters = Array(identifier)
        for (index, letter) in letters.enumerated() where letter != "_" {
            let previous = index > 0 ? letters[index - 1] : "_"
            let isEndOfAcronym = index + 1 < letters.count && letters[index + 1].isLowercase
            let isStart = letter.isUppercase && (!previous.isUppercase || isEndOfAcronym)
            if isStart || previous == "_" { words.append("") }
            words[words.count - 1] += letter.lowercased()
        }
        return words
    }

    @Test func identifiersAreSplitIntoWords() {
        #expect(Self.words(of: "isInPlace") == ["is", "in", "place"])
        #expect(Self.words(of: "place") == ["place"])
        #expect(Self.words(of: "replaced") == ["replaced"])
        #expect(Self.words(of: "lj_exact_waits") == ["lj", "exact", "waits"])
        #expect(Self.words(of: "aNewXMLReader") == ["a", "new", "xml", "reader"])
    }

    @Test func noTypeIsNamedByAReplacedWord() throws {
        let kinds: Set = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        var seen: Set<String> = []
        for (name, code) in try Self.files(in: "Sources") {
            var identifiers = CodeWords(code)
            var previous = ""
            while let identifier = identifiers.next() {
                defer { previous = identifier.text }
                let type = identifier.text
                guard kinds.contains(previous), type.first?.isUppercase == true else { continue }
                seen.insert(type)
                let words = type.matches(of: /[A-Z][a-z0-9]*/).map { String($0.output) }
                for word in words {
                    let instead = Self.replaced[word] ?? Self.replaced[String(word.dropLast())]
                    #expect(
                        instead == nil, "\(name): in \(type), instead of \(word): \(instead ?? "")")
                }
            }
        }
        #expect(seen.count > 500)
    }
}
