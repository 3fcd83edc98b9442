import Diagnostics
import LineProtocol
package import Results

/// Test Anything Protocol reports. Known failures are `TODO` tests. Inconclusive and invalid
/// scenarios are `not ok`, because harnesses would not report them otherwise.
///
/// The output is valid in versions 13 and 14. It declares version 13, because version 14 readers
/// accept that, and most installed versions of `prove` reject version 14.
package enum TAPReport {
    package static func text(_ results: RunResults) -> String {
        let tables = results.brokenLinesFail ? results.commandTables.count : 0
        var lines = ["TAP version 13", "1..\(results.scenarios.count + tables)"]
        lines.append("# server: \(escapedForDisplay(results.server.summary))")
        lines.append("# seed: \(results.seed)")
        for (index, result) in results.scenarios.enumerated() {
            lines.append(point(index + 1, result))
            lines += block(result)
        }
        for (index, table) in results.commandTables.enumerated() {
            lines += commandTable(table, results, number: results.scenarios.count + index + 1)
        }
        if let interruption = results.interruption {
            lines.append("Bail out! \(interruption.sentence)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the lines for a command table: a test point if violations fail the run, otherwise
    /// comments.
    private static func commandTable(
        _ table: RunResults.CommandTable, _ results: RunResults, number: Int
    ) -> [String] {
        let rows = table.report.breaks.map { "# \(SchemaPhrases.full($0))" }
        let name = "server lines match the command table of \(table.dialect)"
        guard results.brokenLinesFail else {
            return rows.isEmpty
                ? []
                : [
                    "# server lines that violate the command table of "
                        + "\(escapedForDisplay(table.dialect)):"
                ] + rows
        }
        let word = table.report.brokenLines > 0 ? "not ok" : "ok"
        return ["\(word) \(number) - \(description(name))"] + rows
    }

    private static func point(_ number: Int, _ result: ScenarioResult) -> String {
        let title = description(result.fullTitle)
        let reason = description(result.reason)
        return switch result.verdict {
        case .passed, .flaky, .delayed, .observed: "ok \(number) - \(title)"
        case .failed, .inconclusive, .error: "not ok \(number) - \(title)"
        case .skipped: "ok \(number) - \(title) # SKIP \(reason)"
        case .knownFailure: "not ok \(number) - \(title) # TODO \(reason)"
        }
    }

    /// Returns the YAML block after a test point. Strings are quoted as in JSON, which is also
    /// valid YAML.
    private static func block(_ result: ScenarioResult) -> [String] {
        var members = [
            ("verdict", result.verdict.rawValue),
            ("file", jsonString(result.path)),
        ]
        if let line = result.line { members.append(("line", String(line))) }
        members.append(("duration_ms", decimal(result.duration, per: 1_000_000, digits: 3)))
        if result.attempts > 1 { members.append(("attempts", String(result.attempts))) }
        if result.verdict.needsExplanation, let headline = result.headline {
            members.append(("message", jsonString(escapedForDisplay(headline))))
        }
        var lines = members.map { "  \($0): \($1)" }
        if result.verdict.needsExplanation, !result.diagnostics.isEmpty {
            let text = DiagnosticRenderer().text(result.diagnostics)
            lines.append("  diagnostics: |")
            lines += text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map { $0.isEmpty ? "" : "    \($0)" }
        }
        return ["  ---"] + lines + ["  ..."]
    }

    /// Escapes a title or reason so that `#` does not start a directive.
    private static func description(_ text: String) -> String {
        var out = ""
        for letter in escapedForDisplay(text) {
            if letter == "#" || letter == "\\" { out += "\\" }
            out.append(letter)
        }
        return out
    }
}
