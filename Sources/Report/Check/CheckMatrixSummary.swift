import Diagnostics
import LineProtocol
package import Results

/// Terminal summary of checks against several servers.
package struct CheckMatrixSummary: Sendable {
    /// Maximum width of server names in the heading of the matrix. Longer names are truncated.
    private static let nameColumnsMax = 18
    /// Maximum number of checks with the same outcome that are listed. The rest are only counted.
    private static let idsMax = 6

    private let style: Style
    /// True to print one line per check, false to print one line per rule.
    private let showsAll: Bool

    package init(style: Style, showsAll: Bool = false) {
        self.style = style
        self.showsAll = showsAll
    }

    /// Returns the heading printed before each server is checked.
    package func heading(_ name: String, _ number: Int, of count: Int) -> String {
        style("\(number) of \(count): \(escapedForDisplay(name))", .bold) + "\n"
    }

    /// Returns the matrix, the outlier report, and each server's failures.
    ///
    /// - Parameter replays: For each server, the `run` option that selects it, such as
    ///   `--server URL`.
    package func text(_ matrix: CheckMatrix, replays: [String]) -> String {
        var text = "\n" + table(matrix) + outlierReport(matrix)
        let summary = CheckSummary(style: style)
        for (index, server) in matrix.servers.enumerated() {
            let failures = server.results.checks.filter { $0.verdict == .failed }
            for check in failures {
                let name = style(escapedForDisplay(server.name), .bold)
                text += "\n\(name): " + summary.details(check, replay: replays[index])
            }
        }
        let schema = SchemaText(style: style)
        for server in matrix.servers {
            guard let report = server.results.commandTable else { continue }
            text += schema.problems(report, of: "\(server.results.dialect) (\(server.name))")
        }
        return text + "\n" + counts(matrix)
    }

    // MARK: The matrix

    private func table(_ matrix: CheckMatrix) -> String {
        let names = matrix.servers.map {
            ColumnText.cutEnd(escapedForDisplay($0.name), to: Self.nameColumnsMax)
        }
        let lines = groups(matrix)
        let width = lines.map { ColumnText.width($0.name) }.max() ?? 0
        let columns = names.map { max(ColumnText.width($0), 8) + 2 }
        var text = String(repeating: " ", count: width + 4)
        for (name, column) in zip(names, columns) {
            text += style(ColumnText.padded(name, to: column), .bold)
        }
        text += "\n"
        for line in lines {
            text += (line.differs ? style("≠ ", .yellow) : "  ")
            text += ColumnText.padded(line.name, to: width) + "  "
            for (verdicts, column) in zip(line.verdicts, columns) {
                text += cell(verdicts, column)
            }
            text += "\n"
        }
        return trimmed(text)
    }

    private typealias Line = (name: String, differs: Bool, verdicts: [[Verdict]])

    private func groups(_ matrix: CheckMatrix) -> [Line] {
        var lines: [Line] = []
        for row in matrix.rows {
            let name = escapedForDisplay(showsAll ? "\(row.id)" : row.id.rule)
            let verdicts = row.cells.map { $0.map { [$0.verdict] } ?? [] }
            if let last = lines.indices.last, lines[last].name == name {
                lines[last].differs = lines[last].differs || row.differs
                lines[last].verdicts = zip(lines[last].verdicts, verdicts).map { $0 + $1 }
            } else {
                lines.append((name, row.differs, verdicts))
            }
        }
        return lines
    }

    /// Returns the mark of the most urgent verdict. If there are several checks, the number of
    /// checks with that verdict and the total follow, such as `✗ 2/14`.
    private func cell(_ verdicts: [Verdict], _ width: Int) -> String {
        let worst = CheckSummary.byUrgency.first { verdicts.contains($0) }
        guard let worst else { return ColumnText.padded("", to: width) }
        let look = VerdictStyle(worst)
        let count = verdicts.count { $0 == worst }
        let share = verdicts.count == 1 ? "" : " \(count)/\(verdicts.count)"
        return style(ColumnText.padded(look.mark + share, to: width), look.look)
    }

    private func trimmed(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return String(line)
        }.joined(separator: "\n")
    }

    // MARK: Outlier report

    private func outlierReport(_ matrix: CheckMatrix) -> String {
        let rows = matrix.differences
        guard !rows.isEmpty else {
            return "\n"
                + style("✓ all servers behave the same in every conclusive check", .green) + "\n"
        }
        var text =
            "\n" + style("≠ outlier report: checks where the servers differ", .yellow) + "\n"
        // Checks with the same outcome share an entry.
        var groups: [(words: String, ids: [String])] = []
        for row in rows {
            let words = OutlierText.text(row, matrix)
            if let index = groups.firstIndex(where: { $0.words == words }) {
                groups[index].ids.append("\(row.id)")
            } else {
                groups.append((words, ["\(row.id)"]))
            }
        }
        for (words, ids) in groups {
            let shown = escapedForDisplay(ids.prefix(Self.idsMax).joined(separator: ", "))
            let more = ids.count > Self.idsMax ? " and \(ids.count - Self.idsMax) more" : ""
            text += "  \(shown)\(more)\n      \(words)\n"
        }
        return text
    }

    private func counts(_ matrix: CheckMatrix) -> String {
        let names = matrix.servers.map { escapedForDisplay($0.name) }
        let width = names.map { ColumnText.width($0) }.max() ?? 0
        let summary = CheckSummary(style: style)
        return zip(names, matrix.servers).map { name, server in
            ColumnText.padded(name, to: width) + "  " + summary.counts(server.results) + "\n"
        }.joined()
    }
}

/// A formatter for the entries of the outlier report.
enum OutlierText {
    /// Returns an entry such as `ngircd: refuse; others: ignore`. If there is no majority, the
    /// entry lists the outcome on each server.
    static func text(_ row: CheckMatrix.Row, _ matrix: CheckMatrix) -> String {
        var groups: [(word: String, names: [String])] = []
        for index in row.minority {
            let word = row.cells[index].map { "\($0.measured)" } ?? ""
            let name = matrix.servers[index].name
            if let group = groups.firstIndex(where: { $0.word == word }) {
                groups[group].names.append(name)
            } else {
                groups.append((word, [name]))
            }
        }
        var parts = groups.map { "\($0.names.joined(separator: ", ")): \($0.word)" }
        if let majority = row.majority { parts.append("others: \(majority)") }
        return escapedForDisplay(parts.joined(separator: "; "))
    }
}
