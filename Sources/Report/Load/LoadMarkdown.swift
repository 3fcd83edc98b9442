import Diagnostics
import LineProtocol
import Results

/// Load results as Markdown, for a step summary or a pull request comment.
enum LoadMarkdown {
    static func text(_ results: LoadResults) -> String {
        let sign =
            switch results.verdict {
            case .passed: "✅"
            case .failed: "❌"
            default: "❔"
            }
        let title = results.capture == nil ? "\(sign) linejudge load" : "Captured latencies"
        var lines = ["### \(title)", ""]
        if results.capture == nil {
            lines += results.reasons.map { "- \(MarkdownText.escaped($0))" }
            if !results.reasons.isEmpty { lines.append("") }
        }
        let summary = LoadSummary(style: Style(isColoured: false)).text(results)
        return (lines + MarkdownText.fenced(String(summary.trimmingPrefix("\n"))))
            .joined(separator: "\n") + "\n"
    }
}
