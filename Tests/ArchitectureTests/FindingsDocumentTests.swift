import Foundation
import RepositoryFiles
import Testing

/// `docs/findings.md` shows a demonstration of every failure that a profile of the `irc` dialect
/// declares as known, and of no others.
struct FindingsDocumentTests {
    /// Profiles, by the name of the server's script.
    private static let profiles = [
        "ngircd": "ngircd", "inspircd": "inspircd", "ircd-hybrid": "ircd-hybrid",
        "ircd-irc2": "ircd-irc2", "ircd-ircu": "ircd-ircu", "miniircd": "miniircd",
        "irc": "python-irc", "twisted": "twisted",
    ]

    @Test(arguments: profiles.keys.sorted())
    func knownFailuresAreDemonstrated(server: String) throws {
        let page = try Repository.text("docs/findings.md")
        let dialect = try Repository.text("Sources/DialectFiles/Dialects/irc.yaml")
        let profile = try #require(Self.profiles[server])
        let known = try Self.knownFailures(dialect, profile: profile)
        var demonstrated = Set<String>()
        for row in try Self.rows(page, server: server) {
            let cells = row.components(separatedBy: " | ")
            demonstrated.formUnion(cells[0].matches(of: /`([^`]+)`/).map { String($0.1) })
            #expect(cells.count == 3 && cells[2].count > 5, "no evidence: \(row)")
        }
        // Servers whose PONG does not repeat the token have no known failure for that, because their
        // profiles count the answers.
        #expect(demonstrated.subtracting(["probe.token"]) == known)
    }

    /// Ids in the `known-failures` of a profile.
    private static func knownFailures(_ dialect: String, profile: String) throws -> Set<String> {
        let start = try #require(dialect.range(of: "\n  \(profile):\n    summary:"))
        let rest = dialect[start.upperBound...]
        let end = rest.firstMatch(of: /\n  [a-z]/)?.range.lowerBound ?? rest.endIndex
        let checks = rest[..<end].matches(of: /- \{check: '?([^,']+)'?,/)
        return Set(checks.map { String($0.1) })
    }

    /// The rows of a server's table.
    private static func rows(_ page: String, server: String) throws -> [String] {
        let start = try #require(page.range(of: "<!-- findings: \(server) -->\n"))
        let table = page[start.upperBound...].components(separatedBy: "\n\n")[0]
        return Array(table.components(separatedBy: "\n")[2...])
    }
}
