import Diagnostics
package import Results

/// Results and their differences from the first of them.
package struct ComparedResults {
    /// The results with their names, the baseline first.
    package var all: [(name: String, results: AnyResults)]
    /// The comparison of each other result with the baseline.
    package var comparisons: [Comparison]

    package init(all: [(name: String, results: AnyResults)], comparisons: [Comparison]) {
        self.all = all
        self.comparisons = comparisons
    }
}

/// A format for reports on a comparison.
package enum CompareReportFormat: String, Sendable, Hashable, CaseIterable {
    /// Self-contained HTML page in which the curves of load tests share their charts.
    case html
    /// Markdown, for pull request comments.
    case markdown

    /// Renders the comparison.
    package func text(_ compared: ComparedResults) throws -> String {
        switch self {
        case .markdown:
            return compared.comparisons.map(ComparisonMarkdown.text).joined(separator: "\n")
        case .html:
            let loads = compared.all.compactMap { name, results in
                if case .load(let load) = results { (name, load) } else { nil }
            }
            guard loads.count == compared.all.count else {
                throw CommandFailure(
                    .usage, .otherResults, "only load tests can be compared as an HTML page",
                    help: "use --report markdown=FILE")
            }
            return try ComparisonHTML.text(loads, compared.comparisons)
        }
    }
}
