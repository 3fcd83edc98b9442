/// What each member of a room has received of each other: the next sequence number and a map of the placeholders
/// in the 64 before it. 12 bytes a pair.
package struct RoomLedger: Sendable {
    /// How many members it has; they are counted from 0.
    package let members: Int
    /// How many texts each member has sent.
    package private(set) var sent: [UInt32]
    var next: [UInt32] = []
    var placeholders: [UInt64] = []
    /// Whether there ever was a placeholder: until then nobody needs to look for one.
    private var hasHoles = false
    /// Holes that have left their map, by pair; kept apart because they are rare.
    private(set) var oldPlaceholders: [Int: Set<UInt32>] = [:]
    private var oldPlaceholderCount = 0
    /// How many texts of each member had been sent when a member left.
    private var leaves: [Int: [UInt32]] = [:]
    /// How many members are owed every text: those who have not left and are not set apart.
    package private(set) var present: Int
    /// Who is owed nothing, whatever it receives.
    var bystanders: Set<Int> = []
    /// Who comes and goes.
    var guests: [Int: Guest] = [:]
    /// Texts, by pair, that a sender who broke its connection may never have got rid of.
    var excusable: [Int: Set<UInt32>] = [:]
    var excusableCount = 0
    /// What did not arrive before a guest left.
    package var indefinite: UInt64 = 0

    /// Holes that are lost for good, being too many to remember.
    package private(set) var forgottenPlaceholders: UInt64 = 0

    /// The most old placeholders that a room remembers. A placeholder past them that is filled after all counts as a
    /// duplicate.
    package static let oldHolesMax = 65_536

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
        /// One of long before a guest came back, of which nothing is known any more.
        case bygone
    }

    /// The ledger of a room with so many members.
    package init(members: Int) {
        self.members = members
        present = members
        sent = [UInt32](repeating: 0, count: members)
    }

    /// Counts a text that a member sends, and gives its sequence number.
    package mutating func send(_ sender: Int) -> UInt32 {
        takeRoom()
        sent[sender] &+= 1
        return sent[sender] &- 1
    }

    /// A room in which nobody speaks takes no room.
    mutating func takeRoom() {
        guard next.isEmpty else { return }
        next = [UInt32](repeating: 0, count: members * members)
        placeholders = [UInt64](repeating: 0, count: members * members)
    }

    /// Counts a text that a member receives.
    package mutating func receive(_ receiver: Int, from sender: Int, _ sequence: UInt32) -> Delivery
    {
        guard sender < members, receiver < members, sequence < sent[sender] else { return .phantom }
        let pair = receiver &* members &+ sender
        let expected = next[pair]
        if sequence == expected {
            if hasHoles { shift(pair, by: 1) }
            next[pair] = expected &+ 1
            return .inOrder
        }
        if sequence > expected {
            let missing = sequence - expected
            shiftInHoles(pair, missing)
            next[pair] = sequence &+ 1
            return .ahead(missing: missing)
        }
        if !guests.isEmpty, let guest = guests[receiver], sequence < guest.lows[sender] {
            return .bygone
        }
        return fill(pair, sequence, expected) ? .late : .duplicate
    }

    /// Whether a member has received the text.
    package func has(_ receiver: Int, from sender: Int, _ sequence: UInt32) -> Bool {
        guard !next.isEmpty else { return false }
        let pair = receiver * members + sender
        guard sequence < next[pair] else { return false }
        let back = next[pair] - 1 - sequence
        if back < 64 { return placeholders[pair] >> UInt64(back) & 1 == 0 }
        return oldPlaceholders[pair]?.contains(sequence) != true
    }

    /// From now on nothing is owed to the member, and what was under way is nobody's fault.
    package mutating func leave(_ member: Int) {
        guard leaves[member] == nil else { return }
        depart(member)
        leaves[member] = sent
        if guests[member] == nil, !bystanders.contains(member) { present -= 1 }
    }

    /// From now on the member is not among those who are owed every text.
    mutating func setApart() { present -= 1 }

    /// Whether the member has left.
    package func hasLeft(_ member: Int) -> Bool { leaves[member] != nil }

    // MARK: Holes

    private mutating func shift(_ pair: Int, by count: UInt32) {
        let map = placeholders[pair]
        guard map != 0 else { return }
        for bit in 0..<min(count, 64) {
            // The oldest bits fall out first.
            let place = 63 - bit
            if map >> UInt64(place) & 1 == 1 { remember(pair, next[pair] - 1 - UInt32(place)) }
        }
        placeholders[pair] = count >= 64 ? 0 : map << UInt64(count)
    }

    private mutating func shiftInHoles(_ pair: Int, _ missing: UInt32) {
        let before = next[pair]
        hasHoles = true
        shift(pair, by: missing &+ 1)
        if missing < 63 {
            placeholders[pair] |= ((1 << UInt64(missing)) - 1) << 1
        } else {
            placeholders[pair] = ~0 << 1
            let kept: UInt32 = 63
            for sequence in before..<(before + missing - kept) { remember(pair, sequence) }
        }
    }

    mutating func remember(_ pair: Int, _ sequence: UInt32) {
        if !guests.isEmpty, sequence < floor(pair) { return }
        if !bystanders.isEmpty, bystanders.contains(pair / members) { return }
        if oldPlaceholderCount < Self.oldHolesMax {
            if oldPlaceholders[pair, default: []].insert(sequence).inserted {
                oldPlaceholderCount += 1
            }
        } else {
            forgottenPlaceholders += 1
        }
    }

    /// Whether a text that comes late was missing.
    private mutating func fill(_ pair: Int, _ sequence: UInt32, _ expected: UInt32) -> Bool {
        let back = expected - 1 - sequence
        guard back < 64 else {
            guard oldPlaceholders[pair]?.remove(sequence) != nil else { return false }
            oldPlaceholderCount -= 1
            return true
        }
        guard placeholders[pair] >> UInt64(back) & 1 == 1 else { return false }
        placeholders[pair] &= ~(1 << UInt64(back))
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
        guard !next.isEmpty, sent[sender] > 0, !bystanders.contains(receiver) else {
            return Owed()
        }
        let pair = receiver * members + sender
        if guests[receiver] != nil {
            let missing = owedToGuest(receiver, sender)
            return hasLeft(sender) ? Owed(indefinite: missing) : excused(pair, missing)
        }
        var missing: UInt64 = 0
        let until = leaves[receiver]?[sender] ?? sent[sender]
        if next[pair] < until { missing = UInt64(until - next[pair]) }
        missing += UInt64(placeholders[pair].nonzeroBitCount)
        missing += UInt64(oldPlaceholders[pair]?.count ?? 0)
        return hasLeft(receiver) || hasLeft(sender)
            ? Owed(indefinite: missing) : excused(pair, missing)
    }

    /// Of what is missing, that which the sender's broken connection may have taken with it is not lost.
    private func excused(_ pair: Int, _ missing: UInt64) -> Owed {
        guard missing > 0, let texts = excusable[pair] else { return Owed(lost: missing) }
        let (receiver, sender) = (pair / members, pair % members)
        let count = UInt64(
            texts.count { !has(receiver, from: sender, $0) && $0 >= floor(pair) })
        return Owed(lost: missing - min(count, missing), indefinite: min(count, missing))
    }

    /// The first text of `sender` that `receiver` has not got.
    package func firstMissing(to receiver: Int, from sender: Int) -> UInt32? {
        guard !next.isEmpty else { return nil }
        let pair = receiver * members + sender
        if let old = oldPlaceholders[pair]?.min() { return old }
        let floor = floor(pair)
        if placeholders[pair] != 0 {
            for back in (0..<64).reversed() where placeholders[pair] >> UInt64(back) & 1 == 1 {
                let sequence = next[pair] - 1 - UInt32(back)
                if sequence >= floor { return sequence }
            }
        }
        let tail = max(next[pair], floor)
        return tail < sent[sender] ? tail : nil
    }
}
