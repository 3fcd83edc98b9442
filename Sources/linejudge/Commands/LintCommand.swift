import ArgumentParser
import Console
import Diagnostics
import DialectFiles
import Jobs
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
            captures that are never used, expectations that pass only by chance. Also reports the errors that \
            a run would report. Files that end in .yaml are linted as dialects.
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
            .unparsable: "a file has errors, or a scenario does nothing",
            .noInput: "no such file",
        ],
        and: [.usage])

    @Option(
        help: ArgumentHelp(
            "Dialect for scenarios that do not specify one: NAME or FILE.", valueName: "name"),
        completion: .dialect)
    var dialect: String?

    @OptionGroup var reports: ReportOptions<LintReportFormat>
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
        let outputs = ReportOutputs(reports.report)
        try outputs.prepare()
        try outputs.write(found)
        let output = outputs.outputForPeople
        try FindingsPrinter(found, style: colours.style(for: output), output: output)
            .show(fileCount: dialects.count + scenarios.count)
    }
}
