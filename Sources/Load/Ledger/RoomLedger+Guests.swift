/// Members that leave and return, and members that are never owed messages.
///
/// A reconnecting member is owed the messages sent while it was certainly in the room: from its
/// return until it starts to leave. Messages in flight when it leaves may or may not arrive. Older
/// messages that arrive after its return are ignored.
extension RoomLedger {
    /// Maximum number of messages recorded as possibly never sent because their sender's connection
    /// broke. Further messages count as lost.
    package static let excusableMax = 262_144

    /// A room member that leaves and returns.
    struct Guest: Sendable {
        /// For each sender, the sequence number of the first message owed since this member's
        /// return.
        var floors: [UInt32]
        /// For each sender, the sequence number below which late messages are ignored, because they
        /// may date from before this member's return.
        var lows: [UInt32]
        var isAway = false
        /// For each sender, the number of messages sent when this member started to return.
        var sentAtReturn: [UInt32] = []
    }

    /// Marks a member as never owed messages.
    package mutating func makeBystander(_ member: Int) {
        guard bystanders.insert(member).inserted else { return }
        excludeFromPresent()
    }

    /// Marks a present member as one that will leave and return.
    package mutating func makeGuest(_ member: Int) {
        guard guests[member] == nil else { return }
        excludeFromPresent()
        let none = [UInt32](repeating: 0, count: members)
        guests[member] = Guest(floors: none, lows: none)
    }

    /// Returns the sequence number of the first message that the pair's sender owes its recipient.
    func floor(_ pair: Int) -> UInt32 {
        guests.isEmpty ? 0 : guests[pair / members]?.floors[pair % members] ?? 0
    }

    /// Records that a member starts to leave. Messages in flight to it may or may not arrive.
    package mutating func depart(_ member: Int) {
        guard var guest = guests[member], !guest.isAway else { return }
        guest.isAway = true
        if !next.isEmpty {
            for sender in 0..<members where sender != member {
                let pair = member * members + sender
                let first = max(next[pair], guest.floors[sender])
                if sent[sender] > first { indefinite += UInt64(sent[sender] - first) }
            }
        }
        guests[member] = guest
    }

    /// Records that a member starts to return. Messages sent from now on may reach it.
    package mutating func startReturn(_ member: Int) { guests[member]?.sentAtReturn = sent }

    /// Records that a member has returned. It is owed the messages sent from now on.
    package mutating func finishReturn(_ member: Int) {
        guard var guest = guests[member], guest.isAway else { return }
        for sender in 0..<members where !next.isEmpty {
            let pair = member * members + sender
            keepGaps(pair)
            // Messages sent since the return started may still arrive, in order and at most once.
            // They are tracked as far back as the bitmap reaches.
            let oldest = sent[sender] - min(sent[sender], 63)
            next[pair] = max(
                next[pair], oldest, guest.sentAtReturn.isEmpty ? 0 : guest.sentAtReturn[sender])
            gaps[pair] = 0
            guest.lows[sender] = next[pair]
        }
        guest.floors = sent
        guest.isAway = false
        guest.sentAtReturn = []
        guests[member] = guest
    }

    /// Saves the gaps from before the departure. They count as lost messages, so they must survive
    /// the reset of the bitmap.
    private mutating func keepGaps(_ pair: Int) {
        guard gaps[pair] != 0 else { return }
        for back in 0..<64 where gaps[pair] >> UInt64(back) & 1 == 1 {
            remember(pair, next[pair] - 1 - UInt32(back))
        }
    }

    /// Returns the number of messages that `sender` owes to the member and that have not arrived.
    func owedToGuest(_ member: Int, _ sender: Int) -> UInt64 {
        guard let guest = guests[member] else { return 0 }
        let pair = member * members + sender
        let floor = guest.floors[sender]
        var missing = UInt64(oldGaps[pair]?.count ?? 0)
        for back in 0..<64 where gaps[pair] >> UInt64(back) & 1 == 1 {
            if next[pair] - 1 - UInt32(back) >= floor { missing += 1 }
        }
        let first = max(next[pair], floor)
        if !guest.isAway, sent[sender] > first { missing += UInt64(sent[sender] - first) }
        return missing
    }

    /// Records that a sender's connection broke. Its outstanding messages may never have been sent.
    package mutating func cutOff(_ sender: Int) {
        guard !next.isEmpty, sent[sender] > 0 else { return }
        for receiver in 0..<members
        where receiver != sender && !bystanders.contains(receiver)
            && guests[receiver]?.isAway != true
        {
            let pair = receiver * members + sender
            let first = max(next[pair], floor(pair))
            guard first < sent[sender] else { continue }
            for sequence in first..<sent[sender] where excusableCount < Self.excusableMax {
                if excusable[pair, default: []].insert(sequence).inserted { excusableCount += 1 }
            }
        }
    }
}
