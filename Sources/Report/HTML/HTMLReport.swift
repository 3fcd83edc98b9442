import Diagnostics
import Mustache
package import Results

/// One page that needs nothing else: no script, no font, no picture from anywhere.
package enum HTMLReport {
    /// The most lines of one transcript that are shown.
    static let transcriptLinesMax = 500
    /// How many of the slowest scenarios are drawn.
    static let durationsMax = 20
    /// Beyond so many scenarios that want explaining, they are shown closed.
    static let openMax = 20

    /// The results as a page; ends with a line end.
    package static func text(_ results: RunResults) throws -> String {
        try HTMLTemplates.page(HTMLPage(results), "report")
    }
}

/// The templates of all pages.
enum HTMLTemplates {
    /// A page of that template.
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
            throw ReportError(description: "the page's template is missing")
        }
        return page
    }

    private static func template(_ bytes: [UInt8]) throws -> MustacheTemplate {
        try MustacheTemplate(string: String(decoding: bytes, as: UTF8.self))
    }
}

/// A report could not be made; our own fault.
package struct ReportError: Error, CustomStringConvertible {
    /// What is wrong.
    package var description: String
}
