/// Log of in-flight messages and probes. An entry is kept from the send until every recipient has
/// received the message.
///
/// Each message contains the number of its entry, so the entry is found without a search. Completed
/// entries are removed from the front. When the log is full, the oldest entry is dropped.
package struct SentMessageLog: Sendable {
    /// Maximum number of entries. When it is exceeded, the oldest entry is dropped.
    package static let entriesMax = 1 << 21
    /// Number of recent entries searched for those of a departing operator. Older ones count as in
    /// flight until the end.
    private static let searchedMax: UInt64 = 65_536

    /// An in-flight message or probe.
    package struct Entry: Sendable {
        package var intended: Int64 = 0
        package var sent: Int64 = 0
        package var first: Int64 = 0
        package var median: Int64 = 0
        /// Index of the sending operator in its worker.
        package var sender: Int32 = -1
        package var sequence: UInt32 = 0
        /// Number of recipients.
        package var owed: Int32 = 0
        /// Number of recipients that have received the message.
        package var received: Int32 = 0
        /// Number of the next probe from the same operator; 0 if there is none yet.
        package var following: UInt64 = 0
        package var action = LoadAction.probe
        package var isMeasured = false

        /// True if all recipients have received the message.
        package var isOver: Bool { received >= owed }

        /// Counts a delivery; returns nil if the entry is complete or for another message.
        @inline(__always)
        fileprivate mutating func deliver(
            _ sequence: UInt32, from sender: Int32, at now: Int64
        ) -> DeliveredMessage? {
            guard self.sequence == sequence, self.sender == sender, !isOver else { return nil }
            received &+= 1
            if received == 1 { first = now }
            if received == (owed &+ 1) >> 1 { median = now }
            return DeliveredMessage(
                intended: intended, sent: sent, action: action, isMeasured: isMeasured,
                isOver: isOver)
        }
    }

    private var ring: [Entry]
    /// Number of the oldest entry in the log. Numbers start at 1.
    package private(set) var first: UInt64 = 1
    /// Number of the next entry.
    package private(set) var end: UInt64 = 1
    /// Number of incomplete entries.
    package private(set) var open = 0
    /// Number of entries dropped because the log was full.
    package private(set) var givenUp: UInt64 = 0

    package init() { ring = [Entry](repeating: Entry(), count: 1024) }

    private func index(_ number: UInt64) -> Int { Int(number & UInt64(ring.count - 1)) }

    /// Appends an entry and returns its number.
    package mutating func append(_ entry: Entry) -> UInt64 {
        if end - first == UInt64(ring.count) { makeRoom() }
        let number = end
        ring[index(number)] = entry
        end += 1
        if !entry.isOver { open += 1 }
        return number
    }

    /// Records the time at which a message was sent, and returns its entry.
    mutating func send(_ number: UInt64, at now: Int64) -> Entry {
        let at = index(number)
        ring[at].sent = now
        return ring[at]
    }

    private mutating func makeRoom() {
        if ring.count < Self.entriesMax {
            var larger = [Entry](repeating: Entry(), count: ring.count * 2)
            for number in first..<end {
                larger[Int(number & UInt64(larger.count - 1))] = ring[index(number)]
            }
            ring = larger
        } else {
            if !ring[index(first)].isOver {
                open -= 1
                givenUp += 1
            }
            first += 1
        }
    }

    package func contains(_ number: UInt64) -> Bool { number >= first && number < end }

    /// The entry with a number. It must be in the log, or have been completed since the last append.
    package subscript(number: UInt64) -> Entry {
        get { ring[index(number)] }
        set { ring[index(number)] = newValue }
    }

    /// The parts of an entry that each delivery needs. Copying the whole entry would take longer than
    /// all other work on it.
    struct DeliveredMessage {
        let intended: Int64
        let sent: Int64
        let action: LoadAction
        let isMeasured: Bool
        /// True if this was the last delivery.
        let isOver: Bool
    }

    /// Counts a delivery; returns nil if there is no matching entry, or if the entry is already
    /// complete.
    @inline(__always)
    mutating func deliver(
        _ number: UInt64, _ sequence: UInt32, from sender: Int32, at now: Int64
    ) -> DeliveredMessage? {
        guard contains(number),
            let message = ring[index(number)].deliver(sequence, from: sender, at: now)
        else { return nil }
        if message.isOver { close() }
        return message
    }

    /// Counts a delivery; returns true if it was the last one.
    package mutating func receive(_ number: UInt64) -> Bool {
        let at = index(number)
        ring[at].received += 1
        guard ring[at].received == ring[at].owed else { return false }
        close()
        return true
    }

    /// Removes one expected recipient from an entry; returns true if that completes the entry.
    package mutating func removeRecipient(_ number: UInt64) -> Bool {
        let at = index(number)
        guard !ring[at].isOver else { return false }
        ring[at].owed -= 1
        guard ring[at].isOver else { return false }
        close()
        return true
    }

    /// Completes an entry without waiting for its outstanding recipients.
    package mutating func abandon(_ number: UInt64) {
        let at = index(number)
        guard !ring[at].isOver else { return }
        ring[at].owed = ring[at].received
        close()
    }

    /// Completes a sender's recent probes and keepalives, and optionally its texts, without waiting
    /// for their outstanding recipients.
    mutating func abandon(from sender: Int32, textsToo: Bool) {
        for number in max(first, end - min(end, Self.searchedMax))..<end
        where contains(number) && ring[index(number)].sender == sender {
            switch ring[index(number)].action {
            case .probe, .keepalive: abandon(number)
            case .say, .relay: if textsToo { abandon(number) }
            }
        }
    }

    private mutating func close() {
        open -= 1
        while first < end, ring[index(first)].isOver { first += 1 }
    }
}

/// An action that an operator performs.
package enum LoadAction: UInt8, Sendable, Hashable, CaseIterable {
    /// Sends a message to the operator's room.
    case say
    /// Sends a message to one other operator.
    case relay
    /// Sends the dialect's probe.
    case probe
    /// Sends the dialect's keepalive.
    case keepalive

    /// Name of the dialect's behaviour that performs the action.
    package var name: String {
        switch self {
        case .say: "say"
        case .relay: "relay"
        case .probe: "probe"
        case .keepalive: "keepalive"
        }
    }
}
