package import Results

/// Settings for a load test, from a plan file or the command line. Omitted settings are nil; times
/// are in nanoseconds.
package struct LoadPlan: Sendable {
    package static let stagesMax = 1_000
    /// Maximum number of operator kinds.
    package static let kindsMax = 16
    package static let thresholdsMax = 100
    /// Default length of the measurement period, in nanoseconds.
    package static let durationDefault: Int64 = 10_000_000_000
    /// Default rate in messages per second.
    package static let rateDefault = 100.0

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
    package var batchInterval: Int64?
    package var workers: Int?
    package var processes: Int?
    package var seed: UInt64?
    package var resets: Bool?
    package var thresholds: [Threshold] = []
    /// Time that a threshold may be violated before the load test is aborted, in nanoseconds.
    package var abortGrace: Int64?

    package init() {}

    /// A stage of the measurement period.
    package struct Stage: Sendable, Hashable {
        package var name: String?
        package var duration: Int64
        /// Rates of the open model, in order; more than one if the rate is stepped. Their durations
        /// add up to the stage's duration.
        package var rates: [RateStage]
        /// Think time of the closed model; nil to use the plan's.
        package var think: ThinkTime?

        package init(
            name: String? = nil, duration: Int64, rates: [RateStage] = [], think: ThinkTime? = nil
        ) {
            self.name = name
            self.duration = duration
            self.rates = rates
            self.think = think
        }

        /// The stage's rates. The first one carries the stage's name.
        var namedRates: [RateStage] {
            var rates = rates
            if !rates.isEmpty { rates[0].name = name }
            return rates
        }
    }

    /// Total duration of the stages; nil if there are none.
    package var duration: Int64? {
        stages.isEmpty ? nil : stages.reduce(0) { $0 + $1.duration }
    }

    /// Scales the stages proportionally to a new total duration.
    package mutating func scale(to duration: Int64) {
        guard let all = self.duration, all > 0 else { return }
        let factor = Double(duration) / Double(all)
        for index in stages.indices {
            stages[index].duration = Int64((Double(stages[index].duration) * factor).rounded())
            for rate in stages[index].rates.indices {
                let time = Double(stages[index].rates[rate].duration) * factor
                stages[index].rates[rate].duration = Int64(time.rounded())
            }
        }
    }

    /// Replaces all stages with a single stage at a constant rate.
    package mutating func hold(rate: Double) {
        let duration = duration ?? 0
        stages = [
            Stage(duration: duration, rates: [RateStage(duration: duration, rate: rate)])
        ]
    }
}
