import Results

/// Phrases about the deliveries and answers of a load test.
extension LoadResults {
    /// How many deliveries arrived; nil if none was expected.
    var deliveriesText: String? {
        guard traffic.owed > 0 else { return nil }
        return "\(grouped(traffic.delivered)) of \(grouped(traffic.owed)) deliveries arrived"
            + verifiedPeriod
    }

    /// How many probes were answered; nil if none was.
    var answersText: String? {
        guard traffic.answered > 0 else { return nil }
        return "\(grouped(traffic.answered)) probes answered" + verifiedPeriod
    }

    /// The period to which these counts apply, as an addition in brackets; empty if it is the
    /// measurement period. Deliveries are verified from the first message on, even during the
    /// warm-up, which latencies and rates leave out.
    var verifiedPeriod: String {
        requested.warmupNanoseconds > 0 ? " (including the warm-up)" : ""
    }
}
