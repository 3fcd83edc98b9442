import ArgumentParser
import Capture
import Conformance
import Console
import Diagnostics
import Jobs
import Load
import Manual
import Report
import Results

/// The `linejudge compare` command.
struct CompareCommand: AsyncParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare results files or captures.",
        usage: "linejudge compare [OPTIONS] A B...",
        discussion: """
            A and B are JSON results files of the same command (load or run), two captures, or two \
            baseline files or check results, each for a single server. A metric counts as worse if it \
            changed for the worse by more than the tolerance and the difference is statistically \
            significant. A new violation, or a scenario that no longer passes or is new and fails, \
            always counts as worse. --with compares two groups of load tests, one group for each \
            server; the results of load --repeat are already grouped by server. Only groups show how \
            much the results vary between load tests of the same server. Up to \
            \(ComparisonHTML.resultsMax) files can be given; each is compared with A. For baseline \
            files and check results, the report lists the differences in behaviour. For captures \
            (pcap or pcapng) of the same conversations, it lists how the server's answers differ.
            """)

    static let manual = CommandManual(
        examples: [
            "Fail if a load test got worse by more than 10%":
                "linejudge compare before.json after.json --tolerance 10%",
            "Compare three load tests of each build":
                "linejudge compare old-1.json old-2.json old-3.json --with new-1.json new-2.json new-3.json",
            "Show the comparison in a pull request":
                "linejudge compare before.json after.json --format markdown",
            "Show the curves of three load tests in the same charts":
                "linejudge compare a.json b.json c.json --report html=compare.html",
            "Show how the answers of a server differ after an upgrade":
                "linejudge compare before.pcapng after.pcapng",
            "Show how two servers differ": "linejudge compare ngircd.baseline inspircd.baseline",
        ],
        exitCodes: [
            .ok: "B is not worse; baseline files and captures: no differences",
            .failed: "B is worse; baseline files and captures: behaviour differs",
            .inconclusive:
                "inconclusive: the load generator was the bottleneck, or the machine was too busy; captures: nothing to compare, or a capture is damaged",
            .usage: "invalid command line, or the files cannot be compared",
            .unparsable: "not a results file that this version can read",
            .noInput: "no such file",
        ])

    @Option(
        help: ArgumentHelp(
            "Largest acceptable change in a metric (default: 5%).", valueName: "percent"),
        transform: Self.percent)
    var tolerance: Double?

    @Option(
        help: ArgumentHelp(
            "Confidence level for intervals (default: 95%).", valueName: "percent"),
        transform: Self.percent)
    var confidence: Double?

    @Option(help: ArgumentHelp("Output format.", valueName: "format"))
    var format = CompareFormat.text

    @Option(
        name: .customLong("with"), parsing: .upToNextOption,
        help: ArgumentHelp(
            """
            Compare the load tests in FILES, as one group, with the load tests in these files.
            """, valueName: "files"), completion: .file(extensions: ["json"]))
    var others: [String] = []

    @Option(
        help: ArgumentHelp(
            "For captures: dialect, a NAME or FILE. Detected by default.", valueName: "name"),
        completion: .dialect)
    var dialect: String?

    @OptionGroup var servers: CapturedServerOptions
    @OptionGroup var reports: ReportOptions<CompareReportFormat>
    @OptionGroup var colours: ColourOptions

    @Argument(
        help: ArgumentHelp("Results files, baseline files or captures.", valueName: "files"),
        completion: .file())
    var files: [String]

    func validate() throws {
        // A single file may contain load tests of two servers.
        guard !others.isEmpty || (1...ComparisonHTML.resultsMax).contains(files.count) else {
            throw ValidationError(
                "expected 2 to \(ComparisonHTML.resultsMax) files, found \(files.count)")
        }
        try reports.check()
        if let confidence, !(0.5...0.9999).contains(confidence) {
            throw ValidationError("--confidence takes a percentage from 50% to 99.99%")
        }
    }

    func run() async throws {
        if (files + others).contains(where: OpenedCapture.isCapture) {
            return try await compareCaptures()
        }
        if let given = ((dialect == nil ? [] : ["--dialect"]) + servers.given).first {
            throw CommandFailure(.usage, .badOption, "\(given) applies only to captures")
        }
        let outputs = ReportOutputs(reports.report)
        try outputs.prepare()
        let compared = try (files + others).map(ComparedFile.init)
        let results = compared.compactMap {
            if case .results(let results) = $0 { results } else { nil }
        }
        let baselines = compared.compactMap {
            if case .baseline(let baseline) = $0 { baseline } else { nil }
        }
        if results.count == compared.count {
            try compare(results, outputs)
        } else if baselines.count == compared.count {
            try compare(baselines)
        } else {
            throw CommandFailure(
                .usage, .otherResults,
                "only some of the files are baseline files or results of `check`",
                help: "compare files of the same kind")
        }
    }

    private func compare(
        _ all: [AnyResults], _ outputs: ReportOutputs<CompareReportFormat>
    ) throws {
        let request = ComparisonRequest(
            tolerance: tolerance ?? Comparison.toleranceDefault,
            confidence: confidence ?? Comparison.confidenceDefault)
        let compared =
            others.isEmpty
            ? try request.compared(Array(zip(files, all)))
            : try request.compared(
                Array(zip(files, all)), with: Array(zip(others, all.dropFirst(files.count))))
        let comparisons = compared.comparisons
        switch format {
        case .text:
            let text = ComparisonText(style: colours.style(for: .standard))
            outputs.outputForPeople.write(comparisons.map(text.text).joined(separator: "\n"))
        case .markdown:
            outputs.outputForPeople.write(try CompareReportFormat.markdown.text(compared))
        case .json:
            outputs.outputForPeople.write(try CompareReportFormat.json.text(compared))
        }
        try outputs.write(compared)
        let verdicts = comparisons.map(\.verdict)
        if verdicts.contains(.failed) { throw CommandFailure(.failed) }
        if verdicts.contains(.inconclusive) { throw CommandFailure(.inconclusive) }
    }

    private func compare(_ baselines: [CheckBaseline]) throws {
        guard baselines.count == 2, others.isEmpty, reports.report.isEmpty else {
            throw CommandFailure(
                .usage, .otherResults,
                reports.report.isEmpty
                    ? "only two baseline files can be compared at a time"
                    : "--report does not apply to baseline files",
                help: reports.report.isEmpty ? nil : "use --format markdown")
        }
        let (one, other) = (baselines[0], baselines[1])
        let comparison = BaselineComparison(one, other)
        let names = (escapedForDisplay(files[0]), escapedForDisplay(files[1]))
        switch format {
        case .text:
            let text = BaselineText(style: colours.style(for: .standard))
            Output.standard.write(text.text(comparison, (one, other), names: names))
        case .markdown:
            Output.standard.write(BaselineMarkdown.text(comparison, (one, other), names: names))
        case .json:
            throw CommandFailure(
                .usage, .otherResults, "--format json does not apply to baseline files",
                help: "use --format markdown")
        }
        if comparison.hasDrift { throw CommandFailure(.failed) }
        if !comparison.undecided.isEmpty { throw CommandFailure(.inconclusive) }
    }

    private func compareCaptures() async throws {
        for path in files + others where !OpenedCapture.isCapture(path) {
            try OpenedCapture(path).close()
            throw CommandFailure(
                .usage, .otherResults,
                "`\(path)` is not a capture, and a capture can only be compared with a capture")
        }
        guard files.count == 2, others.isEmpty else {
            throw CommandFailure(
                .usage, .otherResults, "only two captures can be compared with each other")
        }
        guard reports.report.isEmpty else {
            throw CommandFailure(
                .usage, .badOption, "--report does not apply to captures",
                help: "use --format markdown or --format json")
        }
        var job = CaptureCompareJob(files[0], files[1], colours.colours)
        job.dialect = dialect
        job.servers = servers.selection
        let comparison = try await job.run()
        switch format {
        case .text:
            let text = CaptureComparisonText(style: colours.style(for: .standard))
            Output.standard.write(text.text(comparison))
        case .markdown: Output.standard.write(CaptureComparisonText.markdown(comparison))
        case .json: Output.standard.write(try ResultsFile.text(comparison))
        }
        if comparison.verdict == .failed { throw CommandFailure(.failed) }
        if comparison.verdict == .inconclusive { throw CommandFailure(.inconclusive) }
    }

    private static func percent(_ text: String) throws -> Double {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), number >= 0,
            number <= 1_000
        else { throw ValidationError("expected a percentage, such as 5%") }
        return number / 100
    }
}

/// Output formats of `compare`.
enum CompareFormat: String, ExpressibleByArgument, CaseIterable {
    case text, markdown, json
}
