import Diagnostics
package import Results

/// An output format for repeated load tests.
package enum RepeatedLoadReportFormat: String, Sendable, Hashable, CaseIterable {
    /// Plain text.
    case pretty
    /// Results file with all load tests.
    case json
    /// Markdown, for step summaries and pull request comments.
    case markdown
    /// Self-contained HTML page.
    case html

    /// Largest acceptable change of a metric in comparisons without options, as a fraction.
    package static let toleranceDefault = 0.05
    package static let confidenceDefault = 0.95

    package func text(_ loads: RepeatedLoad) throws -> String {
        switch self {
        case .pretty:
            return try RepeatedLoadText(style: Style(isColoured: false)).text(loads)
        case .json: return try ResultsFile.text(loads)
        case .markdown:
            return try loads.comparison().map(ComparisonMarkdown.text)
                ?? RepeatedLoadText.markdown(loads)
        case .html:
            return try ComparisonHTML.text(loads.groups, [loads.comparison()].compactMap(\.self))
        }
    }
}

extension RepeatedLoad {
    /// The load tests of each server, with names for display.
    package var groups: [LoadGroup] {
        sides.map { LoadGroup(name: escapedForDisplay($0.name), loads: $0.loads) }
    }

    /// Compares the two servers; nil if there is only one, or if there are no complete load tests
    /// of both.
    package func comparison(
        tolerance: Double = RepeatedLoadReportFormat.toleranceDefault,
        confidence: Double = RepeatedLoadReportFormat.confidenceDefault
    ) throws -> Comparison? {
        guard groups.count == 2, groups.allSatisfy({ !$0.loads.isEmpty }) else { return nil }
        return try Comparison.of(
            groups[0], groups[1], isPaired: true, tolerance: tolerance, confidence: confidence)
    }
}
