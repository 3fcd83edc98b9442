package import Results

/// A load test's settings, start time and other facts that its results contain apart from the
/// measurements.
package struct LoadDescription: Sendable {
    package var toolVersion: String
    package var startedAt: Int64
    package var server: String
    package var plan: FleetPlan
    package var options: FleetOptions
    package var thresholds: [Threshold]
    /// `interrupted` or `terminated`; nil if the load test ended normally.
    package var interruption: String?
    /// Number of connections the system dropped from the server's accept queue; nil if unknown.
    package var listenOverflows: UInt64?
    package var environment: LoadResults.Environment?
    package var planName: String?
    /// Number of generator processes.
    package var processes = 1
    /// This machine's shard; nil if a single machine generates the load.
    package var shard: Shard?
    /// Start of the measurement period, in nanoseconds since 1970; nil if unknown.
    package var measuredFrom: Int64?
    /// Delay between the agreed and the actual start, in nanoseconds.
    package var startLateness: Int64 = 0
    /// Rate changes during the load test, relative to its start.
    package var rateChanges: [RateChange] = []
    /// Time measured so far, in nanoseconds; nil for the whole measurement period.
    package var measured: Int64?
    /// Reason for an early end, such as a violated threshold; nil if the load test ran to its end.
    package var endReason: String?

    /// Stages of the measurement period as executed, with rate changes applied.
    var stages: [RateStage] {
        guard case .open(let stages, _) = plan.model else { return [] }
        return RateStage.changing(stages, measuredChanges)
    }

    /// Rate changes, with times relative to the start of the measurement period.
    var measuredChanges: [RateChange] {
        rateChanges.map { change in
            RateChange(
                time: change.time - options.warmup, factor: change.factor, action: change.action)
        }
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

    /// This generator's share of the average rate so far in the measurement period; nil in the
    /// closed model.
    var rate: Double? {
        guard case .open = plan.model else { return nil }
        var stages = stages
        if let measured, measured > 0 { stages = RateStage.cut(stages, at: measured).before }
        let seconds = stages.reduce(0) { $0 + Double($1.duration) / 1e9 }
        guard seconds > 0 else { return 0 }
        return ArrivalSchedule.arrivals(stages) / seconds / Double(options.share.count)
    }

    var workers: Int { options.workers * processes }
}
