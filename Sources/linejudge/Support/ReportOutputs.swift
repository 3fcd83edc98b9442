/// The reports that are written when all is over, each made at once from the whole of the results.
struct ReportOutputs<Form: ReportForm> {
    private let files: [ReportArgument<Form>]
    private let standard: Form?

    init(_ reports: [ReportArgument<Form>]) {
        files = reports.filter { !$0.goesToStandardOutput }
        standard = reports.first { $0.goesToStandardOutput }?.format
    }

    /// Where the summary goes: to standard output, unless that is taken.
    var outputForPeople: Output { standard == nil ? .standard : .error }

    /// Looks whether all can be written, so that nobody learns after an hour that one has no place.
    func prepare() throws(CommandFailure) {
        for file in files {
            do {
                try OutputFile(path: file.path).prepare()
            } catch {
                throw CommandFailure(writing: "report", file.path, error)
            }
        }
    }

    /// Writes all of them.
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
