import Diagnostics
package import Results

/// Comparisons of a baseline with other results.
package struct ComparedResults {
    /// The load tests, in groups of the same server; empty if the results are not load tests.
    package var groups: [LoadGroup]
    /// Comparisons of the baseline with each of the other results.
    package var comparisons: [Comparison]

    package init(groups: [LoadGroup], comparisons: [Comparison]) {
        self.groups = groups
        self.comparisons = comparisons
    }
}

/// An output format for comparisons.
package enum CompareReportFormat: String, Sendable, Hashable, CaseIterable {
    /// Self-contained HTML page that plots all load tests in the same charts.
    case html
    /// Markdown, for pull request comments.
    case markdown
    /// JSON with all figures.
    case json

    /// Renders the comparison.
    package func text(_ compared: ComparedResults) throws -> String {
        switch self {
        case .markdown:
            return compared.comparisons.map(ComparisonMarkdown.text).joined(separator: "\n")
        case .json:
            return try ResultsFile.text(
                ComparisonRecord(compared.comparisons, toolVersion: toolVersion))
        case .html:
            guard !compared.groups.isEmpty else {
                throw CommandFailure(
                    .usage, .otherResults, "only load tests can be compared as an HTML page",
                    help: "use --report markdown=FILE")
            }
            return try ComparisonHTML.text(compared.groups, compared.comparisons)
        }
    }
}
