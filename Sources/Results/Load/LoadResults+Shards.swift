extension LoadResults {
    /// The shards of a load test that the results include.
    package struct Shards: Sendable, Codable, Equatable {
        package static let countMax = 10_000

        /// Total number of shards.
        package var count: Int
        /// Indices of the included shards, starting at 0, in ascending order.
        package var indices: [Int]
        /// Run number that all shards of the load test share.
        package var run: UInt32
        /// Name of the launcher, such as Slurm, whose environment variables determined the shard; nil
        /// if the shard was given as an option.
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

        /// True if the results cover only one of several shards.
        package var isOneAlone: Bool { count > 1 && indices.count == 1 }
    }
}
