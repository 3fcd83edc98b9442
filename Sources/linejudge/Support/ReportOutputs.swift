import Console
import Diagnostics
import Results

/// Reports written at the end of a command.
struct ReportOutputs<Form: ReportForm> {
    private let files: [ReportArgument<Form>]
    private let standard: Form?

    /// Divides reports into files and standard output. `standard` is the format of standard output
    /// unless a report goes there; nil for the summary.
    init(_ reports: [ReportArgument<Form>], standard: Form? = nil) {
        files = reports.filter { !$0.goesToStandardOutput }
        self.standard = reports.first { $0.goesToStandardOutput }?.format ?? standard
    }

    /// The output for the summary: standard output, or standard error if a report goes there.
    var outputForPeople: Output { standard == nil ? .standard : .error }

    /// Whether standard output has annotations, which are then not repeated for the CI system.
    var annotates: Bool { standard?.isWorkflowCommands == true }

    /// Checks that all can be written, before the work begins.
    func prepare() throws(CommandFailure) {
        for file in files { try OutputFile(path: file.path).prepare(as: "report") }
    }

    /// Writes all reports, and throws for those that could not be written.
    func write(_ results: Form.Results) throws {
        var failures: [Diagnostic] = []
        for file in files {
            let text = try file.format.text(results)
            do throws(CommandFailure) {
                try OutputFile(path: file.path).write(text, as: "report")
            } catch {
                failures += error.diagnostics
            }
        }
        if let standard {
            let text = try standard.text(results)
            if standard.isWorkflowCommands {
                Output.standard.writeUnfiltered(text)
            } else {
                Output.standard.write(text)
            }
        }
        if !failures.isEmpty { throw CommandFailure(.software, Diagnosed(failures)) }
    }
}
