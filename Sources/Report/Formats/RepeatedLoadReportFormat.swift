import Diagnostics
package import Results

/// An output format for repeated load tests.
package enum RepeatedLoadReportFormat: String, Sendable, Hashable, CaseIterable {
    /// Plain text.
    case pretty
    /// Results file with all load tests.
    case json
    /// GitHub workflow commands for the load tests that did not pass.
    case github
    /// Markdown, for step summaries and pull request comments.
    case markdown
    /// Self-contained HTML page.
    case html

    package func text(_ loads: RepeatedLoad) throws -> String {
        switch self {
        case .pretty:
            return try RepeatedLoadText(style: Style(isColoured: false)).text(loads)
        case .json: return try ResultsFile.text(loads)
        case .github:
            return loads.sides.flatMap(\.loads).filter { $0.verdict != .passed }
                .map(GitHubLoadReport.text).joined()
        case .markdown:
            let text =
                try loads.comparison().map(ComparisonMarkdown.text)
                ?? RepeatedLoadText.markdown(loads)
            let ending = RepeatedLoadText.earlyEnd(loads)
            return text + (ending.map { "\n\(MarkdownText.escaped($0))\n" } ?? "")
        case .html:
            return try ComparisonHTML.text(
                loads.groups, [loads.comparison()].compactMap(\.self),
                warning: RepeatedLoadText.earlyEnd(loads).map {
                    escapedForDisplay($0.prefix(1).uppercased() + $0.dropFirst() + ".")
                })
        }
    }
}
