import ArgumentParser
import Console
import Diagnostics
import DialectFiles
import LineProtocol
import Manual
import Report
import Results
import Runner
import Scenario

/// The `linejudge lint` command.
struct LintCommand: ParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find likely mistakes in scenarios and dialects.",
        usage: "linejudge lint [OPTIONS] FILES...",
        discussion: """
            Finds scenarios that are valid but probably not what you meant: operators that do nothing, \
            captures that are never used, expectations that pass only by chance. Files that end in .yaml are \
            linted as dialects.
            """)

    static let manual = CommandManual(
        examples: [
            "Lint all scenarios in a folder": "linejudge lint Scenarios",
            "Lint a dialect and write SARIF for code scanning":
                "linejudge lint mychat.yaml --report sarif=lint.sarif",
        ],
        exitCodes: [
            .ok: "no errors or warnings",
            .failed: "there are warnings",
            .unparsable: "a file does not parse, or a scenario does nothing",
            .noInput: "no such file",
        ],
        and: [.usage])

    @Option(
        help: ArgumentHelp(
            "Dialect for scenarios that do not specify one: NAME or FILE.", valueName: "name"),
        completion: .dialect)
    var dialect: String?

    @Option(
        help: ArgumentHelp(
            "Write a report as sarif; FILE can be - for standard output.",
            valueName: "format=file"),
        completion: .list(LintReportFormat.completions),
        transform: ReportArgument.init)
    var report: [ReportArgument<LintReportFormat>] = []

    @OptionGroup var links: LinkOptions
    @OptionGroup var colours: ColourOptions

    @ArgumentParser.Argument(
        help: ArgumentHelp(
            "Scenario files, folders, globs, dialects (*.yaml), or - for standard input.",
            valueName: "files"), completion: .file(extensions: ["chat", "yaml", "yml"]))
    var paths: [String]

    func run() throws {
        links.apply()
        let dialects = paths.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
        let others = paths.filter { !dialects.contains($0) }
        let scenarios = others.isEmpty ? [] : try ScenarioFinder.paths(others)
        let found =
            try dialects.flatMap(DialectLintCommand.diagnostics)
            + scenarios.flatMap { try ScenarioLint.findings(in: $0, dialect: dialect) }
        let reports = ReportOutputs(report)
        try reports.prepare()
        try reports.write(found)
        let output = reports.outputForPeople
        try FindingsPrinter(found, style: colours.style(for: output), output: output)
            .show(fileCount: dialects.count + scenarios.count)
    }
}

/// A printer for the linter's findings.
struct FindingsPrinter {
    private let diagnostics: [Diagnostic]
    private let style: Style
    private let output: Output

    init(_ diagnostics: [Diagnostic], style: Style, output: Output = .standard) {
        self.diagnostics = diagnostics
        self.style = style
        self.output = output
    }

    /// Prints the findings and the totals by severity.
    ///
    /// - Throws: The exit code if there are errors or warnings.
    func show(fileCount: Int) throws(CommandFailure) {
        if !diagnostics.isEmpty {
            let renderer = DiagnosticRenderer(isColoured: style.isColoured)
            output.write(renderer.text(diagnostics) + "\n")
        }
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count { $0.severity == .warning }
        let found = [counted(errors, "error"), counted(warnings, "warning")]
        output.write("\(counted(fileCount, "file")): \(found.joined(separator: ", "))\n")
        if errors > 0 { throw CommandFailure(.unparsable) }
        if warnings > 0 { throw CommandFailure(.failed) }
    }
}

/// Formats for the `--report` option of `lint`.
enum LintReportFormat: String, ReportForm {
    case sarif

    func text(_ diagnostics: [Diagnostic]) throws -> String {
        try SARIFReport.text(diagnostics, toolVersion: toolVersion)
    }
}
