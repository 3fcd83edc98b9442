import Foundation
import RepositoryFiles
import Testing

/// The totals of `docs/irc-coverage.md` are those of its rows.
struct CoverageDocumentTests {
    private enum Kind: Hashable { case covered, gap, outOfScope }

    @Test func totalsAreThoseOfTheRows() throws {
        let lines = try Repository.text("docs/irc-coverage.md").components(separatedBy: "\n")
        var counts: [Kind: Int] = [:]
        var ofOneServer: [Kind: Int] = [:]
        for line in lines where line.hasPrefix("| `") {
            let kind: Kind =
                line.contains("*gap*")
                ? .gap : line.contains("*out of scope*") ? .outOfScope : .covered
            counts[kind, default: 0] += 1
            if line.contains("(Ergo)") || line.contains("(Sable)") {
                ofOneServer[kind, default: 0] += 1
            }
            if kind == .covered {
                let cover = line.split(separator: "|").dropFirst().first ?? ""
                #expect(cover.contains("](../Scenarios/irc/") || cover.contains("`"), "\(line)")
            }
        }
        #expect(Self.numbers(lines, "| all |") == Self.row(counts))
        #expect(Self.numbers(lines, "| of Ergo or Sable alone |") == Self.row(ofOneServer))
        #expect(counts.values.reduce(0, +) > 400)
    }

    private static func row(_ counts: [Kind: Int]) -> [Int] {
        let kinds = [Kind.covered, .gap, .outOfScope].map { counts[$0] ?? 0 }
        return kinds + [kinds.reduce(0, +)]
    }

    /// The numbers of a row of the table of totals, without percentages.
    private static func numbers(_ lines: [String], _ start: String) -> [Int] {
        let line = lines.first { $0.hasPrefix(start) } ?? ""
        return line.dropFirst(start.count).split(separator: "|").compactMap {
            $0.split(separator: " ").first.flatMap { Int($0) }
        }
    }
}
