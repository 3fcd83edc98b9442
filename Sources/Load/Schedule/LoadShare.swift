/// One generator's part of a load test: an even share of the rooms, and the arrivals whose number
/// modulo `count` is `index`. Operators keep their numbers from the whole load test, so names,
/// rooms and messages are unique across generators.
package struct LoadShare: Sendable, Hashable, Codable {
    /// Index of the part, starting at 0.
    package let index: Int
    package let count: Int

    /// Creates a share, by default of the whole load test.
    package init(index: Int = 0, count: Int = 1) {
        self.index = index
        self.count = max(count, 1)
    }

    /// Returns part `part` of this share when it is divided into `parts` equal parts.
    package func part(_ part: Int, of parts: Int) -> LoadShare {
        LoadShare(index: index * parts + part, count: count * parts)
    }

    package var isAll: Bool { count == 1 }
}
