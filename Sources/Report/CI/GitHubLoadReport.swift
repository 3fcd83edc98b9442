import Diagnostics
import LineProtocol
import Results

/// GitHub workflow commands for a load test: an error for each reason it failed, a warning for each
/// reason it is inconclusive, and a notice with the key figures.
enum GitHubLoadReport {
    static func text(_ results: LoadResults) -> String {
        let kind = results.verdict == .failed ? "error" : "warning"
        var lines: [String] = []
        if results.capture == nil {
            lines = results.reasons.map { reason in
                GitHubCommand.line(
                    kind, [("title", "linejudge load")],
                    message: ([reason] + evidence(for: reason, results)).map {
                        escapedForDisplay($0)
                    }
                    .joined(separator: "\n"))
            }
        }
        lines.append(
            GitHubCommand.line(
                "notice", [("title", "linejudge load")],
                message: escapedForDisplay(figures(results))))
        return lines.joined()
    }

    /// Returns examples of violations if the reason is a number of violations, such as `4 lost`.
    private static func evidence(for reason: String, _ results: LoadResults) -> [String] {
        let kind = Violation.Kind.allCases.first {
            reason == "\(results.violations($0)) \($0.rawValue)"
        }
        guard let kind else { return [] }
        return results.ledger.evidence.filter { $0.kind == kind.rawValue }
            .map { $0.story + ($0.line.map { ": \($0)" } ?? "") }
    }

    private static func figures(_ results: LoadResults) -> String {
        var parts: [String] = []
        if results.capture == nil {
            parts.append("\(results.verdict)")
            parts.append("\(counted(Int(clamping: results.traffic.sent), "message")) sent")
        }
        for latency in results.latencies {
            guard let p99 = latency.response.percentile(99) else { continue }
            let name = latency.metric + (latency.command.map { " \($0)" } ?? "")
            parts.append("p99(\(name)) \(durationText(Int64(clamping: p99)))")
        }
        return parts.joined(separator: ", ")
    }
}
