import Diagnostics
import Mustache
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
    static func page(_ content: Any, _ name: String) throws -> String {
        let library = try MustacheLibrary(templates: [
            "report": template(PackageResources.report_mustache),
            "scenario": template(PackageResources.scenario_mustache),
            "check": template(PackageResources.check_mustache),
            "check-details": template(PackageResources.check_details_mustache),
            "command-table": template(PackageResources.command_table_mustache),
            "load": template(PackageResources.load_mustache),
            "style": template(PackageResources.style_mustache),
            "page-start": template(PackageResources.page_start_mustache),
            "page-end": template(PackageResources.page_end_mustache),
        ])
        guard let page = library.render(content, withTemplate: name) else {
            throw ReportError(description: "the page template `\(name)` is missing")
        }
        return page
    }

    private static func template(_ bytes: [UInt8]) throws -> MustacheTemplate {
        try MustacheTemplate(string: String(decoding: bytes, as: UTF8.self))
    }
}

/// An error while rendering a report, which is a bug in Linejudge.
package struct ReportError: Error, CustomStringConvertible {
    package var description: String
}
