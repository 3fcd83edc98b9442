package import Diagnostics
package import Report
package import Results

/// A report format for one kind of results.
package protocol ReportForm: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    associatedtype Results
    /// True if the format may be given without a file. The report then goes to standard output.
    var needsNoFile: Bool { get }
    var isWorkflowCommands: Bool { get }
    func text(_ results: Results) throws -> String
}

extension ReportForm {
    package var isWorkflowCommands: Bool { rawValue == ReportFormat.github.rawValue }
    // GitHub reads annotations from standard output.
    package var needsNoFile: Bool { isWorkflowCommands }
}

/// A report format for results that are also shown in CI systems.
package protocol CIReportForm: ReportForm {
    /// Returns workflow commands that annotate files.
    ///
    /// - Parameter prefix: Base directory of relative paths.
    static func annotations(_ results: Results, prefix: String) throws -> String
    /// The format of step summaries.
    static var markdown: Self { get }
}

extension ReportFormat: CIReportForm {
    package static func annotations(_ results: RunResults, prefix: String) -> String {
        GitHubReport.text(results, prefix: prefix)
    }
}

extension LoadReportFormat: CIReportForm {
    package static func annotations(_ results: LoadResults, prefix: String) throws -> String {
        try LoadReportFormat.github.text(results)
    }
}

extension CheckReportFormat: CIReportForm {
    // A check of a single server is a matrix with one server.
    package typealias Results = CheckMatrix

    package static func annotations(_ results: CheckMatrix, prefix: String) -> String {
        GitHubReport.text(results, prefix: prefix)
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
