import Diagnostics
import LineProtocol
import Results

/// Results of a run as Markdown, for a step summary or a pull request comment.
enum RunMarkdown {
    /// Maximum number of problems shown with details. GitHub limits a step summary to 1 MiB.
    static let problemsMax = 50
    /// Maximum number of transcript lines shown per problem, taken from the end.
    static let transcriptLinesMax = 100

    static func text(_ results: RunResults) -> String {
        var lines = ["### \(sign(results)) linejudge run", ""]
        lines += counts(results)
        let plain = DiagnosticRenderer()
        if !results.diagnostics.isEmpty {
            lines += [""] + MarkdownText.fenced(plain.text(results.diagnostics))
        }
        let problems = results.scenariosExplainingUnreachableOnce.filter {
            $0.verdict.needsExplanation
        }
        for result in problems.prefix(problemsMax) { lines += details(of: result) }
        let more = problems.count - problemsMax
        if more > 0 { lines += ["", "\(counted(more, "more problem")) in the log"] }
        for table in results.commandTables where !table.report.breaks.isEmpty {
            let name = MarkdownText.escaped(table.dialect)
            lines += ["", "#### ! lines that violate the command table of \(name)", ""]
            lines += table.report.breaks.map { "- \(MarkdownText.escaped(SchemaPhrases.full($0)))" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func sign(_ results: RunResults) -> String {
        switch results.exitCode {
        case .ok: "✅"
        case .inconclusive: "❔"
        default: "❌"
        }
    }

    private static func counts(_ results: RunResults) -> [String] {
        let counts = results.counts
        let present = Verdict.byUrgency.filter { counts[$0] > 0 }
        let heads = present.map { VerdictStyle($0).plural }
        let cells = present.map { String(counts[$0]) }
        let server = MarkdownText.escaped(results.server.summary)
        return [
            "| server | " + heads.map { "\($0) | " }.joined() + "time | seed |",
            "| --- |" + String(repeating: " ---: |", count: heads.count + 2),
            "| \(server) | " + cells.map { "\($0) | " }.joined()
                + "\(durationText(results.duration)) | \(results.seed) |",
        ]
    }

    private static func details(of result: ScenarioResult) -> [String] {
        let look = VerdictStyle(result.verdict)
        let title = MarkdownText.escaped(result.fullTitle)
        var lines = [
            "", "#### \(look.mark) \(title)", "", MarkdownText.escaped(result.location), "",
        ]
        var text =
            result.diagnostics.isEmpty
            ? escapedForDisplay(result.reason) : DiagnosticRenderer().text(result.diagnostics)
        let excerpt = TranscriptExcerpt(result)
        if let excerpt { text = excerpt.appended(to: text) }
        if !text.isEmpty { lines += MarkdownText.fenced(text) }
        let shown = result.transcript.suffix(transcriptLinesMax)
        guard !shown.isEmpty, excerpt?.omitted != 0 else { return lines }
        let omitted = result.transcript.count - shown.count
        let count = (omitted > 0 ? "last " : "") + counted(shown.count, "line")
        lines += ["", "<details><summary>transcript (\(count))</summary>", ""]
        lines += MarkdownText.fenced(
            TranscriptText.plain.text(
                Array(shown), decisive: result.focus?.entry.map { $0 - omitted }))
        return lines + ["", "</details>"]
    }
}
