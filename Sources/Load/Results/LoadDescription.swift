package import Results

/// What a load was asked to be, for its results.
package struct LoadDescription: Sendable {
    package var toolVersion: String
    package var startedAt: Int64
    package var server: String
    package var plan: FleetPlan
    package var options: FleetOptions
    package var thresholds: [Threshold]
    /// `interrupted` or `terminated`, if somebody ended it.
    package var interruption: String?
    /// Connections that the target's queue had no place for.
    package var listenOverflows: UInt64?
    package var environment: LoadResults.Environment?
    /// What the plan is called.
    package var planName: String?
    /// How many processes made it.
    package var processes = 1
    /// Which of several machines' parts it is, and where that was found.
    package var shard: Shard?
    /// When the first measured second began, in nanoseconds since 1970.
    package var measuredFrom: Int64?
    /// How long after the agreed time the load began, in nanoseconds.
    package var startLateness: Int64 = 0
    /// Changes of the rate while the load went on, from the start of the load.
    package var rateChanges: [RateChange] = []
    /// Why it was ended before its time, if a promise was broken.
    package var endReason: String?

    /// The stages of the measured time as they were, with the changes.
    var stages: [RateStage] {
        guard case .open(let stages, _) = plan.model else { return [] }
        return RateStage.changing(stages, measuredChanges)
    }

    /// The changes of the rate, from the start of the measured time.
    var measuredChanges: [RateChange] {
        rateChanges.map { RateChange(time: $0.time - options.warmup, factor: $0.factor) }
    }

    /// A description from its parts.
    package init(
        toolVersion: String, startedAt: Int64, server: String, plan: FleetPlan,
        options: FleetOptions, thresholds: [Threshold] = []
    ) {
        self.toolVersion = toolVersion
        self.startedAt = startedAt
        self.server = server
        self.plan = plan
        self.options = options
        self.thresholds = thresholds
    }

    /// The rate of an open model, as far as it is this generator's share.
    var rate: Double? {
        guard case .open = plan.model else { return nil }
        let seconds = stages.reduce(0) { $0 + Double($1.duration) / 1e9 }
        guard seconds > 0 else { return 0 }
        return ArrivalSchedule.arrivals(stages) / seconds / Double(options.share.count)
    }

    /// All threads of all processes.
    var workers: Int { options.workers * processes }
}
