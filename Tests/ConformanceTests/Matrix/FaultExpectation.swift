import Conformance
import Foundation
import ReferenceServer
import Results
import Testing

/// What docs/fault-matrix.md declares of a fault: the rules that name it, and what it comes to in each dialect.
struct FaultExpectation: Sendable {
    /// The rules, or checks, that name the fault: at least one finds it in every dialect where it is found.
    var rules: [String]
    /// Other rules that find it, because what they depend on no longer holds.
    var neighbours: Set<String>
    /// What is declared by dialect.
    private var outcomes: [String: FaultTrial.Outcome]
    /// The numbers of the reasons why it never strikes, by dialect.
    private var reasons: [String: Int]

    /// The expectation for a fault; it throws where the table lacks a row or a cell of it.
    init(_ fault: Fault) throws {
        let row = try #require(
            Self.rows[fault.rawValue], "docs/fault-matrix.md lacks \(fault.rawValue)")
        rules = Self.ids(row[0])
        neighbours = Set(Self.ids(row[1]))
        outcomes = [:]
        reasons = [:]
        for (name, cell) in zip(MatrixDialect.all, row.dropFirst(2)) {
            let words = cell.split(separator: " ")
            switch words.first {
            case "found": outcomes[name] = .found
            case "class": outcomes[name] = .classChanges
            case "never", "unseen":
                outcomes[name] = words.first == "never" ? .neverStrikes : .missed
                reasons[name] = words.last.flatMap { Int($0) }
            default: Issue.record("\(fault.rawValue) in \(name): `\(cell)`")
            }
        }
    }

    /// What the pair of the fault and the dialect is; nil where nothing is declared.
    func outcome(in dialect: String) -> FaultTrial.Outcome? { outcomes[dialect] }

    /// Why the fault never strikes in the dialect; nil where no reason is given.
    func reason(in dialect: String) -> String? { reasons[dialect].flatMap { Self.reasons[$0] } }

    /// The first dialect in which it is found; the small ones come first.
    var sampledDialect: String? {
        ["corner", "plain", "nats", "livechat", "msnp", "irc", "teamspeak"]
            .first { outcomes[$0] == .found }
    }

    /// Whether a check is one of those that name the fault.
    func names(_ id: CheckID) -> Bool {
        rules.contains { rule in
            rule == "\(id)" || rule == id.row || id.row.hasPrefix(rule + ".")
        }
    }

    // MARK: The table

    private static let text: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return
            (try? String(contentsOf: root.appending(path: "docs/fault-matrix.md"), encoding: .utf8))
            ?? ""
    }()

    /// The cells behind each fault's name.
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

    /// The numbered list behind the table.
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
