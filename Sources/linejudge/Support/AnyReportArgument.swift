import Report

/// A value of `--report` whose format is checked once the kind of results is known.
struct AnyReportArgument: Hashable {
    let format: String
    let path: String

    /// Report formats for all kinds of results.
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
