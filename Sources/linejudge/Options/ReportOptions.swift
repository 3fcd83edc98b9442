import ArgumentParser
import Jobs
import Report

/// The `--report` option for one kind of results.
struct ReportOptions<Form: ReportForm>: ParsableArguments {
    @Option(
        help: ArgumentHelp(Form.help, valueName: "format=file"),
        completion: .list(Form.completions), transform: Self.request)
    var report: [RequestedReport<Form>] = []

    /// Parses `FORMAT=FILE`.
    static func request(_ text: String) throws -> RequestedReport<Form> {
        try validated(\.message) { () throws(RequestedReport<Form>.Malformed) in
            try RequestedReport(parsing: text)
        }
    }

    func validate() throws {
        let files = report.filter { !$0.goesToStandardOutput }.map(\.path)
            .filter { $0 != "/dev/null" }
        if let twice = files.first(where: { path in files.count { $0 == path } > 1 }) {
            throw ValidationError(
                "--report: two reports cannot be written to the same file, \(twice)")
        }
    }

    /// Throws a usage error if more than one report would go to standard output.
    ///
    /// - Parameter others: Number of other outputs that go there.
    func check(others: Int = 0) throws {
        try validateStandardOutput(
            takes: others + report.count(where: \.goesToStandardOutput))
    }
}

/// Throws a usage error if more than one report would go to standard output.
func validateStandardOutput(takes count: Int) throws {
    if count > 1 { throw ValidationError("only one report can be written to standard output") }
}

extension ReportForm {
    /// Help for the `--report` option.
    fileprivate static var help: String {
        if Self.self == CompareReportFormat.self {
            return "Write a report: html (load tests only), markdown or json. Repeatable."
        }
        let words = allCases.map(\.rawValue)
        let list =
            words.count > 1
            ? words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
            : words.joined()
        return "Write a report as \(list); FILE can be - for standard output. Repeatable."
    }

    /// Values of `--report`, each with a suitable file name, such as `html=report.html`.
    static var completions: [String] {
        allCases.map { format in
            let ending =
                switch format.rawValue {
                case "pretty": "txt"
                case "junit": "xml"
                case "markdown": "md"
                default: format.rawValue
                }
            return format.needsNoFile ? format.rawValue : "\(format.rawValue)=report.\(ending)"
        }
    }
}
