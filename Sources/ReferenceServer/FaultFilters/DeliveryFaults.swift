/// Faults in message delivery: messages are dropped, duplicated, swapped, changed or misdirected.
struct DeliveryFaults {
    /// A message held back until the sender's next message to the same recipient.
    private struct HeldText {
        var sender: [UInt8]
        var line: [UInt8]
    }

    private let faults: FaultInjector
    private let encodingFaults: EncodingFaults
    private var held: [ClientID: HeldText] = [:]

    init(_ faults: FaultInjector, _ encodingFaults: EncodingFaults) {
        self.faults = faults
        self.encodingFaults = encodingFaults
    }

    /// Returns the lines to send to a recipient now, in place of the message's line.
    ///
    /// - Parameter mutated: The message's line with one character changed; nil if that is not
    ///   possible.
    mutating func lines(
        for line: [UInt8], mutated: [UInt8]?, from sender: [UInt8], to id: ClientID
    ) -> [[UInt8]] {
        if faults.shouldInject(.drop) { return [] }
        if let first = held[id], first.sender == sender {
            held[id] = nil
            faults.count(.swap)
            return [line, first.line]
        }
        // While a message is held back, messages from other senders are sent as usual. In a large
        // room, the same sender rarely sends two messages in a row.
        if held[id] == nil, faults.wouldInject(.swap) {
            held[id] = HeldText(sender: sender, line: line)
            return []
        }
        if faults.shouldInject(.duplicate) { return [line, line] }
        if let mutated, faults.shouldInject(.mutate) { return [mutated] }
        if faults.shouldInject(.strayLine) { return [line, encodingFaults.stray] }
        return [line]
    }

    /// Recipients for whom a message is held back. A message held back for too long is sent as if
    /// no fault had occurred.
    var waiting: [ClientID] { Array(held.keys) }

    mutating func release(_ id: ClientID) -> [UInt8]? { held.removeValue(forKey: id)?.line }
}

extension ChatNotice {
    /// Nickname of the sender if the notice is a message; otherwise empty.
    var speaker: [UInt8] {
        switch self {
        case .message(let record, _): record.sender.nickname
        case .privateMessage(_, _, let sender, _, _): sender.nickname
        case .actionDone(_, let sender, _): sender.nickname
        default: []
        }
    }
}

extension ChatNotice {
    /// The notice with one letter or digit of its text changed; nil if it contains no text that can
    /// be changed.
    var mutated: ChatNotice? {
        switch self {
        case .message(var record, let chat):
            guard let text = EncodingFaults.mutated(record.text) else { return nil }
            record.text = text
            return .message(record, chat: chat)
        case .privateMessage(let identifier, let text, let sender, let kind, let tags):
            return EncodingFaults.mutated(text).map {
                .privateMessage(
                    identifier: identifier, text: $0, sender: sender, kind: kind, tags: tags)
            }
        default: return nil
        }
    }
}
