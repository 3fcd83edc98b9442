/// A record of which messages each room member has received from every other member. For each pair
/// of members, it stores the next expected sequence number and a bitmap of the gaps among the last
/// 64 messages, in 12 bytes.
package struct RoomLedger: Sendable {
    /// Number of members, numbered from 0.
    package let members: Int
    /// Number of messages sent by each member.
    package private(set) var sent: [UInt32]
    var next: [UInt32] = []
    var gaps: [UInt64] = []
    /// True if there has ever been a gap. As long as there has been none, no bitmap is shifted.
    private var hasGaps = false
    /// Sequence numbers of missing messages that are too old for the bitmap, by pair of recipient
    /// and sender.
    private(set) var oldGaps: [Int: Set<UInt32>] = [:]
    private var oldGapCount = 0
    /// For each departed member, the number of messages that each member had sent before the
    /// departure.
    private var leaves: [Int: [UInt32]] = [:]
    /// Number of present members that are owed every message. Bystanders and reconnecting members
    /// are excluded.
    package private(set) var present: Int
    /// Members never owed messages.
    var bystanders: Set<Int> = []
    /// Members that leave and return.
    var guests: [Int: Guest] = [:]
    /// Messages that may never have been sent because the sender's connection broke, by pair of
    /// recipient and sender.
    var excusable: [Int: Set<UInt32>] = [:]
    var excusableCount = 0
    /// Number of messages that had not reached reconnecting members when they left.
    package var indefinite: UInt64 = 0

    /// Number of gaps that did not fit into ``oldGaps``; they count as lost.
    package private(set) var forgottenGaps: UInt64 = 0

    /// Maximum number of old gaps per room. A message that fills a gap beyond this limit counts as
    /// a duplicate.
    package static let oldGapsMax = 65_536

    /// Classification of a received message, based on the messages received before it.
    package enum Delivery: Sendable, Hashable {
        /// The expected message.
        case inOrder
        /// A message later in the sequence than expected; `missing` messages were skipped.
        case ahead(missing: UInt32)
        /// A skipped message that arrived after a later one.
        case late
        /// A message already received.
        case duplicate
        /// A message that was never sent.
        case phantom
        /// A message from before the member's return, too old to be tracked.
        case bygone
    }

    package init(members: Int) {
        self.members = members
        present = members
        sent = [UInt32](repeating: 0, count: members)
    }

    /// Counts a sent message and returns its sequence number.
    package mutating func send(_ sender: Int) -> UInt32 {
        allocateIfNeeded()
        sent[sender] &+= 1
        return sent[sender] &- 1
    }

    /// Allocates the arrays on first use, so that rooms without messages use no memory.
    mutating func allocateIfNeeded() {
        guard next.isEmpty else { return }
        next = [UInt32](repeating: 0, count: members * members)
        gaps = [UInt64](repeating: 0, count: members * members)
    }

    /// Counts a received message and classifies it.
    @inline(__always)
    package mutating func receive(_ receiver: Int, from sender: Int, _ sequence: UInt32) -> Delivery
    {
        guard sender < members, receiver < members, sequence < sent[sender] else { return .phantom }
        let pair = receiver &* members &+ sender
        guard sequence == next[pair], !hasGaps else {
            return classify(pair, from: sender, to: receiver, sequence)
        }
        next[pair] = sequence &+ 1
        return .inOrder
    }

    /// Counts and classifies a message that is not the next one, or that follows gaps.
    @inline(never)
    private mutating func classify(
        _ pair: Int, from sender: Int, to receiver: Int, _ sequence: UInt32
    ) -> Delivery {
        let expected = next[pair]
        if sequence == expected {
            shift(pair, by: 1)
            next[pair] = expected &+ 1
            return .inOrder
        }
        if sequence > expected {
            let missing = sequence - expected
            shiftInGaps(pair, missing)
            next[pair] = sequence &+ 1
            return .ahead(missing: missing)
        }
        if !guests.isEmpty, let guest = guests[receiver], sequence < guest.lows[sender] {
            return .bygone
        }
        return fill(pair, sequence, expected) ? .late : .duplicate
    }

    package func has(_ receiver: Int, from sender: Int, _ sequence: UInt32) -> Bool {
        guard !next.isEmpty else { return false }
        let pair = receiver * members + sender
        guard sequence < next[pair] else { return false }
        let back = next[pair] - 1 - sequence
        if back < 64 { return gaps[pair] >> UInt64(back) & 1 == 0 }
        return oldGaps[pair]?.contains(sequence) != true
    }

    /// Records that a member left for good. It is owed nothing more, and messages in flight may or
    /// may not arrive.
    package mutating func leave(_ member: Int) {
        guard leaves[member] == nil else { return }
        depart(member)
        leaves[member] = sent
        if guests[member] == nil, !bystanders.contains(member) { present -= 1 }
    }

    /// Excludes a member from ``present``.
    mutating func excludeFromPresent() { present -= 1 }

    package func hasLeft(_ member: Int) -> Bool { leaves[member] != nil }

    // MARK: Gaps

    private mutating func shift(_ pair: Int, by count: UInt32) {
        let map = gaps[pair]
        guard map != 0 else { return }
        for bit in 0..<min(count, 64) {
            // The oldest bits are shifted out first.
            let age = 63 - bit
            if map >> UInt64(age) & 1 == 1 { remember(pair, next[pair] - 1 - UInt32(age)) }
        }
        gaps[pair] = count >= 64 ? 0 : map << UInt64(count)
    }

    private mutating func shiftInGaps(_ pair: Int, _ missing: UInt32) {
        let before = next[pair]
        hasGaps = true
        shift(pair, by: missing &+ 1)
        if missing < 63 {
            gaps[pair] |= ((1 << UInt64(missing)) - 1) << 1
        } else {
            gaps[pair] = ~0 << 1
            let kept: UInt32 = 63
            for sequence in before..<(before + missing - kept) { remember(pair, sequence) }
        }
    }

    mutating func remember(_ pair: Int, _ sequence: UInt32) {
        if !guests.isEmpty, sequence < floor(pair) { return }
        if !bystanders.isEmpty, bystanders.contains(pair / members) { return }
        if oldGapCount < Self.oldGapsMax {
            if oldGaps[pair, default: []].insert(sequence).inserted {
                oldGapCount += 1
            }
        } else {
            forgottenGaps += 1
        }
    }

    /// Fills the gap left by a late message. Returns false if there was no gap.
    private mutating func fill(_ pair: Int, _ sequence: UInt32, _ expected: UInt32) -> Bool {
        let back = expected - 1 - sequence
        guard back < 64 else {
            guard oldGaps[pair]?.remove(sequence) != nil else { return false }
            oldGapCount -= 1
            return true
        }
        guard gaps[pair] >> UInt64(back) & 1 == 1 else { return false }
        gaps[pair] &= ~(1 << UInt64(back))
        return true
    }

    // MARK: Missing messages

    /// Numbers of messages still missing at the end, by reason.
    package struct Owed: Sendable, Hashable {
        /// Number of messages that should have arrived.
        package var lost: UInt64 = 0
        /// Number of messages missing because the sender or the recipient lost its connection.
        package var indefinite: UInt64 = 0
    }

    /// Returns the number of messages from `sender` that `receiver` has not received, by reason.
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
        missing += UInt64(gaps[pair].nonzeroBitCount)
        missing += UInt64(oldGaps[pair]?.count ?? 0)
        return hasLeft(receiver) || hasLeft(sender)
            ? Owed(indefinite: missing) : excused(pair, missing)
    }

    /// Divides missing messages into lost messages and those that a broken connection may explain.
    private func excused(_ pair: Int, _ missing: UInt64) -> Owed {
        guard missing > 0, let texts = excusable[pair] else { return Owed(lost: missing) }
        let (receiver, sender) = (pair / members, pair % members)
        let count = UInt64(
            texts.count { !has(receiver, from: sender, $0) && $0 >= floor(pair) })
        return Owed(lost: missing - min(count, missing), indefinite: min(count, missing))
    }

    /// Returns the sequence number of the first message from `sender` that `receiver` has not
    /// received; nil if there is none.
    package func firstMissing(to receiver: Int, from sender: Int) -> UInt32? {
        guard !next.isEmpty else { return nil }
        let pair = receiver * members + sender
        if let old = oldGaps[pair]?.min() { return old }
        let floor = floor(pair)
        if gaps[pair] != 0 {
            for back in (0..<64).reversed() where gaps[pair] >> UInt64(back) & 1 == 1 {
                let sequence = next[pair] - 1 - UInt32(back)
                if sequence >= floor { return sequence }
            }
        }
        let tail = max(next[pair], floor)
        return tail < sent[sender] ? tail : nil
    }
}
