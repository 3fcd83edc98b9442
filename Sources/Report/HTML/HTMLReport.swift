import Diagnostics
package import Results

/// Run report as a self-contained HTML page without scripts or external resources.
package enum HTMLReport {
    /// Maximum number of lines shown per transcript.
    static let transcriptLinesMax = 500
    /// Number of the slowest scenarios that the chart shows.
    static let durationsMax = 20
    /// Maximum number of scenarios whose explanations are expanded. If there are more, all are
    /// collapsed.
    static let openMax = 20

    /// Renders the page.
    package static func text(_ results: RunResults) throws -> String {
        try HTMLTemplates.page(HTMLPage(results), "report")
    }
}

/// The templates of all pages.
enum HTMLTemplates {
    /// Renders the named template.
    static func page(_ content: Any, _ name: String) throws(ReportError) -> String {
        let sources = [
            "report": PackageResources.report_mustache,
            "scenario": PackageResources.scenario_mustache,
            "check": PackageResources.check_mustache,
            "check-details": PackageResources.check_details_mustache,
            "command-table": PackageResources.command_table_mustache,
            "load": PackageResources.load_mustache,
            "style": PackageResources.style_mustache,
            "page-start": PackageResources.page_start_mustache,
            "page-end": PackageResources.page_end_mustache,
        ]
        return try HTMLTemplate(name, in: sources).rendered(content)
    }
}
