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
        for file in files {
            do {
                try OutputFile(path: file.path).prepare()
            } catch {
                throw CommandFailure(writing: "report", file.path, error)
            }
        }
    }

    func write(_ results: Form.Results) throws {
        for file in files {
            let text = try file.format.text(results)
            do {
                try OutputFile(path: file.path).write(Array(text.utf8))
            } catch {
                throw CommandFailure(writing: "report", file.path, error)
            }
        }
        if let standard { Output.standard.write(try standard.text(results)) }
    }
}
