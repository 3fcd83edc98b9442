/// Reports written at the end of a command.
struct ReportOutputs<Form: ReportForm> {
    private let files: [ReportArgument<Form>]
    private let standard: Form?

    init(_ reports: [ReportArgument<Form>]) {
        files = reports.filter { !$0.goesToStandardOutput }
        standard = reports.first { $0.goesToStandardOutput }?.format
    }

    /// The output for the summary: standard output, or standard error if a report goes there.
    var outputForPeople: Output { standard == nil ? .standard : .error }

    /// Checks that all can be written, before the work begins.
    func prepare() throws(CommandFailure) {
        for file in files { try OutputFile(path: file.path).prepare(as: "report") }
    }

    func write(_ results: Form.Results) throws {
        for file in files {
            try OutputFile(path: file.path).write(try file.format.text(results), as: "report")
        }
        if let standard { Output.standard.write(try standard.text(results)) }
    }
}
