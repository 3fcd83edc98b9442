extension LoadResults {
    /// The shards of a load that the results cover.
    package struct Shards: Sendable, Codable, Equatable {
        package static let countMax = 10_000

        /// Total number of shards.
        package var count: Int
        /// Indices of the shards that are included, from 0 and in ascending order.
        package var indices: [Int]
        /// ID that all shards of a load share.
        package var run: UInt32
        /// Where the shard number comes from, such as an environment variable; nil if it was given
        /// as an option.
        package var source: String?

        package init(count: Int, indices: [Int], run: UInt32, source: String? = nil) {
            self.count = count
            self.indices = indices
            self.run = run
            self.source = source
        }

        /// Indices of the missing shards.
        package var missing: [Int] {
            let here = Set(indices)
            return (0..<min(max(count, 0), Shards.countMax)).filter { !here.contains($0) }
        }

        /// True if this is only one of several shards.
        package var isOneAlone: Bool { count > 1 && indices.count == 1 }
    }
}
