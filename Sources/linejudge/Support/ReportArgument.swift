import ArgumentParser
import Console
import Diagnostics
import Report
import Results

/// A report format for one kind of results.
protocol ReportForm: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    associatedtype Results
    /// True if the format may be given without a file. The report then goes to standard output.
    var needsNoFile: Bool { get }
    var isWorkflowCommands: Bool { get }
    func text(_ results: Results) throws -> String
}

extension ReportForm {
    var isWorkflowCommands: Bool { rawValue == ReportFormat.github.rawValue }
    // GitHub reads annotations from standard output.
    var needsNoFile: Bool { isWorkflowCommands }
}

extension ReportFormat: ReportForm {}
extension LoadReportFormat: ReportForm {}
extension CheckReportFormat: ReportForm {
    // A check of a single server is a matrix with one server.
    typealias Results = CheckMatrix
}

/// A value of `--report`, written as `FORMAT=FILE`; `-` means standard output.
struct ReportArgument<Form: ReportForm> {
    let format: Form
    var path: String

    init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let known = Form.allCases.map(\.rawValue)
        guard let format = parts.first.flatMap(Form.init(rawValue:)) else {
            let word = parts.first ?? ""
            let meant = didYouMean(word, among: known).map { "did you mean \($0)?" }
            throw ValidationError(
                "unknown format `\(word)`; \(meant ?? "formats: \(known.joined(separator: ", "))")")
        }
        if parts.count == 2 {
            path = OutputFile.isStandardOutput(parts[1]) ? "-" : parts[1]
        } else if format.needsNoFile, !text.contains("=") {
            path = "-"
        } else {
            throw ValidationError("missing file: write \(format.rawValue)=FILE")
        }
        self.format = format
    }

    var goesToStandardOutput: Bool { path == "-" }
}

/// Throws a usage error if more than one report would go to standard output.
func validateStandardOutput(takes count: Int) throws {
    if count > 1 { throw ValidationError("only one report can be written to standard output") }
}
