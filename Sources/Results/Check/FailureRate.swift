/// Failure rate of a case that was repeated.
package struct FailureRate: Sendable, Hashable {
    /// Number of runs.
    package var plays: Int
    /// Number of failed runs.
    package var failures: Int

    package init(plays: Int, failures: Int) {
        self.plays = plays
        self.failures = failures
    }

    /// The share of failed runs, from 0 to 1.
    package var share: Double { plays == 0 ? 0 : Double(failures) / Double(plays) }

    /// The 95 % confidence interval of the failure rate (Wilson score).
    package var interval: ClosedRange<Double> {
        guard plays > 0 else { return 0...1 }
        let (count, z) = (Double(plays), 1.96)
        let middle = share + z * z / (2 * count)
        let spread = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        let scale = 1 + z * z / count
        return max(0, (middle - spread) / scale)...min(1, (middle + spread) / scale)
    }
}

extension FailureRate: Codable {
    private enum Key: String, CodingKey { case plays, failures, low, high }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            plays: try container.decode(Int.self, forKey: .plays),
            failures: try container.decode(Int.self, forKey: .failures))
    }

    /// Also encodes the interval, which is not decoded.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(plays, forKey: .plays)
        try container.encode(failures, forKey: .failures)
        try container.encode(interval.lowerBound, forKey: .low)
        try container.encode(interval.upperBound, forKey: .high)
    }
}
