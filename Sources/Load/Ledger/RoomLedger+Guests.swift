/// Members that come and go, and members that are owed nothing: what is said of them is never more than can be
/// known.
///
/// A guest is owed what was sent while it was certainly there: from when it has entered until it begins to leave.
/// What was under way when it left is indefinite; what arrives of the time in which it came back is welcome, and
/// nothing more.
extension RoomLedger {
    /// The most texts that are remembered as perhaps cut off with their sender's connection; of a sender with more, the
    /// rest counts as lost.
    package static let excusableMax = 262_144

    /// One that comes and goes.
    struct Guest: Sendable {
        /// For each sender the first text that is owed since it came.
        var floors: [UInt32]
        /// For each sender the first text that can be told from one that came before.
        var lows: [UInt32]
        var isAway = false
        /// How many texts each sender had sent when it set out to come back.
        var setOut: [UInt32] = []
    }

    /// Nothing is ever owed to the member.
    package mutating func makeBystander(_ member: Int) {
        guard bystanders.insert(member).inserted else { return }
        setApart()
    }

    /// The member comes and goes; it is there for now.
    package mutating func makeGuest(_ member: Int) {
        guard guests[member] == nil else { return }
        setApart()
        let none = [UInt32](repeating: 0, count: members)
        guests[member] = Guest(floors: none, lows: none)
    }

    /// The first text of a pair that is owed.
    func floor(_ pair: Int) -> UInt32 {
        guests.isEmpty ? 0 : guests[pair / members]?.floors[pair % members] ?? 0
    }

    /// A guest leaves: what was under way to it is nobody's fault.
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

    /// A guest begins to come back: what is sent from now on may reach it.
    package mutating func setOut(_ member: Int) { guests[member]?.setOut = sent }

    /// A guest is back: all that is sent from now on is owed to it.
    package mutating func comeBack(_ member: Int) {
        guard var guest = guests[member], guest.isAway else { return }
        for sender in 0..<members where !next.isEmpty {
            let pair = member * members + sender
            keepHoles(pair)
            // What was sent meanwhile may still arrive, once and in order, as far back as the map goes.
            let least = sent[sender] - min(sent[sender], 63)
            next[pair] = max(next[pair], least, guest.setOut.isEmpty ? 0 : guest.setOut[sender])
            placeholders[pair] = 0
            guest.lows[sender] = next[pair]
        }
        guest.floors = sent
        guest.isAway = false
        guest.setOut = []
        guests[member] = guest
    }

    /// Holes of before the leave are losses, and must outlive the map.
    private mutating func keepHoles(_ pair: Int) {
        guard placeholders[pair] != 0 else { return }
        for back in 0..<64 where placeholders[pair] >> UInt64(back) & 1 == 1 {
            remember(pair, next[pair] - 1 - UInt32(back))
        }
    }

    /// What a guest is owed and has not got.
    func owedToGuest(_ member: Int, _ sender: Int) -> UInt64 {
        guard let guest = guests[member] else { return 0 }
        let pair = member * members + sender
        let floor = guest.floors[sender]
        var missing = UInt64(oldPlaceholders[pair]?.count ?? 0)
        for back in 0..<64 where placeholders[pair] >> UInt64(back) & 1 == 1 {
            if next[pair] - 1 - UInt32(back) >= floor { missing += 1 }
        }
        let first = max(next[pair], floor)
        if !guest.isAway, sent[sender] > first { missing += UInt64(sent[sender] - first) }
        return missing
    }

    /// A sender has broken its connection: what has not arrived of it by now may never have left.
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
