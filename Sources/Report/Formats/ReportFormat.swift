package import Results

/// A file format for run results.
package enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// Plain text.
    case pretty
    /// Results file with all data.
    case json
    /// JUnit XML, for CI servers.
    case junit
    /// Test Anything Protocol.
    case tap
    /// GitHub workflow commands, which are shown as annotations.
    case github
    /// Markdown, for step summaries and pull request comments.
    case markdown
    /// Self-contained HTML page.
    case html
    /// Static Analysis Results Interchange Format, which code hosts show as annotations.
    case sarif

    /// Renders the results for a file, without colours and line wrapping.
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
