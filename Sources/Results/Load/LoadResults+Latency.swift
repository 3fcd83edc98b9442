extension LoadResults {
    /// Latencies of one metric.
    package struct Latency: Sendable, Codable, Equatable {
        package var metric: String
        /// The commands that were timed, such as `ping → ponged`; nil if unknown.
        package var command: String?
        /// Latency measured from the scheduled send.
        package var response: LatencyDistribution
        /// Latency measured from the actual send; nil if there is no schedule.
        package var service: LatencyDistribution?

        private enum CodingKeys: String, CodingKey {
            case metric = "measure"
            case command, response, service
        }

        package init(
            metric: String, command: String? = nil, response: LatencyDistribution,
            service: LatencyDistribution? = nil
        ) {
            self.metric = metric
            self.command = command
            self.response = response
            self.service = service
        }
    }

}

extension [LoadResults.Latency] {
    /// Adds the latencies of another generator, by metric.
    mutating func add(_ others: Self) throws {
        for latency in others {
            guard let index = firstIndex(where: { $0.metric == latency.metric }) else {
                append(latency)
                continue
            }
            try self[index].response.add(latency.response)
            if let service = latency.service {
                try self[index].service?.add(service)
                self[index].service = self[index].service ?? service
            }
        }
        let order = LatencyMetric.allCases.map(\.name)
        sort {
            (order.firstIndex(of: $0.metric) ?? order.count)
                < (order.firstIndex(of: $1.metric) ?? order.count)
        }
    }
}
