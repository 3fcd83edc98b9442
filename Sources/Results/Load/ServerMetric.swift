/// A metric of the server that was read from its Prometheus endpoint during a load test.
package struct ServerMetric: Sendable, Codable, Equatable {
    package var name: String
    /// URL of the endpoint.
    package var source: String
    /// True if the metric is a counter. The values are then its growth per second.
    package var isCounter: Bool
    package var samples: [ServerMetricSample]
    /// Number of times that the metric could not be read.
    package var missed: Int

    package init(
        name: String, source: String, isCounter: Bool = false, samples: [ServerMetricSample] = [],
        missed: Int = 0
    ) {
        self.name = name
        self.source = source
        self.isCounter = isCounter
        self.samples = samples
        self.missed = missed
    }
}

/// A value of a metric at a time.
package struct ServerMetricSample: Sendable, Codable, Equatable {
    /// Time since the start of the measurement period; negative before it.
    package var timeNanoseconds: Int64
    package var value: Double

    package init(timeNanoseconds: Int64, value: Double) {
        self.timeNanoseconds = timeNanoseconds
        self.value = value
    }
}
