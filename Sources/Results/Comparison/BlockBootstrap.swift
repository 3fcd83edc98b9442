import LineProtocol

/// Resamples a load in blocks of consecutive seconds.
///
/// Times of one second have the same queue, collection or hiccup behind them: they are no independent samples,
/// and an interval that takes them for such is far too narrow. Whole seconds are drawn instead, with what is
/// in them.
package struct BlockBootstrap: Sendable {
    /// Fewer blocks say too little about how seconds differ.
    static let blocksMin = 10
    /// More cost time and tell nothing more.
    static let blocksMax = 60
    /// How many samples are drawn where no other number is given.
    package static let draws = 500

    /// Of each block, the places among `values` and how often each occurs.
    private var blocks: [[(place: Int, count: UInt64)]] = []
    private var values: [UInt64] = []

    /// The blocks of a load's seconds; nil where they are too few.
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
        let places = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($1, $0) })
        blocks = groups.map { group in
            group.compactMap { value, count in places[value].map { ($0, count) } }
        }
    }

    /// The quantiles (shares from 0 to 1) of each draw; after them the mean.
    func draws(_ number: Int, _ shares: [Double], seed: UInt64) -> [[Double]] {
        var random = SeededRandom(seed: seed)
        return (0..<number).map { _ in
            var counts = [UInt64](repeating: 0, count: values.count)
            for _ in blocks.indices {
                for (place, count) in blocks[Int(random.next() % UInt64(blocks.count))] {
                    counts[place] &+= count
                }
            }
            let spread = Spread(zip(values, counts).map { ($0, $1) })
            let sum = zip(values, counts).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
            return shares.map(spread.quantile) + [sum / Double(max(spread.count, 1))]
        }
    }

    /// The interval in which the difference lies, of draws of two loads; `confidence` from 0 to 1.
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
