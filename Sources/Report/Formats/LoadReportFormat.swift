package import Results

/// An output format for load results.
package enum LoadReportFormat: String, Sendable, Hashable, CaseIterable {
    /// Plain text.
    case pretty
    /// Results file with all data.
    case json
    /// CSV with one row per second.
    case csv
    /// JUnit XML, with a test case for each kind of violation and for each threshold.
    case junit
    /// GitHub workflow commands, which are shown as annotations.
    case github
    /// Markdown, for step summaries and pull request comments.
    case markdown
    /// Percentile distribution in HdrHistogram format.
    case hgrm
    /// Log in HdrHistogram format, with one interval histogram for each second and metric.
    case hlog
    /// OpenMetrics text with values per second.
    case openmetrics
    /// InfluxDB line protocol with values per second.
    case influx
    /// Self-contained HTML page.
    case html

    package func text(_ results: LoadResults) throws -> String {
        switch self {
        case .pretty: LoadSummary(style: Style(isColoured: false)).text(results)
        case .json: try ResultsFile.text(results)
        case .csv: LoadTable.text(results)
        case .junit: LoadJUnitReport.text(results)
        case .github: GitHubLoadReport.text(results)
        case .markdown: LoadMarkdown.text(results)
        case .hgrm: try PercentileDistribution.text(results)
        case .hlog: try HistogramLog.text(results)
        case .openmetrics: OpenMetricsReport.text(results)
        case .influx: InfluxReport.text(results)
        case .html: try LoadHTMLReport.text(results)
        }
    }
}
