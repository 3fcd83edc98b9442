import ArgumentParser
import Conformance
import Console
import Diagnostics
import Load
import Manual
import Report
import Results

/// The command `linejudge compare`.
struct CompareCommand: ParsableCommand, ManualCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare two results files.",
        usage: "linejudge compare [OPTIONS] A B",
        discussion: """
            A and B are two JSON results files of the same command (load or run), or two baseline files or \
            check results, each of a single server. A metric counts as worse if it got worse by more than \
            the tolerance and the difference is statistically significant. A new violation, or a scenario \
            that no longer passes, counts as worse regardless of the tolerance. For baseline files and \
            checks, the differences in behaviour are listed.
            """)

    static let manual = CommandManual(
        examples: [
            "Fail if a load test got worse by more than 10%":
                "linejudge compare before.json after.json --tolerance 10%",
            "Show the comparison in a pull request":
                "linejudge compare before.json after.json --format markdown",
            "Show how two servers differ": "linejudge compare ngircd.baseline inspircd.baseline",
        ],
        exitCodes: [
            .ok: "B is not worse; baseline files: no differences",
            .failed: "B is worse; baseline files: behaviour differs",
            .inconclusive: "undecided: the load generator was the bottleneck",
            .usage: "invalid command line, or the files cannot be compared",
            .unparsable: "not a results file that this version can read",
            .noInput: "no such file",
        ])

    @Option(
        help: ArgumentHelp("Change in a metric to tolerate (default: 5%).", valueName: "percent"),
        transform: Self.percent)
    var tolerance: Double?

    @Option(
        help: ArgumentHelp(
            "Confidence level of the intervals (default: 95%).", valueName: "percent"),
        transform: Self.percent)
    var confidence: Double?

    @Option(help: ArgumentHelp("Output format.", valueName: "format"))
    var format = CompareFormat.text

    @OptionGroup var colours: ColourOptions

    @Argument(
        help: ArgumentHelp("Results file to compare with.", valueName: "a"), completion: .file())
    var first: String

    @Argument(help: ArgumentHelp("Results file to compare.", valueName: "b"), completion: .file())
    var second: String

    func validate() throws {
        if let confidence, !(0.5...0.9999).contains(confidence) {
            throw ValidationError("--confidence takes a percentage from 50% to 99.99%")
        }
    }

    func run() throws {
        switch (try ComparedFile(first), try ComparedFile(second)) {
        case (.baseline(let one), .baseline(let other)): try compare(one, other)
        case (.results(let one), .results(let other)): try compare(one, other)
        default:
            throw CommandFailure(
                .usage, .otherResults, "only one of the files is a baseline file",
                help: "compare two results files of the same kind, or two baseline files")
        }
    }

    private func compare(_ one: AnyResults, _ other: AnyResults) throws {
        let comparison = try Comparison.of(
            one, other, paths: (first, second), tolerance: tolerance ?? 0.05,
            confidence: confidence ?? 0.95)
        switch format {
        case .text:
            let style = colours.style(for: .standard)
            Output.standard.write(ComparisonText(style: style).text(comparison))
        case .markdown: Output.standard.write(ComparisonMarkdown.text(comparison))
        }
        if comparison.isWorse { throw CommandFailure(.failed) }
        if !comparison.doubts.isEmpty { throw CommandFailure(.inconclusive) }
    }

    private func compare(_ one: CheckBaseline, _ other: CheckBaseline) throws {
        let comparison = BaselineComparison(one, other)
        let names = (escapedForDisplay(first), escapedForDisplay(second))
        switch format {
        case .text:
            let text = BaselineText(style: colours.style(for: .standard))
            Output.standard.write(text.text(comparison, (one, other), names: names))
        case .markdown:
            Output.standard.write(BaselineMarkdown.text(comparison, (one, other), names: names))
        }
        if comparison.hasDrift { throw CommandFailure(.failed) }
        if !comparison.undecided.isEmpty { throw CommandFailure(.inconclusive) }
    }

    private static func percent(_ text: String) throws -> Double {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), number >= 0,
            number <= 1_000
        else { throw ValidationError("expected a percentage, such as 5%") }
        return number / 100
    }
}

/// Output format of `compare`.
enum CompareFormat: String, ExpressibleByArgument, CaseIterable {
    case text, markdown
}
