import Diagnostics
import Report
import Runner

/// The reports that a run writes when it is over.
struct ReportFiles {
    private let reports: [ReportArgument]
    /// What goes to standard output, if that is not the report for people.
    private let standardFormat: ReportFormat?

    init(_ options: ShowingOptions) {
        reports = options.report.filter { $0.path != "-" }
        let asked = options.report.first { $0.path == "-" }?.format
        standardFormat = asked ?? (options.format == .pretty ? nil : options.format.reportFormat)
    }

    /// Where the report for people goes: to standard output, unless that is taken.
    var outputForPeople: Output { standardFormat == nil ? .standard : .error }

    /// Makes the folders that are missing, so that nobody learns after an hour that a report has no place.
    func prepare() throws(CommandFailure) {
        for report in reports {
            do {
                try OutputFile(path: report.path).prepare()
            } catch {
                throw CommandFailure(.software, Diagnosed(diagnostic(report, error)))
            }
        }
    }

    /// Writes all of them; one that cannot be written keeps none of the others from it.
    func write(_ results: RunResults) throws {
        var failures: [Diagnostic] = []
        for report in reports {
            let text = try report.format.text(results)
            do throws(OutputFile.Failure) {
                try OutputFile(path: report.path).write(Array(text.utf8))
            } catch {
                failures.append(diagnostic(report, error))
            }
        }
        if let standardFormat { Output.standard.write(try standardFormat.text(results)) }
        if !failures.isEmpty { throw CommandFailure(.software, Diagnosed(failures)) }
    }

    private func diagnostic(_ report: ReportArgument, _ failure: OutputFile.Failure) -> Diagnostic {
        let path = escapedForDisplay(report.path)
        return Diagnostic(
            .error, .cannotWrite, "the report `\(path)` cannot be written: \(failure)")
    }
}
