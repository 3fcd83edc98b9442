import ArgumentParser
import Console
import Diagnostics
import Manual
import Report
import Results

/// The `linejudge report` command.
struct ReportCommand: ParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Regenerate reports from saved results; merge load results.",
        usage: "linejudge report [OPTIONS] RESULTS...",
        discussion: """
            RESULTS are JSON results files from run, load or check, or - for standard input. \
            Several load results, from parallel load tests or from the shards of one, are merged: \
            histograms and counters are added up, and thresholds are evaluated again. Several \
            check results become a matrix.
            """)

    static let manual = CommandManual(
        examples: [
            "Write an HTML report of a run":
                "linejudge report results.json --report html=report.html",
            "Merge the shards of a load test, and exit with its exit code":
                "linejudge report load-0.json load-1.json load-2.json --exit-code",
        ],
        exitCodes: [
            .ok: "reports written; with --exit-code, the results passed",
            .usage: "invalid command line, or the files cannot be combined",
            .unparsable: "not a results file that this version can read",
            .noInput: "no such file",
        ],
        and: [.software],
        details: [
            """
            Load results that do not belong together, and duplicate shards, are errors. The report \
            names missing shards ([load.md](load.md#several-machines)).
            """
        ])

    @Option(
        help: ArgumentHelp(
            """
            Format of standard output: pretty, json, html, junit, github or markdown; for run and check \
            also tap and sarif; for load also csv, hgrm, hlog, \
            openmetrics and influx.
            """, valueName: "format"), completion: .list(AnyReportArgument.formats))
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Write a report; FILE can be - for standard output. Repeatable.",
            valueName: "format=file"), completion: .list(AnyReportArgument.completions),
        transform: Self.reportArgument)
    var report: [AnyReportArgument] = []

    @Flag(
        help: "Exit with 1 if the reported results failed, or 2 if they are inconclusive.")
    var exitCode = false

    @OptionGroup var colours: ColourOptions

    @Argument(
        help: ArgumentHelp("Results files, or - for standard input.", valueName: "results"),
        completion: .file(extensions: ["json"]))
    var results: [String]

    func validate() throws {
        try validateStandardOutput(
            takes: report.count { $0.path == "-" } + (format == nil ? 0 : 1))
    }

    func run() throws {
        var all: [(path: String, results: AnyResults)] = []
        for path in results { all.append((path, try ResultsInput.read(path))) }
        let rendering = try ResultsRendering(all)
        let standard = format ?? report.first { $0.path == "-" }?.format
        let files = report.filter { $0.path != "-" }
        for format in files.map(\.format) + [standard].compactMap(\.self) {
            try rendering.check(format)
        }
        for file in files { try write(rendering.text(file.format, nil), to: file.path) }
        if let shown = standard ?? (files.isEmpty ? "pretty" : nil) {
            let style = shown == "pretty" ? colours.style(for: .standard) : nil
            let text = try rendering.text(shown, style)
            if shown == ReportFormat.github.rawValue {
                Output.standard.writeUnfiltered(text)
            } else {
                Output.standard.write(text)
            }
        }
        let ending = rendering.results.exitCode
        if exitCode, ending != .ok { throw CommandFailure(ending) }
    }

    private func write(_ text: String, to path: String) throws(CommandFailure) {
        try OutputFile(path: path).prepare(as: "report")
        try OutputFile(path: path).write(text, as: "report")
    }

    private static func reportArgument(_ text: String) throws -> AnyReportArgument {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw ValidationError("expected FORMAT=FILE, such as html=report.html")
        }
        let path = OutputFile.isStandardOutput(parts[1]) ? "-" : parts[1]
        return AnyReportArgument(format: parts[0], path: path)
    }
}
