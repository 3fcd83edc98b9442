/// The rooms of one worker, and the indices of their members among the worker's operators.
struct RoomTable {
    /// The rooms, by index within the load test.
    let rooms: Range<Int>
    /// Number of the first operator within the load test.
    let firstOperator: Int
    /// Index of each room's first member.
    private var starts: [Int]
    /// Number of members of each room.
    private let sizes: [Int]
    /// The member that each operator relays to; empty if every operator relays to the next member.
    private var partners: [Int32] = []

    init(_ layout: RoomLayout, worker: Int, of workers: Int) {
        let rooms = layout.rooms(worker: worker, of: workers)
        let first = rooms.isEmpty ? 0 : layout.members(rooms.lowerBound).lowerBound
        self.rooms = rooms
        firstOperator = first
        starts = rooms.map { layout.members($0).lowerBound - first }
        sizes = rooms.map { layout.members($0).count }
    }

    func index(room: Int, member: Int) -> Int { starts[room] + member }

    /// Returns the index within a room of the operator with a number, counted over the whole load
    /// test. If the operator is in another room, the index is outside the room's members.
    func member(numbered number: UInt32, ofRoom room: Int) -> Int {
        Int(number) - firstOperator - starts[room]
    }

    /// The indices of all members, ordered so that consecutive ones are in different rooms.
    var alternatingRooms: [Int32] {
        (0..<(sizes.max() ?? 0)).flatMap { member in
            sizes.indices.lazy.filter { member < sizes[$0] }.map { Int32(starts[$0] + member) }
        }
    }

    /// Returns the member that a member relays to.
    func partner(of member: Int, room: Int) -> Int {
        guard partners.isEmpty else { return Int(partners[starts[room] + member]) }
        return member + 1 == sizes[room] ? 0 : member + 1
    }

    /// Assigns each operator the next ordinary member of its room as the recipient of its private
    /// messages, or the operator itself if there is no other ordinary member.
    mutating func choosePartners(_ operators: [OperatorState]) {
        partners = operators.map { state in
            let room = Int(state.room)
            for step in 1..<max(sizes[room], 2) {
                let other = (Int(state.member) + step) % sizes[room]
                if operators[starts[room] + other].role == .ordinary { return Int32(other) }
            }
            return state.member
        }
    }
}
