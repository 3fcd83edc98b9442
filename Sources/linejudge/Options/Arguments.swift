import ArgumentParser
import Diagnostics
import Report
import Results
import Runner
import Session

/// A time as scenarios write it: `250us`, `500ms`, `2s`, `1.5s`, `1m`.
struct DurationArgument {
    /// The longest: a day.
    static let nanosecondsMax: Int64 = 86_400_000_000_000

    let nanoseconds: Int64

    init(_ text: String) throws {
        let units: [(String, Int64)] = [
            ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
        ]
        guard let (unit, scale) = units.first(where: { text.hasSuffix($0.0) }) else {
            throw ValidationError(
                Double(text) == nil
                    ? "expected a time, such as 500ms, 5s or 1m"
                    : "the unit is missing: write \(text)s for seconds; units are us, ms, s, m")
        }
        let digits = text.dropLast(unit.count)
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }),
            let number = Double(digits)
        else { throw ValidationError("expected a time, such as 500ms, 5s or 1m") }
        let nanoseconds = (number * Double(scale)).rounded()
        guard nanoseconds > 0, nanoseconds <= Double(Self.nanosecondsMax) else {
            throw ValidationError("expected a time longer than 0 and of a day at most, such as 5s")
        }
        self.nanoseconds = Int64(nanoseconds)
    }
}

/// A number within bounds.
enum NumberArgument {
    /// What reads a number from a least to a most one.
    static func within(
        _ range: ClosedRange<Int>, such example: Int
    ) -> @Sendable (String) throws -> Int {
        return { text in
            guard let number = Int(text), range.contains(number) else {
                throw ValidationError(
                    "expected a number from \(range.lowerBound) to \(range.upperBound), "
                        + "such as \(example)")
            }
            return number
        }
    }

    /// A seed.
    static func seed(_ text: String) throws -> UInt64 {
        guard let seed = UInt64(text) else {
            throw ValidationError("expected a number from 0 to \(UInt64.max), such as 42")
        }
        return seed
    }
}

/// What is made of lines that break the dialect's command table.
enum SchemaArgument: String, ExpressibleByArgument, CaseIterable {
    case warn, fail, off

    var mode: SchemaMode {
        switch self {
        case .warn: .warn
        case .fail: .fail
        case .off: .off
        }
    }
}

/// A segmentation, or all of them.
struct SegmentArgument {
    /// The words that name one.
    static let words = [
        "whole", "byte", "random:SEED", "coalesce", "mid-crlf", "mid-letter", "fin+data", "all",
    ]

    /// nil: all.
    let segmentation: Segmentation?

    init(_ text: String) throws {
        if text == "all" {
            segmentation = nil
        } else if let found = Segmentation(text) {
            segmentation = found
        } else {
            let meant = didYouMean(text, among: Self.words).map { "did you mean \($0)? " }
            let lead =
                text.hasPrefix("random")
                ? "random places need a seed, a number: write random:7. " : meant ?? ""
            throw ValidationError("\(lead)There are: \(Self.words.joined(separator: ", "))")
        }
    }

    /// Each of these once, in their order; `all` stands for every one, random places from the seed.
    static func segmentations(_ arguments: [SegmentArgument], seed: UInt64) -> [Segmentation] {
        let all: [Segmentation] = [
            .whole, .byte, .random(seed: seed), .coalesce, .midTerminator, .midLetter, .finWithData,
        ]
        var found: [Segmentation] = []
        for one in arguments.flatMap({ $0.segmentation.map { [$0] } ?? all })
        where !found.contains(one) {
            found.append(one)
        }
        return found.isEmpty ? [.whole] : found
    }
}

/// A form that standard output can have.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case pretty, json, junit, tap, github

    /// The same as a format of a report.
    var reportFormat: ReportFormat {
        switch self {
        case .pretty: .pretty
        case .json: .json
        case .junit: .junit
        case .tap: .tap
        case .github: .github
        }
    }
}

/// `auto`, `always`, `never`.
struct ColourArgument: ExpressibleByArgument {
    static let allValueStrings = ColourMode.allCases.map(\.rawValue)

    let mode: ColourMode

    init?(argument: String) {
        guard let mode = ColourMode(rawValue: argument) else { return nil }
        self.mode = mode
    }

    init(_ mode: ColourMode) { self.mode = mode }

    var defaultValueDescription: String { mode.rawValue }
}

/// `--color`, which every command that shows something has.
struct ColourOptions: ParsableArguments {
    @Option(
        name: .customLong("color"),
        help: ArgumentHelp(
            "Use colours: auto, always or never. NO_COLOR and FORCE_COLOR count for auto.",
            valueName: "when"))
    var colour = ColourArgument(.auto)

    /// How to style what goes there.
    func style(for output: Output) -> Style {
        Style(
            isColoured: colour.mode.usesColour(
                environment: Environment.ofProcess, isTerminal: output.isTerminal))
    }
}
