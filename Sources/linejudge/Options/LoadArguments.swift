import ArgumentParser
import Load
import Report

/// `open`, `closed`.
enum ModelArgument: String, ExpressibleByArgument, CaseIterable {
    case open, closed
}

/// `constant`, `poisson`.
enum PaceArgument: String, ExpressibleByArgument, CaseIterable {
    case constant, poisson
}

/// `2000/s`, `120/m`, `2000`.
struct LoadRateArgument {
    /// The highest rate: a text each 100 ns.
    static let perSecondMax = 10_000_000.0

    let perSecond: Double

    init(_ text: String) throws {
        let units: [(String, Double)] = [("/s", 1), ("/m", 60), ("/h", 3600)]
        let unit = units.first { text.hasSuffix($0.0) }
        let perSecond = Double(text.dropLast(unit?.0.count ?? 0)).map { $0 / (unit?.1 ?? 1) }
        guard let perSecond, perSecond > 0, perSecond <= Self.perSecondMax else {
            throw ValidationError("expected a rate, such as 2000/s or 90/m")
        }
        self.perSecond = perSecond
    }
}

/// `1s`, `1s..3s`, `~1s`, `0`.
struct ThinkArgument {
    let time: ThinkTime

    init(_ text: String) throws {
        if text == "0" {
            time = .constant(0)
        } else if text.hasPrefix("~") {
            time = .exponential(mean: try DurationArgument(String(text.dropFirst())).nanoseconds)
        } else if let dots = text.firstRange(of: "..") {
            let least = try DurationArgument(String(text[..<dots.lowerBound])).nanoseconds
            let most = try DurationArgument(String(text[dots.upperBound...])).nanoseconds
            guard least <= most else {
                throw ValidationError("the longer time stands first: write it last")
            }
            time = .uniform(least: least, most: most)
        } else {
            time = .constant(try DurationArgument(text).nanoseconds)
        }
    }
}

extension DurationArgument {
    /// A time; `0` is none.
    static func orNothing(_ text: String) throws -> Int64 {
        text == "0" ? 0 : try DurationArgument(text).nanoseconds
    }
}

/// `say`, `say=3,probe=1`.
struct MixArgument {
    let mix: ActionMix

    init(_ text: String) throws {
        var weights: [(action: LoadAction, weight: Double)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let found = LoadAction.allCases.first { $0 != .keepalive && $0.name == pair[0] }
            guard let action = found else {
                throw ValidationError("expected say, relay or probe, each with a weight: say=3")
            }
            guard let weight = pair.count == 2 ? Double(pair[1]) : 1, weight > 0, weight.isFinite
            else { throw ValidationError("the weight of \(action.name) is no number above 0") }
            guard !weights.contains(where: { $0.action == action }) else {
                throw ValidationError("\(action.name) stands there twice")
            }
            weights.append((action, weight))
        }
        let actions = weights.map(\.action)
        if actions.contains(.say), actions.contains(.relay) {
            throw ValidationError(
                "say and relay cannot be mixed: each needs a ledger of its own; run two loads")
        }
        mix = ActionMix(weights)
    }
}

/// `p99(say) < 50ms`.
struct ThresholdArgument {
    let threshold: Threshold

    init(_ text: String) throws {
        do {
            threshold = try Threshold(text)
        } catch {
            throw ValidationError(error.reason)
        }
    }
}

/// `FORMAT=FILE`; the file `-` is standard output.
struct LoadReportArgument {
    let format: LoadReportFormat
    let path: String

    init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        let formats = LoadReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
        guard let format = parts.first.flatMap(LoadReportFormat.init) else {
            throw ValidationError("expected a format (\(formats)) and a file: json=load.json")
        }
        guard parts.count == 2 else {
            throw ValidationError("the file is missing: write \(format.rawValue)=FILE")
        }
        self.format = format
        path = parts[1]
    }
}
