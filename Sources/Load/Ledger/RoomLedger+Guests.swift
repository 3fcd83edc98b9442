/// Members that leave and return, and members that are owed nothing.
///
/// A reconnecting member is owed what was sent while it was certainly in the room: from its return
/// until it starts to leave. Messages in flight when it left are undecided; older ones that still
/// arrive are accepted and ignored.
extension RoomLedger {
    /// Maximum number of messages remembered as possibly lost with their sender's connection;
    /// beyond it they count as lost.
    package static let excusableMax = 262_144

    /// A member that leaves and returns.
    struct Guest: Sendable {
        /// Per sender: first sequence number owed since it returned.
        var floors: [UInt32]
        /// Per sender: first sequence number that cannot be from before it left.
        var lows: [UInt32]
        var isAway = false
        /// Per sender: messages sent when it started to return.
        var sentAtReturn: [UInt32] = []
    }

    /// Marks a member that is never owed anything.
    package mutating func makeBystander(_ member: Int) {
        guard bystanders.insert(member).inserted else { return }
        setApart()
    }

    /// Marks a member, currently present, that leaves and returns.
    package mutating func makeGuest(_ member: Int) {
        guard guests[member] == nil else { return }
        setApart()
        let none = [UInt32](repeating: 0, count: members)
        guests[member] = Guest(floors: none, lows: none)
    }

    /// First sequence number owed for a pair.
    func floor(_ pair: Int) -> UInt32 {
        guests.isEmpty ? 0 : guests[pair / members]?.floors[pair % members] ?? 0
    }

    /// The member leaves; messages in flight to it are undecided.
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

    /// The member starts to return; messages sent from now on may reach it.
    package mutating func startReturn(_ member: Int) { guests[member]?.sentAtReturn = sent }

    /// The member has returned; messages sent from now on are owed to it.
    package mutating func finishReturn(_ member: Int) {
        guard var guest = guests[member], guest.isAway else { return }
        for sender in 0..<members where !next.isEmpty {
            let pair = member * members + sender
            keepGaps(pair)
            // Messages sent in the meantime may still arrive, once and in order, as far back as the
            // map reaches.
            let least = sent[sender] - min(sent[sender], 63)
            next[pair] = max(
                next[pair], least, guest.sentAtReturn.isEmpty ? 0 : guest.sentAtReturn[sender])
            gaps[pair] = 0
            guest.lows[sender] = next[pair]
        }
        guest.floors = sent
        guest.isAway = false
        guest.sentAtReturn = []
        guests[member] = guest
    }

    /// Keeps the gaps from before the member left: they are losses and must outlive the map.
    private mutating func keepGaps(_ pair: Int) {
        guard gaps[pair] != 0 else { return }
        for back in 0..<64 where gaps[pair] >> UInt64(back) & 1 == 1 {
            remember(pair, next[pair] - 1 - UInt32(back))
        }
    }

    /// Number of messages owed to the member and not received.
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

    /// The sender's connection broke: messages of it that have not arrived may never have been
    /// sent.
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
