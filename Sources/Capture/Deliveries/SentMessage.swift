import LineProtocol

/// A message that a client sent, with what is known about its delivery.
final class SentMessage {
    /// Maximum number of bytes of a text to keep.
    static let textBytesMax = 512
    /// Maximum number of problems to keep per message.
    static let findingsMax = 16

    let number: Int
    let sender: Participant
    /// The sender's name when it sent the message.
    let senderName: [UInt8]
    /// The room or recipient, as written in the line.
    let target: [UInt8]
    /// Index of the target among the rooms; nil if there are too many.
    let room: Int?
    let isDirect: Bool
    /// The start of the text.
    let text: [UInt8]
    let key: Int
    let packet: PacketInfo
    /// Position of the line in the order of the capture.
    let index: Int
    /// The operators that must receive the message, ordered by connection number.
    let audience: [Participant]
    /// The outcome for each of these operators, by index.
    var outcomes: [Outcome]
    /// Operators that received the message without being known members.
    var others: [Participant] = []
    /// Number of operators in the audience whose outcome is not decided.
    var undecided: Int
    /// Number of connections that may be members of the room.
    var perhapsMembers = 0
    /// Position, in the order of the capture, of the line that shows that the server has processed
    /// the message; nil if none does.
    var processedAt: Int?
    var processedTime = CaptureRecord.timeUnknown
    var isRefused = false
    /// True if the server may have refused the message.
    var mayBeRefused = false
    /// Number of the sender's previous message to the same target; -1 if none was in flight.
    var previous = -1
    /// Position of the message in the order in which the room's messages were first received; 0
    /// until it is received.
    var rank = 0
    var findings: [DeliveryFinding] = []
    /// Operators that received the message but are not recipients, as far as the capture shows, with
    /// the packets of the deliveries.
    var leaks: [(receiver: Participant, packet: PacketInfo)] = []

    /// The delivery of a message to one operator.
    enum Outcome: Equatable {
        case pending
        /// The operator has received a later message from the same sender.
        case overtaken
        case received(at: Int)
        case altered
        case missing
        case unknown

        var isDecided: Bool { self != .pending && self != .overtaken }
    }

    init(
        _ number: Int, _ text: CapturedMessage, from sender: Participant, room: Int?,
        isDirect: Bool,
        audience: [Participant], _ packet: PacketInfo, at index: Int
    ) {
        self.number = number
        self.sender = sender
        senderName = sender.name
        target = text.target ?? []
        self.room = room
        self.isDirect = isDirect
        self.text = Array(text.text.prefix(Self.textBytesMax))
        key = Self.key(text.text)
        self.audience = audience
        outcomes = Array(repeating: .pending, count: audience.count)
        undecided = audience.count
        self.packet = packet
        self.index = index
    }

    /// Returns the hash of a text.
    static func key(_ text: [UInt8]) -> Int {
        var hasher = Hasher()
        unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    func position(of participant: Participant) -> Int? {
        let (index, isFound) = Room.index(of: participant.number, in: audience)
        return isFound ? index : nil
    }

    func outcome(for participant: Participant) -> Outcome? {
        position(of: participant).map { outcomes[$0] }
    }

    /// True if the operator has received the message.
    func wasReceived(by participant: Participant) -> Bool {
        if case .received? = outcome(for: participant) { return true }
        return others.contains { $0 === participant }
    }

    func decide(_ index: Int, _ outcome: Outcome) {
        if !outcomes[index].isDecided, outcome.isDecided { undecided -= 1 }
        outcomes[index] = outcome
    }

    /// Returns whether a delivered message may be this one, apart from its text.
    func fits(_ text: CapturedMessage) -> Bool {
        // If lines of the sender are missing, its name may be wrong.
        if let from = text.from, sender.hasAllSent, !NameFolding.isSame(from, senderName),
            !sender.hasName(from)
        {
            return false
        }
        return fitsTarget(text)
    }

    func fitsTarget(_ text: CapturedMessage) -> Bool {
        // Without known recipients, the target may be a mask or a name in another form. A marker
        // before a room, as in `@#room`, may be left out.
        guard let other = text.target, !target.isEmpty, !audience.isEmpty else { return true }
        return NameFolding.isSame(other, target)
            || NameFolding.isSame(other, Array(target.dropFirst()))
    }

    func add(_ finding: DeliveryFinding) {
        if findings.count < Self.findingsMax { findings.append(finding) }
    }
}
