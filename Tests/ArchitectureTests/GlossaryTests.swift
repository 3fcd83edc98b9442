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

    @Test func theTermsAreSortedAndUnique() throws {
        let page = try String(
            contentsOf: Repository.root.appending(path: "docs/glossary.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2)
        let terms = rows.map { row in
            row.dropFirst(2).components(separatedBy: " | ")[0].lowercased()
        }
        #expect(terms.count > 60)
        #expect(terms == terms.sorted())
        #expect(Set(terms).count == terms.count)
    }

    @Test func noTypeIsNamedByAReplacedWord() throws {
        let folder = Repository.root.appending(path: "Sources")
        let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
        for case let name as String in names where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let declarations = text.matches(
                of: /\b(?:struct|class|enum|actor|protocol|typealias) ([A-Z][A-Za-z0-9]*)/)
            for declaration in declarations {
                let type = String(declaration.1)
                let words = type.matches(of: /[A-Z][a-z0-9]*/).map { String($0.output) }
                for word in words {
                    let instead = Self.replaced[word] ?? Self.replaced[String(word.dropLast())]
                    #expect(
                        instead == nil, "\(name): in \(type), instead of \(word): \(instead ?? "")")
                }
            }
        }
    }
}
