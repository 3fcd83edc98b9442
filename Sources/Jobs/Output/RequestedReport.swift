import Console
import Diagnostics
package import Results

/// A report to write: its format and its file.
package struct RequestedReport<Form: ReportForm>: Sendable {
    package let format: Form
    /// Path of the file; `-` for standard output.
    package var path: String

    /// A malformed `--report` value.
    package struct Malformed: Error {
        package let message: String
    }

    /// Parses `FORMAT=FILE`; `-` means standard output.
    package init(parsing text: String) throws(Malformed) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let known = Form.allCases.map(\.rawValue)
        guard let format = parts.first.flatMap(Form.init(rawValue:)) else {
            let word = parts.first ?? ""
            let meant = didYouMean(word, among: known).map { "did you mean \($0)?" }
            throw Malformed(
                message:
                    "unknown format `\(word)`; \(meant ?? "formats: \(known.joined(separator: ", "))")"
            )
        }
        if parts.count == 2 {
            path = OutputFile.isStandardOutput(parts[1]) ? "-" : parts[1]
        } else if format.needsNoFile, !text.contains("=") {
            path = "-"
        } else {
            throw Malformed(message: "missing file: write \(format.rawValue)=FILE")
        }
        self.format = format
    }

    /// Creates a request for the same report on another kind of results.
    ///
    /// - Throws: A usage error if that kind of results has no report in this format.
    package init(_ other: RequestedReport<some ReportForm>) throws(CommandFailure) {
        guard let format = Form(rawValue: other.format.rawValue) else {
            let known = Form.allCases.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(
                .usage, .badOption,
                "there is no \(other.format.rawValue) report for repeated load tests",
                help: "formats: \(known)")
        }
        self.format = format
        path = other.path
    }

    package var goesToStandardOutput: Bool { path == "-" }
}
