import Diagnostics
import LineProtocol
import Results

/// Check results as Markdown, for a pull request comment.
enum CheckMarkdown {
    /// Returns the complete comment.
    static func text(_ matrix: CheckMatrix) -> String {
        var lines = ["### \(sign(matrix)) linejudge check", ""]
        lines += servers(matrix)
        if matrix.servers.count > 1 { lines += outlierReport(matrix) }
        for server in matrix.servers {
            let label = matrix.servers.count > 1 ? "\(server.name): " : ""
            if let replacements = CheckPhrases.replacements(server.results) {
                lines += ["", MarkdownText.escaped("\(label)The server was \(replacements).")]
            }
            for drift in [server.results.drift].compactMap(\.self) { lines += baseline(drift) }
            for verdict in [Verdict.failed, .flaky, .delayed, .inconclusive] {
                for check in server.results.checks where check.verdict == verdict {
                    lines += details(check, label)
                }
            }
        }
        for server in matrix.servers {
            let label = matrix.servers.count > 1 ? "\(server.name): " : ""
            lines += commandTable(server.results.commandTable?.breaks ?? [], label)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func commandTable(_ breaks: [SchemaReport.Deviation], _ label: String)
        -> [String]
    {
        if breaks.isEmpty { return [] }
        let title = MarkdownText.escaped("\(label)lines that violate the command table")
        return ["", "#### ! \(title)", ""]
            + breaks.map { "- \(MarkdownText.escaped(SchemaPhrases.full($0)))" }
    }

    private static func sign(_ matrix: CheckMatrix) -> String {
        switch matrix.exitCode {
        case .ok: "✅"
        case .failed, .drift: "❌"
        default: "❔"
        }
    }

    private static func servers(_ matrix: CheckMatrix) -> [String] {
        let present = CheckSummary.byUrgency.filter { verdict in
            matrix.servers.contains { $0.results.count(verdict) > 0 }
        }
        let heads = present.map { VerdictStyle($0).checkWord.lowercased() }
        var lines = [
            "| server | dialect | " + heads.joined(separator: " | ") + " |",
            "| --- | --- |" + String(repeating: " ---: |", count: heads.count),
        ]
        for server in matrix.servers {
            let cells = present.map { String(server.results.count($0)) }
            let name = MarkdownText.escaped(server.name)
            let dialect = MarkdownText.escaped(server.results.dialect)
            lines.append("| \(name) | \(dialect) | " + cells.joined(separator: " | ") + " |")
        }
        return lines
    }

    private static func outlierReport(_ matrix: CheckMatrix) -> [String] {
        let rows = matrix.differences
        guard !rows.isEmpty else {
            return ["", "All servers behave the same in every conclusive check."]
        }
        let names = matrix.servers.map { MarkdownText.escaped($0.name) }
        var lines = [
            "", "#### Outlier report", "",
            "| check | " + names.joined(separator: " | ") + " |",
            "| --- |" + String(repeating: " --- |", count: names.count),
        ]
        for row in rows {
            let cells = row.cells.enumerated().map { index, cell in
                let word = MarkdownText.escaped(cell.map { "\($0.measured)" } ?? "–")
                return row.minority.contains(index) && row.majority != nil ? "**\(word)**" : word
            }
            lines.append(
                "| \(MarkdownText.escaped("\(row.id)")) | " + cells.joined(separator: " | ") + " |")
        }
        return lines
    }

    private static func baseline(_ drift: CheckResults.Drift) -> [String] {
        let name = MarkdownText.escaped(drift.baseline)
        var lines = ["", "#### Compared with baseline \(name): \(drift.comparison.summary)", ""]
        for pair in drift.comparison.changed {
            let words = MarkdownText.escaped("\(pair.id): \(pair.before) → \(pair.now)")
            lines.append("- ❌ \(words)")
        }
        return lines
    }

    private static func details(_ check: CheckResult, _ label: String) -> [String] {
        let look = VerdictStyle(check.verdict)
        var lines = [
            "",
            "#### \(look.mark) \(MarkdownText.escaped(label + "\(check.id)")) \(look.checkWord.lowercased())",
            "", MarkdownText.escaped(check.claim.isEmpty ? check.reason : check.claim), "",
        ]
        if let finding = check.finding {
            lines.append("- expected: \(MarkdownText.escaped(finding.expected))")
            lines.append("- got: \(MarkdownText.escaped(finding.got))")
        } else if !check.reason.isEmpty {
            lines.append("- \(MarkdownText.escaped(check.reason))")
        }
        lines.append("- because: \(MarkdownText.escaped(CheckPhrases.because(check)))")
        if let rate = check.rate {
            lines.append("- failed \(rate.failures) of \(rate.runs) times")
        }
        if let scenario = check.scenario {
            let fence = String(repeating: "`", count: 4)
            lines += ["", "\(fence)text"]
            lines += scenario.split(separator: "\n", omittingEmptySubsequences: false)
                .map { escapedForDisplay(String($0)).replacing(fence, with: "") }
            lines.append(fence)
        }
        return lines
    }
}

/// Phrases about checks, shared by several reports.
enum CheckPhrases {
    /// Returns what a check is based on, such as
    /// `RFC 1459 §2.3 (must) “…”; dialect setting: fields.source`.
    static func because(_ check: CheckResult) -> String {
        let dialect = "dialect setting: \(check.basis)"
        if check.clause == nil, check.level == .robustness {
            return "required of any protocol (robustness)"
        }
        if check.clause == nil, check.basis.hasSuffix(": ?") {
            let setting = check.basis.dropLast(3)
            return "required of any server whose dialect leaves \(setting) open"
        }
        guard let clause = clause(check) else { return "\(dialect) (\(check.level.rawValue))" }
        return "\(clause); \(dialect)"
    }

    /// Returns the clause that a check cites, such as `RFC 1459 §2.3 (must) “…”`; nil if it cites
    /// none.
    static func clause(_ check: CheckResult) -> String? {
        guard let clause = check.clause else { return nil }
        let section = clause.section.isEmpty ? "" : " §\(clause.section)"
        let quote = clause.quote.isEmpty ? "" : " “\(clause.quote)”"
        return "\(clause.document)\(section) (\(check.level.rawValue))\(quote)"
    }

    /// Returns how often the server was replaced, and why; nil if it was not.
    static func replacements(_ results: CheckResults) -> String? {
        guard results.replacements > 0 else { return nil }
        return "replaced with a new one \(counted(results.replacements, "time")), because it no "
            + "longer served clients or kept using the CPU"
    }
}
