import ArgumentParser
import Load
import Results

/// A load model: open or closed.
enum ModelArgument: String, ExpressibleByArgument, CaseIterable {
    case open, closed
}

extension ArrivalSchedule.Pace: ExpressibleByArgument {}

/// Parsers for values of `load`'s options.
enum LoadArgument {
    /// Parses a rate, such as `2000/s`, `120/m` or `2000`. Returns messages per second.
    static func rate(_ text: String) throws -> Double {
        try validated({ "expected \($0.expected)" }) { () throws(PlanText.Malformed) in
            try PlanText.rate(text)
        }
    }

    /// Parses a think time, such as `1s`, `1s..3s`, `~1s` or `0`.
    static func think(_ text: String) throws -> ThinkTime {
        try validated({ "expected \($0.expected)" }) { () throws(PlanText.Malformed) in
            try PlanText.think(text) { try? DurationArgument($0).nanoseconds }
        }
    }

    /// Parses a start time, such as `2026-03-01T12:00:00Z`, `@1772366400` or `+30s`.
    static func start(_ text: String) throws -> StartTime {
        try validated({ "expected \($0.expected)" }) { () throws(StartTime.Failure) in
            try StartTime(text) { try? DurationArgument($0).nanoseconds }
        }
    }

    /// Parses a budget, such as `cpu < 150%`.
    static func budget(_ text: String) throws -> LoadBudget {
        try validated({ "expected \($0.expected)" }) { () throws(LoadBudget.Malformed) in
            try LoadBudget(text)
        }
    }

    /// Parses a threshold, such as `p99(say) < 50ms`.
    static func threshold(_ text: String) throws -> Threshold {
        try validated(\.reason) { () throws(Threshold.Malformed) in try Threshold(text) }
    }
}

extension DurationArgument {
    /// Parses a duration or `0`. Returns it in nanoseconds.
    static func orNothing(_ text: String) throws -> Int64 {
        text == "0" ? 0 : try DurationArgument(text).nanoseconds
    }
}

/// A value of `--mix`: actions with their weights, such as `say` or `say=3,probe=1`.
struct MixArgument {
    /// Names of the actions.
    static let words = LoadAction.allCases.filter { $0 != .keepalive }.map(\.name)

    let mix: ActionMix

    init(_ text: String) throws {
        var weights: [(action: LoadAction, weight: Double)] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let found = LoadAction.allCases.first { $0 != .keepalive && $0.name == pair[0] }
            guard let action = found else {
                throw ValidationError("expected say, relay or probe, with weights such as say=3")
            }
            guard let weight = pair.count == 2 ? Double(pair[1]) : 1, weight > 0, weight.isFinite
            else { throw ValidationError("the weight of \(action.name) must be a number above 0") }
            guard !weights.contains(where: { $0.action == action }) else {
                throw ValidationError("\(action.name) is given twice")
            }
            weights.append((action, weight))
        }
        let actions = weights.map(\.action)
        if actions.contains(.say), actions.contains(.relay) {
            throw ValidationError(
                "say and relay cannot be mixed; run two load tests")
        }
        mix = ActionMix(weights)
    }
}

/// A value of `--kind`: a kind of operator with its weight, such as `slow-reader` or `talker=3`.
struct KindArgument {
    /// Names of the kinds.
    static let words = ["listener"] + OperatorBehaviour.Role.allCases.map(\.word)

    let kind: OperatorKind

    init(_ text: String) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let word = String(parts[0])
        guard let weight = parts.count == 2 ? Int(parts[1]) : 1,
            (1...OperatorKind.weightMax).contains(weight)
        else {
            throw ValidationError(
                "the weight of \(word) must be a number from 1 to \(OperatorKind.weightMax)")
        }
        if word.hasSuffix(".chat") {
            kind = OperatorKind(scenario: word, weight: weight)
            return
        }
        if word == "listener" {
            kind = OperatorKind(name: word, weight: weight, mix: nil)
            return
        }
        guard let role = OperatorBehaviour.Role.allCases.first(where: { $0.word == word }) else {
            throw ValidationError(
                "unknown kind \(word); values: \(Self.words.joined(separator: ", "))")
        }
        var kind = OperatorKind(
            name: word, weight: weight, mix: nil, behaviour: OperatorBehaviour(role))
        kind.doesUsual = role == .ordinary || role == .reconnecting
        self.kind = kind
    }
}
