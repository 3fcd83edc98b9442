import Diagnostics
import Load
import Report
import Runner

/// The reports that a load writes when it is over.
struct LoadReportFiles {
    private let files: [LoadReportArgument]
    private let standard: LoadReportFormat?

    init(_ options: LoadShowingOptions) {
        files = options.report.filter { !OutputFile.isStandardOutput($0.path) }
        standard = options.report.first { OutputFile.isStandardOutput($0.path) }?.format
    }

    /// Where the summary goes: to standard output, unless that is taken.
    var outputForPeople: Output { standard == nil ? .standard : .error }

    /// Looks whether all can be written, so that nobody learns after an hour that one has no place.
    func prepare() throws(CommandFailure) {
        for file in files {
            do {
                try OutputFile(path: file.path).prepare()
            } catch {
                throw failure(file, error)
            }
        }
    }

    /// Writes all of them.
    func write(_ results: LoadResults) throws {
        for file in files {
            let text = try file.format.text(results)
            do {
                try OutputFile(path: file.path).write(Array(text.utf8))
            } catch {
                throw failure(file, error)
            }
        }
        if let standard { Output.standard.write(try standard.text(results)) }
    }

    private func failure(
        _ file: LoadReportArgument, _ error: OutputFile.Failure
    ) -> CommandFailure {
        CommandFailure(
            .software, .cannotWrite,
            "the report `\(escapedForDisplay(file.path))` cannot be written: \(error)")
    }
}
