/// What each member of a room has received of each other: the next sequence number and a map of the holes
/// in the 64 before it. 12 bytes a pair.
package struct RoomLedger: Sendable {
    /// How many members it has; they are counted from 0.
    package let members: Int
    /// How many texts each member has sent.
    package private(set) var sent: [UInt32]
    private var next: [UInt32] = []
    private var holes: [UInt64] = []
    /// Holes that have left their map; kept apart because they are rare.
    private var oldHoles: Set<OldHole> = []
    /// How many texts of each member had been sent when a member left.
    private var leaves: [Int: [UInt32]] = [:]

    /// Holes that are lost for good, being too many to remember.
    package private(set) var forgottenHoles: UInt64 = 0

    /// The most old holes that a room remembers. A hole past them that is filled after all counts as a
    /// duplicate.
    package static let oldHolesMax = 65_536

    private struct OldHole: Hashable {
        var pair: Int
        var sequence: UInt32
    }

    /// What a received text is.
    package enum Delivery: Sendable, Hashable {
        /// The next one.
        case inOrder
        /// One that leaves a gap before it, of so many.
        case ahead(missing: UInt32)
        /// One that was missing: it came after a later one.
        case late
        /// One that was there already.
        case duplicate
        /// One that was never sent.
        case phantom
    }

    /// The ledger of a room with so many members.
    package init(members: Int) {
        self.members = members
        sent = [UInt32](repeating: 0, count: members)
    }

    /// Counts a text that a member sends, and gives its sequence number.
    package mutating func send(_ sender: Int) -> UInt32 {
        if next.isEmpty {
            // A room in which nobody speaks takes no room.
            next = [UInt32](repeating: 0, count: members * members)
            holes = [UInt64](repeating: 0, count: members * members)
        }
        sent[sender] &+= 1
        return sent[sender] &- 1
    }

    /// Counts a text that a member receives.
    package mutating func receive(_ receiver: Int, from sender: Int, _ sequence: UInt32) -> Delivery
    {
        guard sender < members, receiver < members, sequence < sent[sender] else { return .phantom }
        let pair = receiver * members + sender
        let expected = next[pair]
        if sequence == expected {
            shift(pair, by: 1)
            next[pair] = expected &+ 1
            return .inOrder
        }
        if sequence > expected {
            let missing = sequence - expected
            shiftInHoles(pair, missing)
            next[pair] = sequence &+ 1
            return .ahead(missing: missing)
        }
        return fill(pair, sequence, expected) ? .late : .duplicate
    }

    /// Whether a member has received the text.
    package func has(_ receiver: Int, from sender: Int, _ sequence: UInt32) -> Bool {
        guard !next.isEmpty else { return false }
        let pair = receiver * members + sender
        guard sequence < next[pair] else { return false }
        let back = next[pair] - 1 - sequence
        if back < 64 { return holes[pair] >> UInt64(back) & 1 == 0 }
        return !oldHoles.contains(OldHole(pair: pair, sequence: sequence))
    }

    /// From now on nothing is owed to the member, and what was under way is nobody's fault.
    package mutating func leave(_ member: Int) {
        if leaves[member] == nil { leaves[member] = sent }
    }

    /// How many members have not left.
    package var present: Int { members - leaves.count }

    /// Whether the member has left.
    package func hasLeft(_ member: Int) -> Bool { leaves[member] != nil }

    // MARK: Holes

    private mutating func shift(_ pair: Int, by count: UInt32) {
        let map = holes[pair]
        guard map != 0 else { return }
        for bit in 0..<min(count, 64) {
            // The oldest bits fall out first.
            let place = 63 - bit
            if map >> UInt64(place) & 1 == 1 { remember(pair, next[pair] - 1 - UInt32(place)) }
        }
        holes[pair] = count >= 64 ? 0 : map << UInt64(count)
    }

    private mutating func shiftInHoles(_ pair: Int, _ missing: UInt32) {
        let before = next[pair]
        shift(pair, by: missing &+ 1)
        if missing < 63 {
            holes[pair] |= ((1 << UInt64(missing)) - 1) << 1
        } else {
            holes[pair] = ~0 << 1
            let kept: UInt32 = 63
            for sequence in before..<(before + missing - kept) { remember(pair, sequence) }
        }
    }

    private mutating func remember(_ pair: Int, _ sequence: UInt32) {
        if oldHoles.count < Self.oldHolesMax {
            oldHoles.insert(OldHole(pair: pair, sequence: sequence))
        } else {
            forgottenHoles += 1
        }
    }

    /// Whether a text that comes late was missing.
    private mutating func fill(_ pair: Int, _ sequence: UInt32, _ expected: UInt32) -> Bool {
        let back = expected - 1 - sequence
        guard back < 64 else {
            return oldHoles.remove(OldHole(pair: pair, sequence: sequence)) != nil
        }
        guard holes[pair] >> UInt64(back) & 1 == 1 else { return false }
        holes[pair] &= ~(1 << UInt64(back))
        return true
    }

    // MARK: The end

    /// What is still owed at the end.
    package struct Owed: Sendable, Hashable {
        /// What has not arrived and should have.
        package var lost: UInt64 = 0
        /// What has not arrived because one of the two had lost its connection.
        package var indefinite: UInt64 = 0
    }

    /// The texts of `sender` that `receiver` has not got.
    package func owed(to receiver: Int, from sender: Int) -> Owed {
        guard !next.isEmpty, sent[sender] > 0 else { return Owed() }
        let pair = receiver * members + sender
        var missing: UInt64 = 0
        let until = leaves[receiver]?[sender] ?? sent[sender]
        if next[pair] < until { missing = UInt64(until - next[pair]) }
        missing += UInt64(holes[pair].nonzeroBitCount)
        if !oldHoles.isEmpty { missing += UInt64(oldHoles.count { $0.pair == pair }) }
        return hasLeft(receiver) || hasLeft(sender)
            ? Owed(indefinite: missing) : Owed(lost: missing)
    }

    /// The first text of `sender` that `receiver` has not got.
    package func firstMissing(to receiver: Int, from sender: Int) -> UInt32? {
        guard !next.isEmpty else { return nil }
        let pair = receiver * members + sender
        let old = oldHoles.filter { $0.pair == pair }.map(\.sequence).min()
        if let old { return old }
        if holes[pair] != 0 {
            let back = UInt32(63 - holes[pair].leadingZeroBitCount)
            return next[pair] - 1 - back
        }
        return next[pair] < sent[sender] ? next[pair] : nil
    }
}
