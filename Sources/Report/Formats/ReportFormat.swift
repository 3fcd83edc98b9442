package import Results

/// A form in which results can be written.
package enum ReportFormat: String, Sendable, Hashable, CaseIterable {
    /// For people.
    case pretty
    /// The results file: everything, for programs and for later.
    case json
    /// JUnit's XML, which CI servers read.
    case junit
    /// Test Anything Protocol, version 14.
    case tap
    /// Workflow commands that GitHub shows beside the lines of a file.
    case github
    /// One page that needs nothing else.
    case html
    /// Static Analysis Results Interchange Format, which code hosts show beside the lines of a file.
    case sarif

    /// The results in this form, for a file: no colour, no width.
    package func text(_ results: RunResults) throws -> String {
        switch self {
        case .pretty: PrettyReport(verbosity: .normal, showsTranscripts: true).text(results)
        case .json: try ResultsFile.text(results)
        case .junit: JUnitReport.text(results)
        case .tap: TAPReport.text(results)
        case .github: GitHubReport.text(results)
        case .html: try HTMLReport.text(results)
        case .sarif: try SARIFReport.text(results)
        }
    }
}
