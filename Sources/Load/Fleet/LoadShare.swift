/// Which part of a load one of several generators makes: of the rooms its even share, of the arrivals a those
/// with a mod count = index. Operators keep the numbers that they would have in the whole, so that no name, room
/// or text is there twice.
package struct LoadShare: Sendable, Hashable, Codable {
    /// Counted from 0.
    package let index: Int
    package let count: Int

    /// All of it, unless said otherwise.
    package init(index: Int = 0, count: Int = 1) {
        self.index = index
        self.count = max(count, 1)
    }

    /// The part of this part that one of several makes.
    package func part(_ part: Int, of parts: Int) -> LoadShare {
        LoadShare(index: index * parts + part, count: count * parts)
    }

    /// Whether it is all.
    package var isAll: Bool { count == 1 }
}

extension RoomLayout {
    /// The rooms of a share.
    package func rooms(_ share: LoadShare) -> Range<Int> {
        rooms(worker: share.index, of: share.count)
    }

    /// The operators of a share, by their numbers in the whole.
    package func operators(_ share: LoadShare) -> Range<Int> {
        let rooms = rooms(share)
        if rooms.isEmpty { return 0..<0 }
        return members(rooms.lowerBound).lowerBound..<members(rooms.upperBound - 1).upperBound
    }
}
