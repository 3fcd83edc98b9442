import ArgumentParser
import Conformance
import Diagnostics
import Load
import Report
import Results
import Runner

/// `linejudge compare`
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Set two results side by side, and say whether the second is worse.",
        usage: "linejudge compare [OPTIONS] A B",
        discussion: """
            A and B are results files (JSON), both of a load or both of a run, or lock files or checks of two \
            servers, or of one at two times: then it is told what B does otherwise. A figure is worse if it \
            is worse by more than the tolerance and its interval leaves no room for chance; one \
            violation more, or one scenario that passed and does not, is worse whatever the tolerance.

            Exit codes:
              0   B is not worse; of lock files: B does nothing otherwise
              1   B is worse; of lock files: B does something otherwise
              2   it cannot be decided: the generator was the limit
              64  the command line is wrong, or the files cannot be compared
              65  a file holds no results that this version reads
              66  there is no such file
            """)

    @Option(
        help: ArgumentHelp("How much worse a figure may be (5%).", valueName: "percent"),
        transform: Self.percent)
    var tolerance: Double?

    @Option(
        help: ArgumentHelp("How sure the intervals are (95%).", valueName: "percent"),
        transform: Self.percent)
    var confidence: Double?

    @Option(help: ArgumentHelp("text, or markdown for a pull request.", valueName: "format"))
    var format = CompareFormat.text

    @OptionGroup var colours: ColourOptions

    @Argument(help: ArgumentHelp("What was before.", valueName: "a"))
    var first: String

    @Argument(help: ArgumentHelp("What is now.", valueName: "b"))
    var second: String

    func validate() throws {
        if let confidence, !(0.5...0.9999).contains(confidence) {
            throw ValidationError("--confidence takes a percentage from 50% to 99.99%")
        }
    }

    func run() throws {
        switch (try ComparedFile(first), try ComparedFile(second)) {
        case (.lock(let one), .lock(let other)): try compare(one, other)
        case (.results(let one), .results(let other)): try compare(one, other)
        default:
            throw CommandFailure(
                .usage, .otherResults, "one of the two is a lock file, the other is not",
                help: "compare two results files of one kind, or two lock files")
        }
    }

    private func compare(_ one: AnyResults, _ other: AnyResults) throws {
        let comparison = try comparison(one, other)
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

    private func comparison(_ one: AnyResults, _ other: AnyResults) throws -> Comparison {
        let names = (escapedForDisplay(first), escapedForDisplay(second))
        let (tolerance, confidence) = (tolerance ?? 0.05, confidence ?? 0.95)
        switch (one, other) {
        case (.load(let one), .load(let other)):
            do {
                return try .of(
                    one, other, names: names, tolerance: tolerance, confidence: confidence)
            } catch let error as HistogramCodec.Malformed {
                throw CommandFailure(
                    .unparsable, .notResults, "a histogram cannot be read: \(error.reason)")
            }
        case (.run(let one), .run(let other)):
            return .of(one, other, names: names, tolerance: tolerance, confidence: confidence)
        case (.check, .check):
            throw CommandFailure(
                .usage, .otherResults,
                "results of checks are set side by side by `linejudge report`",
                help: "or compare those of one server each, or lock files")
        default:
            throw CommandFailure(
                .usage, .otherResults,
                "\(ResultsInput.name(first)) is of a \(one.kind), and "
                    + "\(ResultsInput.name(second)) of a \(other.kind)",
                help: "compare two loads or two runs")
        }
    }

    private static func percent(_ text: String) throws -> Double {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), number >= 0,
            number <= 1_000
        else { throw ValidationError("expected a percentage, such as 5%") }
        return number / 100
    }
}

/// `text`, `markdown`.
enum CompareFormat: String, ExpressibleByArgument, CaseIterable {
    case text, markdown
}

/// A file that is compared: results, or a lock.
private enum ComparedFile {
    case results(AnyResults)
    case lock(CheckBaseline)

    /// Reads it, once: it may be a pipe.
    init(_ path: String) throws {
        let bytes = try ResultsInput.bytes(path)
        if BaselineReader.looksLikeOne(bytes) {
            let name = path == "-" ? "<stdin>" : path
            self = .lock(try BaselineFile.parse(SourceText(path: name, bytes: bytes)))
        } else {
            let results = try ResultsInput.results(bytes, path)
            // What a server did stands in the results of its checks as well.
            if case .check(let matrix) = results, matrix.servers.count == 1 {
                self = .lock(CheckBaseline(matrix.servers[0].results))
            } else {
                self = .results(results)
            }
        }
    }
}
