package import Results

/// What a load shall be, as a plan file or the command line says it: what is nil was not said.
package struct LoadPlan: Sendable {
    /// The most stages.
    package static let stagesMax = 1_000
    /// The most kinds of operators.
    package static let kindsMax = 16
    /// The most promises.
    package static let thresholdsMax = 100

    package var name: String?
    package var target: String?
    package var dialect: String?
    package var operators: Int?
    package var roomSize: Int?
    package var isClosed: Bool?
    package var pace: ArrivalSchedule.Pace?
    package var think: ThinkTime?
    package var stages: [Stage] = []
    package var kinds: [OperatorKind] = []
    package var mix: ActionMix?
    package var textBytes: Int?
    package var ramp: Int64?
    package var warmup: Int64?
    package var drain: Int64?
    package var loginTimeout: Int64?
    package var quantum: Int64?
    package var workers: Int?
    package var processes: Int?
    package var seed: UInt64?
    package var resets: Bool?
    package var thresholds: [Threshold] = []
    /// How long a promise may be broken before the load ends.
    package var abortGrace: Int64?

    /// One that says nothing.
    package init() {}

    /// A stretch of the measured time.
    package struct Stage: Sendable, Hashable {
        package var name: String?
        package var duration: Int64
        /// Of the open model; several where it goes in steps. Together they are as long as the stage.
        package var rates: [RateStage]
        /// Of the closed model.
        package var think: ThinkTime?

        package init(
            name: String? = nil, duration: Int64, rates: [RateStage] = [], think: ThinkTime? = nil
        ) {
            self.name = name
            self.duration = duration
            self.rates = rates
            self.think = think
        }
    }

    /// How long all stages are together; nil if there are none.
    package var duration: Int64? {
        stages.isEmpty ? nil : stages.reduce(0) { $0 + $1.duration }
    }

    /// Makes all stages together as long as this: each keeps its share.
    package mutating func scale(to duration: Int64) {
        guard let all = self.duration, all > 0 else { return }
        let factor = Double(duration) / Double(all)
        for place in stages.indices {
            stages[place].duration = Int64((Double(stages[place].duration) * factor).rounded())
            for rate in stages[place].rates.indices {
                let time = Double(stages[place].rates[rate].duration) * factor
                stages[place].rates[rate].duration = Int64(time.rounded())
            }
        }
    }

    /// Puts one stage of one rate in the place of all.
    package mutating func hold(rate: Double) {
        let duration = duration ?? 0
        stages = [
            Stage(duration: duration, rates: [RateStage(duration: duration, rate: rate)])
        ]
    }
}

/// Operators that do the same.
package struct OperatorKind: Sendable, Hashable {
    /// The greatest weight.
    package static let weightMax = 1_000

    package var name: String
    /// How many there are in proportion.
    package var weight: Int
    /// What they do; nil: nothing but listen.
    package var mix: ActionMix?
    /// Of the closed model, if not that of the stage.
    package var think: ThinkTime?
    /// How they behave, if not as anybody.
    package var persona: Persona?
    /// The scenario that they play, if they play one: its file.
    package var scenario: String?
    /// Whether they do what all do who are not told what to do.
    package var doesUsual = false

    package init(
        name: String, weight: Int, mix: ActionMix?, think: ThinkTime? = nil,
        persona: Persona? = nil
    ) {
        self.name = name
        self.weight = weight
        self.mix = mix
        self.think = think
        self.persona = persona
    }

    /// Which kind each operator is of: a pattern that is repeated, in which kinds alternate as evenly as
    /// their weights allow, so that rooms are alike.
    static func pattern(_ kinds: [OperatorKind]) -> [UInt8] {
        let total = kinds.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return [] }
        var credit = [Int](repeating: 0, count: kinds.count)
        return (0..<total).map { _ in
            for place in kinds.indices { credit[place] += kinds[place].weight }
            let chosen = credit.indices.max { credit[$0] < credit[$1] } ?? 0
            credit[chosen] -= total
            return UInt8(chosen)
        }
    }
}
