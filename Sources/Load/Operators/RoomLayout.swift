/// Assignment of operators to rooms. Room sizes differ by at most one, and the members of a room
/// have consecutive numbers.
package struct RoomLayout: Sendable, Hashable {
    /// Maximum room size. A room's ledger uses 12 bytes per pair of members.
    package static let roomSizeMax = 4096

    package let operators: Int
    package let rooms: Int

    /// Creates a layout with rooms of about `size` members.
    package init(operators: Int, size: Int) {
        self.operators = operators
        rooms = max(1, operators / max(1, size))
    }

    package func members(_ room: Int) -> Range<Int> {
        start(room)..<start(room + 1)
    }

    package func rooms(worker: Int, of workers: Int) -> Range<Int> {
        worker * rooms / workers..<(worker + 1) * rooms / workers
    }

    private func start(_ room: Int) -> Int { room * operators / rooms }
}

extension RoomLayout {
    package func rooms(_ share: LoadShare) -> Range<Int> {
        rooms(worker: share.index, of: share.count)
    }

    /// Returns the numbers of a share's operators within the whole load test.
    package func operators(_ share: LoadShare) -> Range<Int> {
        let rooms = rooms(share)
        if rooms.isEmpty { return 0..<0 }
        return members(rooms.lowerBound).lowerBound..<members(rooms.upperBound - 1).upperBound
    }
}
