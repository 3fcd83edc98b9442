extension LoadResults {
    /// Results for one second of the measurement period.
    package struct Second: Sendable, Codable, Equatable {
        package var second: Int
        package var sent: UInt64
        package var arrived: UInt64
        package var violations: UInt64
        package var latencies: [String: LatencyDistribution]

        package init(
            second: Int, sent: UInt64, arrived: UInt64, violations: UInt64,
            latencies: [String: LatencyDistribution]
        ) {
            self.second = second
            self.sent = sent
            self.arrived = arrived
            self.violations = violations
            self.latencies = latencies
        }
    }
}
