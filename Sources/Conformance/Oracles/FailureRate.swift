/// R: how often something failed when it was tried again by itself.
package struct FailureRate: Sendable, Hashable, Codable {
    /// How often it was played.
    package var plays: Int
    /// How often it failed.
    package var failures: Int

    /// A count from its parts.
    package init(plays: Int, failures: Int) {
        self.plays = plays
        self.failures = failures
    }

    /// The share of failures.
    package var share: Double { plays == 0 ? 0 : Double(failures) / Double(plays) }

    /// In what range the true share lies with 95 % (Wilson's interval).
    package var interval: ClosedRange<Double> {
        guard plays > 0 else { return 0...1 }
        let (count, z) = (Double(plays), 1.96)
        let middle = share + z * z / (2 * count)
        let spread = z * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        let scale = 1 + z * z / count
        return max(0, (middle - spread) / scale)...min(1, (middle + spread) / scale)
    }
}
