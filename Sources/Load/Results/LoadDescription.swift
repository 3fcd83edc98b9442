package import Results

/// The requested settings of a load, for its results.
package struct LoadDescription: Sendable {
    package var toolVersion: String
    package var startedAt: Int64
    package var server: String
    package var plan: FleetPlan
    package var options: FleetOptions
    package var thresholds: [Threshold]
    /// `interrupted` or `terminated`; nil if the load ended normally.
    package var interruption: String?
    /// Number of connections dropped from the server's accept queue.
    package var listenOverflows: UInt64?
    package var environment: LoadResults.Environment?
    package var planName: String?
    /// Number of generator processes.
    package var processes = 1
    /// This machine's shard; nil if there is only one machine.
    package var shard: Shard?
    /// Start of the first measured second, in nanoseconds since 1970.
    package var measuredFrom: Int64?
    /// Delay of the start relative to the agreed time, in nanoseconds.
    package var startLateness: Int64 = 0
    /// Rate changes during the load, relative to its start.
    package var rateChanges: [RateChange] = []
    /// Reason for an early end, if a threshold was violated.
    package var endReason: String?

    /// Stages of the measured time as executed, with rate changes applied.
    var stages: [RateStage] {
        guard case .open(let stages, _) = plan.model else { return [] }
        return RateStage.changing(stages, measuredChanges)
    }

    /// Rate changes relative to the start of the measured time.
    var measuredChanges: [RateChange] {
        rateChanges.map { RateChange(time: $0.time - options.warmup, factor: $0.factor) }
    }

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

    /// This generator's share of the rate in the open model.
    var rate: Double? {
        guard case .open = plan.model else { return nil }
        let seconds = stages.reduce(0) { $0 + Double($1.duration) / 1e9 }
        guard seconds > 0 else { return 0 }
        return ArrivalSchedule.arrivals(stages) / seconds / Double(options.share.count)
    }

    var workers: Int { options.workers * processes }
}
