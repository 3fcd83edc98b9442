package import Results

/// A form in which the results of a load can be written.
package enum LoadReportFormat: String, Sendable, Hashable, CaseIterable {
    /// For people.
    case pretty
    /// The results file: everything, for programs and for later.
    case json
    /// One row for each second.
    case csv
    /// JUnit's XML: a case for each promise.
    case junit
    /// HdrHistogram's percentile distribution.
    case hgrm
    /// HdrHistogram's log: an interval histogram for each second and measure.
    case hlog
    /// One page that needs nothing else.
    case html

    /// The results in this form.
    package func text(_ results: LoadResults) throws -> String {
        switch self {
        case .pretty: LoadSummary(style: Style(isColoured: false)).text(results)
        case .json: try ResultsFile.text(results)
        case .csv: LoadTable.text(results)
        case .junit: LoadJUnitReport.text(results)
        case .hgrm: try PercentileDistribution.text(results)
        case .hlog: try HistogramLog.text(results)
        case .html: try LoadHTMLReport.text(results)
        }
    }
}
