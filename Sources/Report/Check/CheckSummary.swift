import Diagnostics
import LineProtocol
package import Results

/// Terminal summary of checks against one server.
package struct CheckSummary: Sendable {
    /// Width of the labels in the details of a failure, in columns.
    private static let labelColumns = 10
    /// Maximum number of sent lines shown for each failure.
    private static let sentLinesMax = 8

    private let style: Style
    /// True to print one line per check, false to print one line per rule.
    private let showsAll: Bool

    package init(style: Style, showsAll: Bool = false) {
        self.style = style
        self.showsAll = showsAll
    }

    /// Returns the heading printed before the first check.
    package func heading(_ results: CheckResults, count: Int) -> String {
        if let capture = results.capture {
            let title =
                "linejudge \(results.toolVersion): \(counted(count, "check")) of "
                + "\(results.dialect) in \(capture) (\(results.endpoint))"
            return style(escapedForDisplay(title), .bold) + "\n\n"
        }
        let server = results.software.map { "\(results.endpoint) (\($0))" } ?? results.endpoint
        let title =
            "linejudge \(results.toolVersion): \(counted(count, "check")) of \(results.dialect) "
            + "against \(server)"
        return style(escapedForDisplay(title), .bold) + style(", seed \(results.seed)", .dim)
            + "\n\n"
    }

    /// Returns the summary printed after the last check.
    ///
    /// - Parameter server: The `run` option that selects the server, for commands that replay a
    ///   failure.
    package func text(_ results: CheckResults, replay server: String) -> String {
        parts(of: results, replay: server).map(\.text).joined()
    }

    /// Returns the summary in parts: the list of rules, which can be collapsed, and everything
    /// else.
    package func parts(of results: CheckResults, replay server: String) -> [ReportPart] {
        var text = ""
        for verdict in [Verdict.inconclusive, .delayed, .observed, .knownFailure] {
            text += section(verdict, results)
            if verdict == .observed { text += settings(results) }
        }
        text += section(results.checks.filter(\.isOutOfTime), VerdictStyle(.skipped), "not run")
        for verdict in [Verdict.flaky, .failed] {
            for check in results.checks where check.verdict == verdict {
                text += "\n" + details(check, replay: server)
            }
        }
        if let drift = results.drift { text += BaselineText(style: style).drift(drift) }
        if let table = results.commandTable {
            text += SchemaText(style: style, showsAll: showsAll).text(table)
        }
        text += self.server(results)
        text += "\n" + counts(results) + "\n"
        let rows = rows(results)
        if rows.isEmpty { return [ReportPart(text)] }
        return [ReportPart(rows, foldedAs: "results by rule"), ReportPart(text)]
    }

    // MARK: Rules

    /// Returns one line for each rule of the catalogue.
    private func rows(_ results: CheckResults) -> String {
        var order: [String] = []
        var byRule: [String: [CheckResult]] = [:]
        for check in results.checks {
            if byRule[check.id.rule] == nil { order.append(check.id.rule) }
            byRule[check.id.rule, default: []].append(check)
        }
        let width = order.map { ColumnText.width($0) }.max() ?? 0
        return order.map { rule in
            let checks = byRule[rule] ?? []
            let look = VerdictStyle(worst(checks))
            let head = style("\(look.mark) ", look.look) + ColumnText.padded(rule, to: width)
            var line = head + "  " + tally(checks)
            if checks.count == 1, let only = checks.first {
                let what = only.verdict == .skipped ? only.reason : only.claim
                line += "  " + style(escapedForDisplay(what), .dim)
            }
            if showsAll, checks.count > 1 {
                line += checks.map { "\n    " + VerdictStyle($0.verdict).mark + " \($0.id)" }
                    .joined()
            }
            return line + "\n"
        }.joined()
    }

    private func worst(_ checks: [CheckResult]) -> Verdict {
        Self.byUrgency.first { verdict in checks.contains { $0.verdict == verdict } } ?? .passed
    }

    /// Returns the number of checks with each verdict, such as `41 passed, 2 failed`.
    private func tally(_ checks: [CheckResult]) -> String {
        let outOfTime = checks.count(where: \.isOutOfTime)
        let parts = Self.byUrgency.compactMap { verdict -> String? in
            let count =
                checks.count { $0.verdict == verdict } - (verdict == .skipped ? outOfTime : 0)
            guard count > 0 else { return nil }
            let look = VerdictStyle(verdict)
            return style(
                count == 1 && checks.count == 1 ? look.checkWord : "\(count) \(look.checkWord)",
                look.look)
        }
        return (parts + (outOfTime > 0 ? ["\(outOfTime) not run"] : [])).joined(separator: ", ")
    }

    private func section(_ verdict: Verdict, _ results: CheckResults) -> String {
        let look = VerdictStyle(verdict)
        return section(results.checks.filter { $0.verdict == verdict }, look, look.title)
    }

    private func section(_ checks: [CheckResult], _ look: VerdictStyle, _ title: String) -> String {
        guard !checks.isEmpty else { return "" }
        var text = "\n" + style("\(look.mark) \(title)", look.look) + "\n"
        // Checks with the same reason share a line.
        var reasons: [(reason: String, ids: [String])] = []
        for check in checks {
            let reason = escapedForDisplay(check.reason)
            if let index = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[index].ids.append("\(check.id)")
            } else {
                reasons.append((reason, ["\(check.id)"]))
            }
        }
        for (reason, ids) in reasons {
            let shown = ids.prefix(6).joined(separator: ", ")
            let more = ids.count > 6 ? " and \(ids.count - 6) more" : ""
            text += "  \(shown)\(more): \(reason)\n"
        }
        return text
    }

    /// Returns the lines for the dialect file that specify the observed behaviour; empty if there
    /// are none.
    private func settings(_ results: CheckResults) -> String {
        let lines = ObservedSetting.yaml(ObservedSetting.all(results.checks))
        if lines.isEmpty { return "" }
        return style("  to specify this behaviour, add to the dialect:", .dim) + "\n"
            + lines.map { "    \($0)\n" }.joined()
    }

    /// Returns lines about the server that was started; empty if there is nothing to say.
    private func server(_ results: CheckResults) -> String {
        var text = ""
        if let replacements = CheckPhrases.replacements(results) {
            text += "server: \(replacements)\n"
        }
        if let log = results.serverLog, results.count(.failed) + results.count(.flaky) > 0 {
            text += "server output: \(escapedForDisplay(log))\n"
        }
        return text.isEmpty ? "" : "\n" + text
    }

    // MARK: Failures

    func details(_ check: CheckResult, replay server: String) -> String {
        let look = VerdictStyle(check.verdict)
        var text = style("\(look.mark) \(look.checkWord)", look.look) + "  "
        text += style("\(check.id)", .bold) + "  \(escapedForDisplay(check.claim))"
        text += check.caseTitle.isEmpty ? "\n" : style(" (\(check.caseTitle))", .dim) + "\n"
        for line in check.stimulus.flatMap({ $0.split(separator: "\n") }).prefix(Self.sentLinesMax)
        {
            text += row("sent", String(line))
        }
        if let finding = check.finding {
            text += row("expected", escapedForDisplay(finding.expected))
            text += row("got", style(escapedForDisplay(finding.got), .red))
        }
        text += row("because", because(check))
        if let rate = check.rate {
            let low = Int(rate.interval.lowerBound * 100)
            let high = Int(rate.interval.upperBound * 100)
            text += row(
                "failed",
                "\(rate.failures) of \(rate.runs) times (95% CI: \(low)–\(high)%)")
        }
        if check.isTimingBased {
            text += row("note", "decided by a timeout, so it depends on timing")
        }
        if let path = check.scenarioPath {
            let how = check.segmentation == .whole ? "" : " --segment \(check.segmentation.word)"
            text += row(
                "replay", "linejudge run \(escapedForDisplay(path)) \(server)\(how)")
            if check.scenarioPasses {
                text += row(
                    "",
                    "passes, because expectations cannot express this failure; the evidence is "
                        + "in the .jsonl file")
            }
        }
        return text
    }

    private func because(_ check: CheckResult) -> String {
        guard let clause = CheckPhrases.clause(check) else {
            return escapedForDisplay(CheckPhrases.because(check))
        }
        return escapedForDisplay(clause)
            + style("; dialect setting: \(escapedForDisplay(check.basis))", .dim)
    }

    private func row(_ label: String, _ text: String) -> String {
        "    " + style(ColumnText.padded(label, to: Self.labelColumns), .dim) + text + "\n"
    }

    // MARK: Counts

    func counts(_ results: CheckResults) -> String {
        let outOfTime = results.checks.count(where: \.isOutOfTime)
        var parts = Self.byUrgency.compactMap { verdict -> String? in
            let count = results.count(verdict) - (verdict == .skipped ? outOfTime : 0)
            guard count > 0 else { return nil }
            let look = VerdictStyle(verdict)
            return style("\(count) \(look.checkWord)", look.look)
        }
        if outOfTime > 0 { parts.append(style("\(outOfTime) not run", .bold)) }
        let all = parts.isEmpty ? "no checks ran" : parts.joined(separator: ", ")
        return all + style(" in \(durationText(results.duration))", .dim)
            + (results.interruption.map { ", \($0)" } ?? "")
    }

    static let byUrgency: [Verdict] = [
        .failed, .flaky, .inconclusive, .delayed, .knownFailure, .observed, .passed, .skipped,
    ]
}
