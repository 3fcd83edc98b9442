import Conformance
import Foundation
import ReferenceServer
import RepositoryFiles
import Results
import Testing

/// The row of docs/fault-matrix.md for a fault: the checks that detect it, and the outcome in each dialect.
struct FaultExpectation: Sendable {
    /// The checks that detect the fault, by rule or by id.
    var checks: [String]
    /// Other rules that fail because what they depend on no longer holds.
    var neighbours: Set<String>
    /// The outcome by dialect.
    private var outcomes: [String: FaultTrial.Outcome]
    /// The numbers of the reasons why the fault never occurs, by dialect.
    private var reasons: [String: Int]

    /// - Throws: if the table lacks the row.
    init(_ fault: Fault) throws {
        let row = try #require(
            Self.rows[fault.rawValue], "docs/fault-matrix.md lacks \(fault.rawValue)")
        checks = Self.ids(row[0])
        neighbours = Set(Self.ids(row[1]))
        outcomes = [:]
        reasons = [:]
        for (name, cell) in zip(MatrixDialect.all, row.dropFirst(2)) {
            let words = cell.split(separator: " ")
            switch words.first {
            case "found": outcomes[name] = .found
            case "class": outcomes[name] = .classChanges
            case "never":
                outcomes[name] = .neverOccurs
                reasons[name] = words.last.flatMap { Int($0) }
            default: Issue.record("\(fault.rawValue) in \(name): `\(cell)`")
            }
        }
    }

    /// Nil if the table has no such cell.
    func outcome(in dialect: String) -> FaultTrial.Outcome? { outcomes[dialect] }

    /// Why the fault never occurs in the dialect; nil if the table gives no reason.
    func reason(in dialect: String) -> String? { reasons[dialect].flatMap { Self.reasons[$0] } }

    /// The first dialect in which the fault is found; small dialects come first.
    var sampledDialect: String? {
        ["corner", "plain", "nats", "livechat", "msnp", "irc", "teamspeak"]
            .first { outcomes[$0] == .found }
    }

    /// Whether the check is one of those that detect the fault.
    func names(_ id: CheckID) -> Bool {
        checks.contains { check in
            check == "\(id)" || check == id.rule || id.rule.hasPrefix(check + ".")
        }
    }

    /// The pairs of fault and dialect whose outcome in the table matches.
    static func pairs(where matches: (FaultTrial.Outcome) -> Bool) -> [(Fault, String)] {
        Fault.allCases.flatMap { fault in
            let expectation = try? FaultExpectation(fault)
            return MatrixDialect.all.filter { expectation?.outcome(in: $0).map(matches) ?? false }
                .map { (fault, $0) }
        }
    }

    // MARK: The table

    private static let text = (try? Repository.text("docs/fault-matrix.md")) ?? ""

    /// The other cells of each row, by the fault's name.
    static let rows: [String: [String]] = {
        var rows: [String: [String]] = [:]
        for line in text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3 + MatrixDialect.all.count else { continue }
            rows[String(cells[0].filter { $0 != "`" })] = Array(cells.dropFirst())
        }
        return rows
    }()

    /// The numbered list below the table.
    private static let reasons: [Int: String] = {
        var reasons: [Int: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]) else { continue }
            reasons[number] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return reasons
    }()

    private static func ids(_ cell: String) -> [String] {
        cell.split(separator: ",").map { $0.filter { $0 != "`" && $0 != " " } }
            .filter { !$0.isEmpty }
    }
}
