/// One generator's part of a load: an even share of the rooms, and the arrivals whose number modulo
/// `count` is `index`. Operators keep the numbers that they have in the whole load, so names, rooms
/// and message texts are unique across generators.
package struct LoadShare: Sendable, Hashable, Codable {
    /// Index of the part, from 0.
    package let index: Int
    package let count: Int

    /// Creates a share; by default the whole load.
    package init(index: Int = 0, count: Int = 1) {
        self.index = index
        self.count = max(count, 1)
    }

    /// Returns part `part` of `parts` of this share.
    package func part(_ part: Int, of parts: Int) -> LoadShare {
        LoadShare(index: index * parts + part, count: count * parts)
    }

    package var isAll: Bool { count == 1 }
}
