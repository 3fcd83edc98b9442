import Report

/// A value of `--report` whose format is checked once it is known what kind of results there are.
struct AnyReportArgument: Hashable {
    let format: String
    let path: String

    /// The report formats for all kinds of results.
    static var formats: [String] {
        Set(
            ReportFormat.allCases.map(\.rawValue) + LoadReportFormat.allCases.map(\.rawValue)
                + CheckReportFormat.allCases.map(\.rawValue)
        ).sorted()
    }

    /// Values of `--report`, each with a suitable file name.
    static var completions: [String] {
        Set(
            ReportFormat.completions + LoadReportFormat.completions + CheckReportFormat.completions
        ).sorted()
    }
}
