/// The settings that were requested for a load test.
package struct RequestedLoad: Sendable, Codable, Equatable {
    package var operators: Int
    package var rooms: Int
    package var model: String
    /// The requested rate in the open model; nil in the closed model.
    package var ratePerSecond: Double?
    package var durationNanoseconds: Int64
    package var warmupNanoseconds: Int64
    package var rampNanoseconds: Int64
    package var batchIntervalNanoseconds: Int64
    package var textBytes: Int
    package var workers: Int
    package var seed: UInt64
    package var mix: [String: Double]
    package var plan: String?
    /// Rate over time in the open model; nil if it is constant.
    package var stages: [Stage]?
    /// Number of operators of each kind; nil if there is only one kind.
    package var kinds: [String: Int]?
    /// Number of generator processes; nil if there is only one.
    package var processes: Int?
    /// Rate changes that the user made during the load test; nil if there were none. ``stages``
    /// already includes them.
    package var rateChanges: [RateChange]?

    package init(
        operators: Int, rooms: Int, model: String, ratePerSecond: Double? = nil,
        durationNanoseconds: Int64, warmupNanoseconds: Int64, rampNanoseconds: Int64,
        batchIntervalNanoseconds: Int64, textBytes: Int, workers: Int, seed: UInt64,
        mix: [String: Double], plan: String? = nil, stages: [Stage]? = nil,
        kinds: [String: Int]? = nil, processes: Int? = nil, rateChanges: [RateChange]? = nil
    ) {
        self.operators = operators
        self.rooms = rooms
        self.model = model
        self.ratePerSecond = ratePerSecond
        self.durationNanoseconds = durationNanoseconds
        self.warmupNanoseconds = warmupNanoseconds
        self.rampNanoseconds = rampNanoseconds
        self.batchIntervalNanoseconds = batchIntervalNanoseconds
        self.textBytes = textBytes
        self.workers = workers
        self.seed = seed
        self.mix = mix
        self.plan = plan
        self.stages = stages
        self.kinds = kinds
        self.processes = processes
        self.rateChanges = rateChanges
    }

    /// Adds the settings of another generator.
    mutating func add(_ other: Self) {
        operators.grow(by: other.operators)
        rooms.grow(by: other.rooms)
        if let rate = ratePerSecond { ratePerSecond = rate + (other.ratePerSecond ?? 0) }
        for index in (stages ?? []).indices {
            stages?[index].startPerSecond += other.stages?[index].startPerSecond ?? 0
            stages?[index].endPerSecond += other.stages?[index].endPerSecond ?? 0
        }
        kinds = [kinds, other.kinds].compactMap(\.self).reduce(nil) { sum, one in
            (sum ?? [:]).merging(one) { $0.grown(by: $1) }
        }
        rampNanoseconds = max(rampNanoseconds, other.rampNanoseconds)
        workers.grow(by: other.workers)
        // Results without this member come from a single process.
        let sum = (processes ?? 1).grown(by: other.processes ?? 1)
        processes = processes == nil && other.processes == nil ? nil : sum
    }

    /// Part of the measurement period with a constant or linearly changing rate.
    package struct Stage: Sendable, Codable, Equatable {
        package var durationNanoseconds: Int64
        package var startPerSecond: Double
        package var endPerSecond: Double
        /// Name of the plan's stage that begins here; nil if the stage is unnamed or began earlier.
        package var name: String?

        package init(
            durationNanoseconds: Int64, startPerSecond: Double, endPerSecond: Double,
            name: String? = nil
        ) {
            self.durationNanoseconds = durationNanoseconds
            self.startPerSecond = startPerSecond
            self.endPerSecond = endPerSecond
            self.name = name
        }
    }

    /// A rate change made by the user.
    package struct RateChange: Sendable, Codable, Equatable {
        /// Time since the start of the measurement period; negative before it.
        package var timeNanoseconds: Int64
        /// Factor applied to the rate.
        package var factor: Double
        /// `pause` or `resume`; nil if only the factor changed.
        package var action: String?

        package init(timeNanoseconds: Int64, factor: Double, action: String? = nil) {
            self.timeNanoseconds = timeNanoseconds
            self.factor = factor
            self.action = action
        }
    }
}
