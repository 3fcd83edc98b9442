import LineProtocol

/// A ledger of the chat messages in a capture: who sent them, who had to receive them, and who did.
///
/// A delivery is missing only if the capture shows that it did not happen: the server has processed
/// the message, and the operator has received something that must have come later. Everything else
/// is unknown.
struct DeliveryLedger {
    /// Maximum number of messages in flight. When it is exceeded, the oldest eighth is dropped.
    static let messagesMax = 16_384
    /// Maximum number of deliveries in flight, across all messages.
    static let deliveriesMax = 1_000_000
    /// Maximum number of rooms and recipients. Messages to others have no audience.
    static let roomsMax = 65_536
    /// Maximum number of delivered messages without a sender to keep.
    static let unmatchedMax = 4_096
    /// Number of messages with the same text, or from the same sender, to search.
    static let searchMax = 256
    /// Time after which a delivered message counts as complete, in nanoseconds.
    static let settledNanoseconds: Int64 = 10_000_000_000
    /// Time after which a message that was not delivered is decided, in nanoseconds.
    static let waitNanoseconds: Int64 = 60_000_000_000
    /// Time for which an operator must stay before a delivery counts as missing, in nanoseconds.
    static let graceNanoseconds: Int64 = 5_000_000_000

    /// True if lines of the server show which rooms a client enters.
    let showsEntries: Bool
    /// True if the dialect sends a message back to its sender.
    let echoes: Bool
    /// Indices of the exchanges that a working server always answers.
    let probes: Set<Int>
    var counts = DeliveryCounts()
    /// Results that have not been written.
    var settled: [DeliveryItem] = []
    /// The messages in flight, ordered by number; the number of the first is ``start``.
    var messages: [SentMessage] = []
    var start = 0
    /// Numbers of the messages in flight, by the hash of their text.
    var byKey: [Int: [Int]] = [:]
    var deliveries = 0
    var rooms: [Room] = []
    var roomNumbers: [[UInt8]: Int] = [:]
    /// Connection numbers by name. A name that was taken by several connections has several.
    var byName: [[UInt8]: [Int]] = [:]
    var open: [Int: Participant] = [:]
    /// Number of open connections for which it is not known which rooms they are in.
    var unclearCount = 0
    var unmatched: [UnmatchedDelivery] = []
    /// True if the clients are connected to several servers, which may order messages differently.
    var hasSeveralServers = false
    var server: IPEndpoint?
    /// Position of the current line in the order of the capture.
    private(set) var index = 0
    /// Time of the latest packet.
    private(set) var now = CaptureRecord.timeUnknown

    /// A delivered message that matches no message in flight.
    struct UnmatchedDelivery {
        var receiver: Participant
        /// The client that had the sender's name at that time; nil if there was none.
        var sender: Participant?
        var text: CapturedMessage
        var key: Int
        var packet: PacketInfo
        var index: Int
        /// Number of the message that the operator has already received; -1 if there is none.
        var repeats: Int
    }

    init(showsEntries: Bool, echoes: Bool, probes: Set<Int>) {
        self.showsEntries = showsEntries
        self.echoes = echoes
        self.probes = probes
    }

    /// Advances to a packet.
    mutating func advance(to packet: PacketInfo) {
        index += 1
        if packet.time != CaptureRecord.timeUnknown { now = max(now, packet.time) }
    }

    func message(_ number: Int) -> SentMessage? {
        messages.indices.contains(number - start) ? messages[number - start] : nil
    }

    // MARK: Sent messages

    /// Records a message that a client sent.
    mutating func send(_ text: CapturedMessage, from sender: Participant, _ packet: PacketInfo) {
        expire(adding: 1)
        let target = text.target ?? []
        let recipient = text.directName.flatMap { owner(of: $0) }
        let known = roomNumbers[NameFolding.folded(target)]
        if recipient == nil, known == nil, target.contains(UInt8(ascii: ",")) {
            for part in target.split(separator: UInt8(ascii: ",")).prefix(16) {
                var one = text
                one.target = Array(part)
                one.directName = text.directName.map { _ in Array(part) }
                send(one, from: sender, packet)
            }
            return
        }
        let room = target.isEmpty ? nil : room(target)
        var audience: [Participant] = []
        if let recipient {
            if recipient !== sender { audience = [recipient] }
        } else if let room {
            audience = rooms[room].members
            if !echoes {
                let (index, isFound) = Room.index(of: sender.number, in: audience)
                if isFound { audience.remove(at: index) }
            }
        }
        let message = SentMessage(
            start + messages.count, text, from: sender, room: room, isDirect: recipient != nil,
            audience: audience, packet, at: index)
        if recipient == nil {
            let members = room.map { rooms[$0].unclearMembers } ?? 0
            message.perhapsMembers = max(0, unclearCount - members - (sender.isUnclear ? 1 : 0))
        }
        if let room {
            message.previous = rooms[room].latest[sender.number] ?? -1
            rooms[room].latest[sender.number] = message.number
        }
        counts.messages += 1
        deliveries += audience.count
        messages.append(message)
        byKey[message.key, default: []].append(message.number)
        sender.unprocessed.append(message)
        matchEarlierDeliveries(of: message)
    }

    /// Matches deliveries that were captured shortly before the message.
    private mutating func matchEarlierDeliveries(of message: SentMessage) {
        guard unmatched.contains(where: { $0.key == message.key }) else { return }
        var rest: [UnmatchedDelivery] = []
        for delivery in unmatched {
            let isShortlyBefore =
                delivery.key == message.key && delivery.index < message.index
                && message.fits(delivery.text) && message.packet.time != CaptureRecord.timeUnknown
                && message.packet.time &- delivery.packet.time < 1_000_000_000
                && !message.wasReceived(by: delivery.receiver)
            if isShortlyBefore {
                deliver(message, to: delivery.receiver, delivery.packet)
            } else {
                rest.append(delivery)
            }
        }
        unmatched = rest
    }

    /// Records that the server has processed a client's lines.
    ///
    /// - Parameter index: Position of the latest processed line.
    mutating func markProcessed(_ sender: Participant, through index: Int) {
        guard index > sender.processedThrough else { return }
        sender.processedThrough = index
        sender.progressTime = max(sender.progressTime, now)
        while let first = sender.unprocessed.first, first.index <= index {
            first.processedAt = self.index
            first.processedTime = now
            _ = sender.unprocessed.popFirst()
        }
    }

    /// Records that the server has refused something that a client sent.
    ///
    /// - Parameter names: Returns whether the refusal contains a value.
    mutating func refuse(_ sender: Participant, names: ([UInt8]) -> Bool) {
        for position in sender.unprocessed.indices {
            let message = sender.unprocessed[position]
            guard names(message.target) else { continue }
            message.isRefused = true
            makeAllUnknown(message)
            sender.unprocessed.remove(at: position)
            return
        }
        for (position, request) in sender.pending.enumerated()
        where !request.key.isEmpty && names(request.key) {
            sender.pending.remove(at: position)
            return
        }
        for message in sender.unprocessed { message.mayBeRefused = true }
        for position in sender.pending.indices { sender.pending[position].mayBeRefused = true }
    }
}
