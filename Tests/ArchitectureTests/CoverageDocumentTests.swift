import Foundation
import RepositoryFiles
import Testing

/// `docs/irc-coverage.md` adds up, and what it names exists.
struct CoverageDocumentTests {
    private enum Kind: Hashable { case covered, gap, outOfScope }

    /// A row of a table: a test of irctest and what covers it.
    private struct Row {
        var file: String
        var test: String
        var cover: String
        var kind: Kind
        var isOfOneServer: Bool
    }

    private static func rows(_ page: String) -> [Row] {
        var file = ""
        var rows: [Row] = []
        for line in page.components(separatedBy: "\n") {
            if line.hasPrefix("### ") { file = String(line.dropFirst(4)) }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let cover = cells.dropFirst().joined(separator: "|")
            let kind: Kind =
                cover.hasPrefix("*gap*")
                ? .gap : cover.hasPrefix("*out of scope*") ? .outOfScope : .covered
            let isOfOneServer = line.contains("(Ergo)") || line.contains("(Sable)")
            rows.append(
                Row(
                    file: file, test: cells[0], cover: cover, kind: kind,
                    isOfOneServer: isOfOneServer))
        }
        return rows
    }

    @Test func totalsAndPercentagesAreThoseOfTheRows() throws {
        let page = try Repository.text("docs/irc-coverage.md")
        let rows = Self.rows(page)
        let ofOneServer = rows.filter(\.isOfOneServer)
        let others = rows.filter { !$0.isOfOneServer }
        for (title, rows) in [
            ("not specific to one server", others), ("of Ergo or Sable alone", ofOneServer),
            ("all", rows),
        ] {
            let counts = [Kind.covered, .gap, .outOfScope].map { kind in
                rows.count { $0.kind == kind }
            }
            let percent = counts[0] * 100 / rows.count
            let share = title == "of Ergo or Sable alone" ? "" : " (\(percent)%)"
            let numbers = "\(counts[0])\(share) | \(counts[1]) | \(counts[2]) | \(rows.count)"
            let line = "| \(title) | \(numbers) |"
            #expect(page.contains(line), "expected \(line)")
        }
        let inScope = others.filter { $0.kind != .outOfScope }
        let covered = inScope.count { $0.kind == .covered } * 100 / inScope.count
        #expect(page.contains("Linejudge covers \(covered)% of the tests that are neither"))
        #expect(page.contains("of its \(rows.count) server tests"))
    }

    @Test func eachTestIsListedOnce() throws {
        let rows = Self.rows(try Repository.text("docs/irc-coverage.md"))
        let names = Dictionary(grouping: rows) { "\($0.file) \($0.test)" }
        #expect(names.filter { $0.value.count > 1 }.keys.sorted() == [])
        #expect(rows.count == 423)
    }

    @Test func gapsAndTestsOutOfScopeHaveAReason() throws {
        let rows = Self.rows(try Repository.text("docs/irc-coverage.md"))
        for row in rows where row.kind != .covered {
            let reason = row.cover.split(separator: "*: ", maxSplits: 1).last ?? ""
            #expect(reason.count > 5 && row.cover.contains("*: "), "\(row.test)")
        }
    }

    @Test func eachScenarioAndRuleExists() throws {
        let rules = try Repository.text("docs/check.md")
        let rows = Self.rows(try Repository.text("docs/irc-coverage.md"))
        for row in rows where row.kind == .covered {
            let links = row.cover.matches(
                of: /\[([^\]]+)\]\(\.\.\/(Scenarios\/irc\/([^)]+)\.chat)\)/)
            for link in links {
                #expect(link.1 == link.3, "\(row.cover)")
                #expect(throws: Never.self) { try Repository.text(String(link.2)) }
            }
            let checks = row.cover.matches(of: /`([^`]+)`/)
            for check in checks {
                let rule = check.1.prefix { $0 != ":" }
                #expect(rules.contains("| `\(rule)"), "no rule \(rule)")
            }
            #expect(links.count + checks.count > 0, "\(row.test) is covered by nothing")
        }
    }
}
