/// What is under way: one entry for each text and probe, from the send until all have it.
///
/// A text carries its place in this log, so that what belongs to it is found without searching. Entries
/// leave from the front once they are over; one that never will be over leaves when the log is full.
package struct MessageLog: Sendable {
    /// The most entries that are kept; past it the oldest is given up.
    package static let entriesMax = 1 << 21

    /// One text or probe.
    package struct Entry: Sendable {
        package var intended: Int64 = 0
        package var sent: Int64 = 0
        package var first: Int64 = 0
        package var median: Int64 = 0
        /// The operator's place in its worker.
        package var sender: Int32 = -1
        package var sequence: UInt32 = 0
        /// How many are to have it.
        package var owed: Int32 = 0
        /// How many have it.
        package var received: Int32 = 0
        /// The next probe of the same operator; 0 if there is none yet.
        package var following: UInt64 = 0
        package var action = LoadAction.probe
        package var isMeasured = false

        /// Whether nothing more is to come.
        package var isOver: Bool { received >= owed }

        /// One more has it.
        fileprivate mutating func noteArrival(at now: Int64) {
            received += 1
            if received == 1 { first = now }
            if received == (owed + 1) / 2 { median = now }
        }
    }

    private var ring: [Entry]
    /// The number of the oldest entry; 0 is no entry.
    package private(set) var first: UInt64 = 1
    /// The number that the next entry gets.
    package private(set) var end: UInt64 = 1
    /// How many are under way.
    package private(set) var open = 0
    /// How many were given up because the log was full.
    package private(set) var givenUp: UInt64 = 0

    /// An empty log.
    package init() { ring = [Entry](repeating: Entry(), count: 1024) }

    private func place(_ number: UInt64) -> Int { Int(number & UInt64(ring.count - 1)) }

    /// Adds an entry and gives its number.
    package mutating func append(_ entry: Entry) -> UInt64 {
        if end - first == UInt64(ring.count) { makeRoom() }
        let number = end
        ring[place(number)] = entry
        end += 1
        if !entry.isOver { open += 1 }
        return number
    }

    private mutating func makeRoom() {
        if ring.count < Self.entriesMax {
            var larger = [Entry](repeating: Entry(), count: ring.count * 2)
            for number in first..<end {
                larger[Int(number & UInt64(larger.count - 1))] = ring[place(number)]
            }
            ring = larger
        } else {
            if !ring[place(first)].isOver {
                open -= 1
                givenUp += 1
            }
            first += 1
        }
    }

    /// Whether the entry is still there.
    package func contains(_ number: UInt64) -> Bool { number >= first && number < end }

    /// The entry; it must be there.
    package subscript(number: UInt64) -> Entry {
        get { ring[place(number)] }
        set { ring[place(number)] = newValue }
    }

    /// Counts one more who has a text, and answers the entry as it is then; nil if there is no such text, or all
    /// have it.
    mutating func deliver(
        _ number: UInt64, _ sequence: UInt32, from sender: Int32, at now: Int64
    ) -> Entry? {
        guard contains(number) else { return nil }
        let at = place(number)
        guard ring[at].sequence == sequence, ring[at].sender == sender, !ring[at].isOver else {
            return nil
        }
        ring[at].noteArrival(at: now)
        let entry = ring[at]
        if entry.isOver { close() }
        return entry
    }

    /// Counts one more who has it, and says whether that was the last.
    package mutating func receive(_ number: UInt64) -> Bool {
        let at = place(number)
        ring[at].received += 1
        guard ring[at].received == ring[at].owed else { return false }
        close()
        return true
    }

    /// One less is to have it; says whether it is over by that.
    package mutating func owesOneLess(_ number: UInt64) -> Bool {
        let at = place(number)
        guard !ring[at].isOver else { return false }
        ring[at].owed -= 1
        guard ring[at].isOver else { return false }
        close()
        return true
    }

    /// Nobody is to have it any more.
    package mutating func abandon(_ number: UInt64) {
        let at = place(number)
        guard !ring[at].isOver else { return }
        ring[at].owed = ring[at].received
        close()
    }

    private mutating func close() {
        open -= 1
        while first < end, ring[place(first)].isOver { first += 1 }
    }
}

/// What an operator does.
package enum LoadAction: UInt8, Sendable, Hashable, CaseIterable {
    /// Says something to its room.
    case say
    /// Says something to one other.
    case relay
    /// Asks whether the server lives.
    case probe
    /// Keeps its session alive.
    case keepalive

    /// The behaviour of the dialect.
    package var name: String {
        switch self {
        case .say: "say"
        case .relay: "relay"
        case .probe: "probe"
        case .keepalive: "keepalive"
        }
    }
}
