import ArgumentParser
import Diagnostics
import Report
import Results
import Runner

/// `linejudge report`
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make reports of results once more, and merge those of loads.",
        usage: "linejudge report [OPTIONS] RESULTS",
        discussion: """
            RESULTS are results files (JSON) of a run, a load or a check, or - for standard input. Several \
            files of loads that ran side by side become one: histograms, counters and seconds add, and \
            thresholds are judged anew. Several files of checks stand side by side in a matrix.

            Exit codes:
              0   written; with --exit-code as the run, load or check ended
              64  the command line is wrong, or the files do not belong together
              65  a file holds no results that this version reads
              66  there is no such file
              70  a report cannot be written
            """)

    @Option(
        help: ArgumentHelp(
            """
            What goes to standard output: pretty, json, html, junit; of a run also tap, github, sarif; of a \
            load also csv, hgrm, hlog; of a check also tap, markdown, sarif.
            """, valueName: "format"))
    var format: String?

    @Option(
        help: ArgumentHelp(
            "Write a report; FILE - is standard output. Repeatable.", valueName: "format=file"),
        transform: Self.reportArgument)
    var report: [AnyReportArgument] = []

    @Flag(
        help: "End as the run, load or check ended: 1 if it failed, 2 if it could not be decided.")
    var exitCode = false

    @OptionGroup var colours: ColourOptions

    @Argument(help: ArgumentHelp("Results files.", valueName: "results"))
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
            Output.standard.write(try rendering.text(shown, style))
        }
        let ending = rendering.results.exitCode
        if exitCode, ending != .ok { throw CommandFailure(ending) }
    }

    private func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            try OutputFile(path: path).prepare()
            try OutputFile(path: path).write(Array(text.utf8))
        } catch {
            throw CommandFailure(writing: "report", path, error)
        }
    }

    private static func reportArgument(_ text: String) throws -> AnyReportArgument {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw ValidationError("expected a format and a file: html=report.html")
        }
        let path = OutputFile.isStandardOutput(parts[1]) ? "-" : parts[1]
        return AnyReportArgument(format: parts[0], path: path)
    }
}
