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
        /// The base64-encoded histogram in HdrHistogram's V2 format, for merging.
        package var histogram: String

        package init(
            count: UInt64, min: UInt64, mean: Double, deviation: Double, p50: UInt64, p75: UInt64,
            p90: UInt64, p95: UInt64, p99: UInt64, p999: UInt64, p9999: UInt64, max: UInt64,
            histogram: String
        ) {
            self.count = count
            self.min = min
            self.mean = mean
            self.deviation = deviation
            self.p50 = p50
            self.p75 = p75
            self.p90 = p90
            self.p95 = p95
            self.p99 = p99
            self.p999 = p999
            self.p9999 = p9999
            self.max = max
            self.histogram = histogram
        }
    }
}
