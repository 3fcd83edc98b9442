import Capture
import Diagnostics
import DialectFiles
import LineProtocol
import Report
import Runner

/// The reports on the times of a capture.
struct CaptureReports {
    private let files: [LoadReportArgument]
    private let standard: LoadReportFormat?

    init(_ arguments: [LoadReportArgument]) {
        files = arguments.filter { !OutputFile.isStandardOutput($0.path) }
        standard = arguments.first { OutputFile.isStandardOutput($0.path) }?.format
    }

    /// Looks whether all can be written, before anything is decoded.
    func prepare() throws(CommandFailure) {
        for file in files {
            guard file.format != .junit else {
                throw CommandFailure(
                    .usage, .badOption, "there is no JUnit report on a capture: nothing is promised"
                )
            }
            do {
                try OutputFile(path: file.path).prepare()
            } catch {
                throw failure(file, error)
            }
        }
    }

    /// Writes all of them, and a table if none goes to standard output.
    func write(_ outcome: DecodePlay.Outcome, _ name: String, _ paint: Paint) throws {
        guard let times = outcome.times else { return }
        let results = times.results(
            toolVersion: toolVersion, name: name,
            dialect: outcome.dialects.files[0].dialect.name, outcome.counts)
        for file in files {
            let text = try file.format.text(results)
            do {
                try OutputFile(path: file.path).write(Array(text.utf8))
            } catch {
                throw failure(file, error)
            }
        }
        if let standard {
            Output.standard.write(try standard.text(results))
        } else {
            Output.standard.write(LoadSummary(paint: paint).text(results))
        }
    }

    private func failure(
        _ file: LoadReportArgument, _ error: OutputFile.Failure
    ) -> CommandFailure {
        CommandFailure(
            .software, .cannotWrite,
            "the report `\(escapedForDisplay(file.path))` cannot be written: \(error)")
    }
}
