extension LoadResults {
    /// Latencies of one metric.
    package struct Latency: Sendable, Codable, Equatable {
        package var metric: String
        /// The commands that were timed, such as `ping → ponged`; nil if unknown.
        package var command: String?
        /// Latency measured from the scheduled send.
        package var response: Distribution
        /// Latency measured from the actual send; nil if there is no schedule.
        package var service: Distribution?

        private enum CodingKeys: String, CodingKey {
            case metric = "measure"
            case command, response, service
        }

        package init(
            metric: String, command: String? = nil, response: Distribution,
            service: Distribution? = nil
        ) {
            self.metric = metric
            self.command = command
            self.response = response
            self.service = service
        }
    }

    /// A latency distribution: key figures and the full histogram.
    package struct Distribution: Sendable, Codable, Equatable {
        package var count: UInt64
        package var min: UInt64
        package var mean: Double
        package var deviation: Double
        package var p50: UInt64
        package var p75: UInt64
        package var p90: UInt64
        package var p95: UInt64
        package var p99: UInt64
        package var p999: UInt64
        package var p9999: UInt64
        package var max: UInt64
        /// The histogram behind the figures, for merging.
        package var histogram: EncodedHistogram
    }
}
