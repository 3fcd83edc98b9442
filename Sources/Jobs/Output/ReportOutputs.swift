package import Console
import Diagnostics
package import Report
package import Results

/// The reports written at the end of a command.
package struct ReportOutputs<Form: ReportForm> {
    private let files: [RequestedReport<Form>]
    private let standard: Form?

    /// Separates reports to files from the report to standard output. If no report goes to standard
    /// output, `standard` is the format to write there; nil to write the summary.
    package init(_ reports: [RequestedReport<Form>], standard: Form? = nil) {
        files = reports.filter { !$0.goesToStandardOutput }
        self.standard = reports.first { $0.goesToStandardOutput }?.format ?? standard
    }

    /// The summary's output: standard output, or standard error if a report uses standard output.
    package var outputForPeople: Output { standard == nil ? .standard : .error }

    /// True if annotations go to standard output. They are then not repeated for the CI system.
    package var annotates: Bool { standard?.isWorkflowCommands == true }

    /// Checks, before the work begins, that all reports can be written.
    package func prepare() throws(CommandFailure) {
        for file in files { try OutputFile(path: file.path).prepare(as: "report") }
    }

    /// Saves the reports that go to regular files while the command is still running. Errors are not
    /// reported, because the reports are written again at the end.
    func saveInterim(_ results: Form.Results) {
        for file in files where OutputFile(path: file.path).isReplaceable {
            guard let text = try? file.format.text(results, paths: RepositoryPathConverter()) else {
                continue
            }
            try? OutputFile(path: file.path).write(text, as: "report")
        }
    }

    /// Writes all reports. Throws an error if any report could not be written.
    ///
    /// - Parameter paths: Conversion of the paths in workflow commands.
    package func write(
        _ results: Form.Results, paths: RepositoryPathConverter = RepositoryPathConverter()
    ) throws {
        var failures: [Diagnostic] = []
        for file in files {
            let text = try file.format.text(results, paths: paths)
            do throws(CommandFailure) {
                try OutputFile(path: file.path).write(text, as: "report")
            } catch {
                failures += error.diagnostics
            }
        }
        if let standard {
            let text = try standard.text(results, paths: paths)
            if standard.isWorkflowCommands {
                Output.standard.writeUnfiltered(text)
            } else {
                Output.standard.write(text)
            }
        }
        if !failures.isEmpty { throw CommandFailure(.software, Diagnosed(failures)) }
    }
}
