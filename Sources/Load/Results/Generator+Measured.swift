import Results

extension LoadResults.Generator {
    init(_ description: LoadDescription, _ report: WorkerReport) {
        let counts = report.counts
        let time = Double(report.measured) * Double(description.workers)
        self.init(
            lateness: .init(report.lateness), late: counts.late, blocked: counts.blocked,
            dropped: counts.dropped, processorNanoseconds: report.processorTime,
            processorShare: time > 0 ? Double(report.processorTime) / time : 0,
            listenOverflows: description.listenOverflows, limits: [])
        limits = Self.limits(self, description, report)
    }

    private static func limits(
        _ generator: Self, _ description: LoadDescription, _ report: WorkerReport
    ) -> [String] {
        var limits = report.troubles
        let counts = report.counts
        if generator.lateness.p99 > LoadResults.latenessMax {
            let milliseconds = generator.lateness.p99 / 1_000_000
            limits.append(
                "the load generator was the bottleneck: 1% of sends were more than "
                    + "\(milliseconds) ms late")
        }
        if description.startLateness > LoadResults.startLatenessMax {
            let tenths = description.startLateness / 100_000_000
            limits.append(
                "the load test began \(tenths / 10).\(tenths % 10) s after the agreed time, because its "
                    + "operators had not joined their rooms by then")
        }
        if let rate = description.rate, rate > 0, report.measured > 0 {
            let percent = Double(counts.sent) * 1e11 / Double(report.measured) / rate
            // A short load test has few arrivals, and chance decides whether the last one still
            // counts.
            let expected = rate * Double(report.measured) / 1e9
            let missing = expected - Double(counts.sent)
            if percent < LoadResults.ratePercentMin, missing > chance(of: expected, description) {
                limits.append("only \(Int(percent))% of the requested rate was achieved")
            }
        }
        if generator.processorShare > LoadResults.processorShareMax,
            case .open = description.plan.model
        {
            limits.append(
                "the generator ran out of CPU: add --workers or --processes")
        }
        if counts.dropped > 0 {
            limits.append("\(counts.dropped) sends were dropped because socket buffers were full")
        }
        if counts.unconnectedHere > 0 {
            limits.append(
                "\(counts.unconnectedHere) operators could not connect: this machine ran out of ports, file descriptors or memory"
            )
        }
        return limits
    }

    /// Returns the number of arrivals that may be missing by chance: four standard deviations for
    /// random arrivals.
    private static func chance(of expected: Double, _ description: LoadDescription) -> Double {
        guard case .open(_, .poisson) = description.plan.model else { return 2 }
        return 4 * expected.squareRoot() + 2
    }
}
