import ArgumentParser
import Diagnostics
import Report
import Results
import Runner

/// A duration in scenario notation, such as `250us`, `500ms`, `2s`, `1.5s` or `1m`.
struct DurationArgument {
    /// Maximum duration: one day, in nanoseconds.
    static let nanosecondsMax: Int64 = 86_400_000_000_000

    let nanoseconds: Int64

    init(_ text: String) throws {
        let units: [(String, Int64)] = [
            ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000),
        ]
        guard let (unit, scale) = units.first(where: { text.hasSuffix($0.0) }) else {
            throw ValidationError(
                Double(text) == nil
                    ? "expected a duration such as 500ms, 5s or 1m"
                    : "missing unit: write \(text)s for seconds; units are us, ms, s and m")
        }
        let digits = text.dropLast(unit.count)
        guard digits.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }),
            let number = Double(digits)
        else { throw ValidationError("expected a duration such as 500ms, 5s or 1m") }
        let nanoseconds = (number * Double(scale)).rounded()
        guard nanoseconds > 0, nanoseconds <= Double(Self.nanosecondsMax) else {
            throw ValidationError("expected a duration above 0 and up to a day, such as 5s")
        }
        self.nanoseconds = Int64(nanoseconds)
    }
}

/// Returns a parsed value. If parsing fails, throws a usage error with the reason.
func validated<Value, Failure: Error>(
    _ reason: (Failure) -> String, _ parse: () throws(Failure) -> Value
) throws -> Value {
    do {
        return try parse()
    } catch {
        throw ValidationError(reason(error))
    }
}

/// Parsers for numbers.
enum NumberArgument {
    /// Returns a parser for numbers in a range.
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

    static func seed(_ text: String) throws -> UInt64 {
        guard let seed = UInt64(text) else {
            throw ValidationError("expected a number from 0 to \(UInt64.max), such as 42")
        }
        return seed
    }
}

extension SchemaMode: ExpressibleByArgument {
    static let help = ArgumentHelp(
        "How to treat server lines that violate the dialect's command table.", valueName: "mode")
}

/// A value of `--segment`: a way to divide sent bytes into writes, or `all` to use every way in
/// turn.
struct SegmentArgument {
    /// The accepted values.
    static let words = [
        "whole", "byte", "random:SEED", "coalesce", "mid-crlf", "mid-letter", "fin+data", "all",
    ]

    /// The way to divide sent bytes; nil for `all`.
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
                ? "random needs a seed: write random:7; " : meant ?? ""
            throw ValidationError("\(lead)values: \(Self.words.joined(separator: ", "))")
        }
    }

    /// Returns the requested segmentations in order, without duplicates. For `all`, random splits
    /// use the seed.
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

/// A format for the standard output of `run`.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case pretty, json, junit, tap, github

    /// The report format with the same name.
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
