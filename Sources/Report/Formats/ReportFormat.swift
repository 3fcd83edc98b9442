package import Results

/// File format for run results.
package enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// Plain text.
    case pretty
    /// Results file with all data.
    case json
    /// JUnit XML, for CI servers.
    case junit
    /// Test Anything Protocol.
    case tap
    /// GitHub workflow commands, shown as annotations.
    case github
    /// Markdown, for step summaries and pull request comments.
    case markdown
    /// Self-contained HTML page.
    case html
    /// Static Analysis Results Interchange Format, shown by code hosts as annotations.
    case sarif

    /// Renders the results for a file: without colour or line wrapping.
    package func text(_ results: RunResults) throws -> String {
        switch self {
        case .pretty: PrettyReport(verbosity: .normal, showsTranscripts: true).text(results)
        case .json: try ResultsFile.text(results)
        case .junit: JUnitReport.text(results)
        case .tap: TAPReport.text(results)
        case .github: GitHubReport.text(results)
        case .markdown: RunMarkdown.text(results)
        case .html: try HTMLReport.text(results)
        case .sarif: try SARIFReport.text(results)
        }
    }
}
