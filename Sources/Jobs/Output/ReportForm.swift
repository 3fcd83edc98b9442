package import Diagnostics
package import Report
package import Results

/// A report format for one kind of results.
package protocol ReportForm: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    associatedtype Results: Sendable
    /// True if the format may be given without a file. The report then goes to standard output.
    var needsNoFile: Bool { get }
    var isWorkflowCommands: Bool { get }
    func text(_ results: Results) throws -> String
    /// Renders the results like `text(_:)`.
    ///
    /// - Parameter paths: Conversion of the paths in workflow commands.
    func text(_ results: Results, paths: RepositoryPathConverter) throws -> String
}

extension ReportForm {
    package var isWorkflowCommands: Bool { rawValue == ReportFormat.github.rawValue }
    // GitHub reads annotations from standard output.
    package var needsNoFile: Bool { isWorkflowCommands }

    package func text(_ results: Results, paths: RepositoryPathConverter) throws -> String {
        try text(results)
    }
}

/// A report format for results that are also shown in CI systems.
package protocol CIReportForm: ReportForm {
    /// The format of workflow commands, which annotate files.
    static var github: Self { get }
    /// The format of step summaries.
    static var markdown: Self { get }
}

extension ReportFormat: CIReportForm {
    package func text(_ results: RunResults, paths: RepositoryPathConverter) throws -> String {
        try self == .github ? GitHubReport.text(results, paths: paths) : text(results)
    }
}

extension LoadReportFormat: CIReportForm {}

extension RepeatedLoadReportFormat: CIReportForm {}

extension CheckReportFormat: CIReportForm {
    // A check of a single server is a matrix with one server.
    package typealias Results = CheckMatrix

    package func text(_ results: CheckMatrix, paths: RepositoryPathConverter) throws -> String {
        try self == .github ? GitHubReport.text(results, paths: paths) : text(results)
    }
}

extension CompareReportFormat: ReportForm {}

/// Formats for the `--report` option of `lint`.
package enum LintReportFormat: String, ReportForm {
    case sarif

    package func text(_ diagnostics: [Diagnostic]) throws -> String {
        try SARIFReport.text(diagnostics, toolVersion: toolVersion)
    }
}
