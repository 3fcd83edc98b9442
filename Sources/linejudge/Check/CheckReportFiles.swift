import Conformance
import Diagnostics
import Report
import Runner

/// The reports of a check, and the scenarios of its failures.
struct CheckReportFiles {
    private let files: [CheckReportArgument]
    private let standard: CheckReportFormat?
    private let folder: String?

    init(_ options: CheckShowingOptions) {
        files = options.report.filter { !OutputFile.isStandardOutput($0.path) }
        standard = options.report.first { OutputFile.isStandardOutput($0.path) }?.format
        folder = options.out
    }

    /// Where the summary goes: to standard output, unless that is taken.
    var outputForPeople: Output { standard == nil ? .standard : .error }

    /// Looks whether all can be written, before anything is played.
    func prepare() throws(CommandFailure) {
        let paths = files.map(\.path)
        for path in paths {
            do {
                try OutputFile(path: path).prepare()
            } catch {
                throw failure(path, error)
            }
        }
    }

    /// Writes the scenarios, and notes where each is.
    func writeScenarios(_ results: inout CheckResults) throws(CommandFailure) {
        guard let folder else { return }
        for place in results.checks.indices {
            guard let text = results.checks[place].scenario else { continue }
            let name = "\(results.checks[place].id)".map { letter in
                letter.isASCII && (letter.isLetter || letter.isNumber || ".-".contains(letter))
                    ? letter : "-"
            }
            let path = "\(folder)/\(String(name)).chat"
            do {
                try OutputFile(path: path).prepare()
                try OutputFile(path: path).write(Array(text.utf8))
            } catch {
                throw failure(path, error)
            }
            results.checks[place].scenarioPath = path
        }
    }

    /// Writes all reports.
    func write(_ results: CheckResults) throws {
        for file in files {
            let text = try file.format.text(results)
            do {
                try OutputFile(path: file.path).write(Array(text.utf8))
            } catch {
                throw failure(file.path, error)
            }
        }
        if let standard { Output.standard.write(try standard.text(results)) }
    }

    private func failure(_ path: String, _ error: OutputFile.Failure) -> CommandFailure {
        CommandFailure(
            .software, .cannotWrite, "`\(escapedForDisplay(path))` cannot be written: \(error)")
    }
}
