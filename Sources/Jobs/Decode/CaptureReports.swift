import Capture
import Console
import DialectFiles
import LineProtocol
import Report
import Results

/// Reports on a capture's latencies.
struct CaptureReports {
    private let outputs: ReportOutputs<LoadReportFormat>
    private let hasJUnit: Bool

    init(_ arguments: [RequestedReport<LoadReportFormat>]) {
        outputs = ReportOutputs(arguments)
        hasJUnit = arguments.contains { $0.format == .junit }
    }

    /// Checks, before the capture is decoded, that all reports can be written.
    func prepare() throws(CommandFailure) {
        guard !hasJUnit else {
            throw CommandFailure(
                .usage, .badOption, "JUnit reports need thresholds, which decode does not have")
        }
        try outputs.prepare()
    }

    /// Writes all reports. Also prints a table, unless a report goes to standard output.
    func write(_ outcome: DecodeOutcome, _ name: String, _ style: Style) throws {
        guard let times = outcome.times else { return }
        let results = times.results(
            toolVersion: toolVersion, name: name,
            dialect: outcome.dialects.files[0].dialect.name, outcome.counts)
        try outputs.write(results)
        guard outputs.outputForPeople === Output.standard else { return }
        Output.standard.write(LoadSummary(style: style).text(results) + times.slowAnswersTable)
    }
}
