/// Live counters of a running load test.
package struct LoadSnapshot: Sendable, Hashable, Codable {
    package var connected = 0
    package var ready = 0
    package var failed = 0
    package var sent: UInt64 = 0
    package var arrived: UInt64 = 0
    package var violations: UInt64 = 0
    package var open = 0
    /// Number of misbehaving operators' connections closed by the server.
    package var disconnected: UInt64 = 0
    package var kinds: [Violation.Kind: UInt64] = [:]

    package init() {}

    /// Adds the counters of another worker.
    package mutating func add(_ other: LoadSnapshot) {
        connected += other.connected
        ready += other.ready
        failed += other.failed
        sent += other.sent
        arrived += other.arrived
        violations += other.violations
        open += other.open
        disconnected += other.disconnected
        kinds.merge(other.kinds) { $0 + $1 }
    }
}

/// Live counters for one second of a load test.
package struct LoadSecond: Sendable, Codable {
    package var sent: UInt64 = 0
    package var arrived: UInt64 = 0
    package var violations: UInt64 = 0
    package var latencies: [LatencyMetric: LatencyHistogram] = [:]

    package init() {}

    /// Adds the counters of another worker.
    package mutating func merge(_ other: LoadSecond) {
        sent += other.sent
        arrived += other.arrived
        violations += other.violations
        for (metric, histogram) in other.latencies {
            latencies[metric, default: LatencyHistogram()].merge(histogram)
        }
    }
}
