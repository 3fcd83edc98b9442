import ArgumentParser
import Conformance
import Diagnostics
import Report
import Results

/// A form in which results of one kind can be written.
protocol ReportForm: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
    associatedtype Results
    /// Whether it is written to standard output where no file is named.
    var needsNoFile: Bool { get }
    func text(_ results: Results) throws -> String
}

extension ReportForm {
    var needsNoFile: Bool { false }
}

extension ReportFormat: ReportForm {
    // What a workflow of GitHub reads is standard output.
    var needsNoFile: Bool { self == .github }
}
extension LoadReportFormat: ReportForm {}
extension CheckReportFormat: ReportForm {
    // One server is a matrix of one column.
    typealias Results = CheckMatrix
}

/// `FORMAT=FILE`; the file `-` is standard output.
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
                "no format `\(word)`; \(meant ?? "there are: \(known.joined(separator: ", "))")")
        }
        if parts.count == 2 {
            path = OutputFile.isStandardOutput(parts[1]) ? "-" : parts[1]
        } else if format.needsNoFile, !text.contains("=") {
            path = "-"
        } else {
            throw ValidationError("the file is missing: write \(format.rawValue)=FILE")
        }
        self.format = format
    }

    var goesToStandardOutput: Bool { path == "-" }
}

/// Standard output takes one report: a wrong command line where `count` are to go there.
func validateStandardOutput(takes count: Int) throws {
    if count > 1 { throw ValidationError("only one report can go to standard output") }
}
