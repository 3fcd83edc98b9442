import ArgumentParser
import Report
import Session

/// A time as scenarios write it: `250us`, `500ms`, `2s`, `1.5s`, `1m`.
struct DurationArgument: ExpressibleByArgument {
    /// The longest: a day.
    static let nanosecondsMax: Int64 = 86_400_000_000_000

    let nanoseconds: Int64
    let defaultValueDescription: String

    init?(argument: String) {
        let units: [(String, Int64)] = [
            ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
        ]
        guard let (unit, scale) = units.first(where: { argument.hasSuffix($0.0) }) else {
            return nil
        }
        let digits = argument.dropLast(unit.count)
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }),
            let number = Double(digits)
        else { return nil }
        let nanoseconds = (number * Double(scale)).rounded()
        guard nanoseconds > 0, nanoseconds <= Double(Self.nanosecondsMax) else { return nil }
        self.nanoseconds = Int64(nanoseconds)
        defaultValueDescription = argument
    }
}

/// `FORMAT=FILE`; the file `-` is standard output.
struct ReportArgument: ExpressibleByArgument {
    let format: ReportFormat
    let path: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard let format = parts.first.flatMap(ReportFormat.init) else { return nil }
        if parts.count == 2 {
            path = parts[1]
        } else if format == .github, !argument.contains("=") {
            path = "-"
        } else {
            return nil
        }
        self.format = format
    }
}

/// A segmentation, or all of them.
struct SegmentArgument: ExpressibleByArgument {
    /// nil: all.
    let segmentation: Segmentation?

    init?(argument: String) {
        if argument == "all" {
            segmentation = nil
        } else if let found = Segmentation(argument) {
            segmentation = found
        } else {
            return nil
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

    /// How to paint what goes there.
    func paint(for output: Output) -> Paint {
        Paint(
            isColoured: colour.mode.usesColour(
                environment: Environment.ofProcess, isTerminal: output.isTerminal))
    }
}
