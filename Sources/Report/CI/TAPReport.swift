import Diagnostics
import LineProtocol
package import Results

/// Test Anything Protocol. What is known to fail is a `TODO`; what could not be decided or read is not
/// ok, because nothing else in TAP makes a harness look at it.
///
/// Nothing in it means anything else in version 14 than in version 13; it calls itself 13, because
/// readers of 14 must take that, and the `prove` of most systems refuses 14.
package enum TAPReport {
    /// The results as TAP; ends with a line end.
    package static func text(_ results: RunResults) -> String {
        let tables = results.brokenLinesFail ? results.commandTables.count : 0
        var lines = ["TAP version 13", "1..\(results.scenarios.count + tables)"]
        lines.append("# server: \(escapedForDisplay(results.server.summary))")
        lines.append("# seed: \(results.seed)")
        for (index, result) in results.scenarios.enumerated() {
            lines.append(point(index + 1, result))
            lines += block(result)
        }
        for (place, table) in results.commandTables.enumerated() {
            lines += commandTable(table, results, number: results.scenarios.count + place + 1)
        }
        if let interruption = results.interruption {
            lines.append("Bail out! \(interruption.sentence)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A point of its own where broken lines fail the run, and else a remark.
    private static func commandTable(
        _ table: RunResults.CommandTable, _ results: RunResults, number: Int
    ) -> [String] {
        let rows = table.report.breaks.map { "# \(SchemaWords.full($0))" }
        let name = "the server's lines against the command table of \(table.dialect)"
        guard results.brokenLinesFail else {
            return rows.isEmpty ? [] : ["# \(escapedForDisplay(name)):"] + rows
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

    /// The YAML block below a test point; strings are quoted as JSON, which YAML reads too.
    private static func block(_ result: ScenarioResult) -> [String] {
        var members = [
            ("verdict", result.verdict.rawValue),
            ("file", jsonString(result.path)),
        ]
        if let line = result.line { members.append(("line", String(line))) }
        members.append(("duration_ms", decimal(result.duration, per: 1_000_000, places: 3)))
        if result.attempts > 1 { members.append(("attempts", String(result.attempts))) }
        if result.verdict.wantsExplaining, let headline = result.headline {
            members.append(("message", jsonString(escapedForDisplay(headline))))
        }
        var lines = members.map { "  \($0): \($1)" }
        if result.verdict.wantsExplaining, !result.diagnostics.isEmpty {
            let text = DiagnosticRenderer().text(result.diagnostics)
            lines.append("  diagnostics: |")
            lines += text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .map { $0.isEmpty ? "" : "    \($0)" }
        }
        return ["  ---"] + lines + ["  ..."]
    }

    /// A title or reason in which `#` begins no directive.
    private static func description(_ text: String) -> String {
        var out = ""
        for letter in escapedForDisplay(text) {
            if letter == "#" || letter == "\\" { out += "\\" }
            out.append(letter)
        }
        return out
    }
}
