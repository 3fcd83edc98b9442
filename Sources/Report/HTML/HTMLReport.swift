import Diagnostics
package import Results

/// A report on a run, as a self-contained HTML page without scripts or external resources.
package enum HTMLReport {
    /// Maximum number of lines shown per transcript.
    static let transcriptLinesMax = 500
    /// Maximum number of scenarios in the chart of the slowest scenarios.
    static let durationsMax = 20
    /// Maximum number of scenarios with expanded explanations. If there are more, all explanations
    /// are collapsed.
    static let openMax = 20

    /// Renders the page.
    package static func text(_ results: RunResults) throws -> String {
        try HTMLTemplates.page(HTMLPage(results), "report")
    }
}

/// Templates for all pages.
enum HTMLTemplates {
    /// Renders the named template.
    static func page(_ content: Any, _ name: String) throws(ReportError) -> String {
        if let template = parsed[name] { return try template.rendered(content) }
        throw ReportError(description: "the page template `\(name)` is missing or malformed")
    }

    /// The templates, parsed once, because live pages are rendered every second.
    private static let parsed: [String: HTMLTemplate] = {
        let sources = [
            "report": PackageResources.report_mustache,
            "scenario": PackageResources.scenario_mustache,
            "check": PackageResources.check_mustache,
            "check-details": PackageResources.check_details_mustache,
            "command-table": PackageResources.command_table_mustache,
            "compare": PackageResources.compare_mustache,
            "ladder": PackageResources.ladder_mustache,
            "load": PackageResources.load_mustache,
            "load-main": PackageResources.load_main_mustache,
            "load-live": PackageResources.load_live_mustache,
            "style": PackageResources.style_mustache,
            "page-start": PackageResources.page_start_mustache,
            "page-end": PackageResources.page_end_mustache,
        ]
        var parsed: [String: HTMLTemplate] = [:]
        for name in ["report", "check", "compare", "ladder", "load", "load-main", "load-live"] {
            parsed[name] = try? HTMLTemplate(name, in: sources)
        }
        return parsed
    }()
}
