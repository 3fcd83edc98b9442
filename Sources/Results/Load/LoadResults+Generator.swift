extension LoadResults {
    /// Performance of the load generator itself.
    package struct Generator: Sendable, Codable, Equatable {
        /// Delay between the scheduled and the actual send.
        package var lateness: LatencyDistribution
        /// Number of sends that were more than 10 ms late.
        package var late: UInt64
        package var blocked: UInt64
        package var dropped: UInt64
        package var processorNanoseconds: Int64
        /// Share of CPU time used during the measurement period. 1 means that every worker kept one
        /// core busy.
        package var processorShare: Double
        /// Number of connections that were dropped because the server's accept queue was full; nil
        /// if unknown.
        package var listenOverflows: UInt64?
        /// Reasons why the figures are unreliable; empty if they are reliable.
        package var limits: [String]

        package init(
            lateness: LatencyDistribution, late: UInt64, blocked: UInt64, dropped: UInt64,
            processorNanoseconds: Int64, processorShare: Double, listenOverflows: UInt64? = nil,
            limits: [String]
        ) {
            self.lateness = lateness
            self.late = late
            self.blocked = blocked
            self.dropped = dropped
            self.processorNanoseconds = processorNanoseconds
            self.processorShare = processorShare
            self.listenOverflows = listenOverflows
            self.limits = limits
        }
    }
}
