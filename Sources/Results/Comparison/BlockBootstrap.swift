import LineProtocol

/// A bootstrap that resamples the seconds of a load test in blocks.
///
/// Latencies within the same second share queues, garbage collections and hiccups, so they are not
/// independent samples. An interval that treats them as independent is far too narrow. Resampling
/// whole blocks preserves that dependence.
package struct BlockBootstrap: Sendable {
    /// Minimum number of blocks. With fewer blocks, the variation between them cannot be estimated.
    static let blocksMin = 10
    /// Maximum number of blocks. More blocks would take longer without improving the estimate.
    static let blocksMax = 60
    package static let draws = 500

    /// For each block, the indices of its values in `values`, each with its number of occurrences.
    private var blocks: [[(index: Int, count: UInt64)]] = []
    private var values: [UInt64] = []

    /// Divides the seconds of a load test into blocks. Returns nil if too few seconds have samples.
    init?(_ seconds: [LatencyHistogram]) {
        let filled = seconds.filter { $0.count > 0 }
        guard filled.count >= Self.blocksMin else { return nil }
        let count = min(filled.count, Self.blocksMax)
        let groups = (0..<count).map { number in
            filled[number * filled.count / count..<(number + 1) * filled.count / count]
                .reduce(into: [UInt64: UInt64]()) { sum, histogram in
                    for (value, count) in histogram.values { sum[value, default: 0] &+= count }
                }
        }
        values = Set(groups.flatMap(\.keys)).sorted()
        let indices = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($1, $0) })
        blocks = groups.map { group in
            group.compactMap { value, count in indices[value].map { ($0, count) } }
        }
    }

    /// Resamples the blocks `number` times. Returns, for each resample, the quantiles followed by
    /// the mean. `shares` are from 0 to 1.
    func draws(_ number: Int, _ shares: [Double], seed: UInt64) -> [[Double]] {
        var random = SeededRandom(seed: seed)
        return (0..<number).map { _ in
            var counts = [UInt64](repeating: 0, count: values.count)
            for _ in blocks.indices {
                for (index, count) in blocks[Int(random.next() % UInt64(blocks.count))] {
                    counts[index] &+= count
                }
            }
            let spread = SampleDistribution(zip(values, counts).map { ($0, $1) })
            let sum = zip(values, counts).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
            return shares.map(spread.quantile) + [sum / Double(max(spread.count, 1))]
        }
    }

    /// Returns the confidence interval of a figure's change between two load tests, given the
    /// figure's value in each resample. `confidence` is from 0 to 1.
    static func interval(
        from first: [Double], to second: [Double], confidence: Double
    ) -> Interval {
        let differences = zip(first, second).map { $1 - $0 }.sorted()
        guard !differences.isEmpty else { return Interval(low: 0, high: 0) }
        let last = Double(differences.count - 1)
        let tail = (1 - confidence) / 2
        return Interval(
            low: differences[Int((last * tail).rounded(.down))],
            high: differences[Int((last * (1 - tail)).rounded(.up))])
    }
}
