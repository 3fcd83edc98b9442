/// Run and failure counts of a case that was repeated.
package struct FailureRate: Sendable, Hashable {
    package var runs: Int
    package var failures: Int

    package init(runs: Int, failures: Int) {
        self.runs = runs
        self.failures = failures
    }

    /// Fraction of the runs that failed, from 0 to 1.
    package var share: Double { runs == 0 ? 0 : Double(failures) / Double(runs) }

    /// The 95% confidence interval of the failure rate (Wilson score).
    package var interval: ClosedRange<Double> {
        guard runs > 0 else { return 0...1 }
        let (count, z) = (Double(runs), 1.96)
        let middle = share + z * z / (2 * count)
        let spread = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        let scale = 1 + z * z / count
        return max(0, (middle - spread) / scale)...min(1, (middle + spread) / scale)
    }
}

extension FailureRate: Codable {
    private enum Key: String, CodingKey {
        case runs, failures, low, high
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            runs: try container.decode(Int.self, forKey: .runs),
            failures: try container.decode(Int.self, forKey: .failures))
    }

    /// Encodes the members and, for other tools, the interval. The interval is ignored when
    /// decoding.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(runs, forKey: .runs)
        try container.encode(failures, forKey: .failures)
        try container.encode(interval.lowerBound, forKey: .low)
        try container.encode(interval.upperBound, forKey: .high)
    }
}
