import Capture
import DialectFiles
import LineProtocol
import Report
import Results
import Runner

/// The reports on the times of a capture.
struct CaptureReports {
    private let outputs: ReportOutputs<LoadReportFormat>
    private let promisesNothing: Bool

    init(_ arguments: [ReportArgument<LoadReportFormat>]) {
        outputs = ReportOutputs(arguments)
        promisesNothing = !arguments.contains { $0.format == .junit }
    }

    /// Looks whether all can be written, before anything is decoded.
    func prepare() throws(CommandFailure) {
        guard promisesNothing else {
            throw CommandFailure(
                .usage, .badOption, "there is no JUnit report on a capture: nothing is promised")
        }
        try outputs.prepare()
    }

    /// Writes all of them, and a table if none goes to standard output.
    func write(_ outcome: DecodeJob.Outcome, _ name: String, _ style: Style) throws {
        guard let times = outcome.times else { return }
        let results = times.results(
            toolVersion: toolVersion, name: name,
            dialect: outcome.dialects.files[0].dialect.name, outcome.counts)
        try outputs.write(results)
        guard outputs.outputForPeople === Output.standard else { return }
        Output.standard.write(LoadSummary(style: style).text(results))
    }
}
