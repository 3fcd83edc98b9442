/// Faults in what reaches whom: texts that are lost, doubled, swapped, changed, or go astray.
struct DeliveryFaults {
    /// A text that waits for the next one of its sender to the same receiver.
    private struct Held {
        var sender: [UInt8]
        var line: [UInt8]
    }

    private let faults: FaultInjector
    private let spoken: SpokenFaults
    private var held: [ConnectionID: Held] = [:]

    init(_ faults: FaultInjector, _ spoken: SpokenFaults) {
        self.faults = faults
        self.spoken = spoken
    }

    /// What is sent to a receiver now, instead of the text's line.
    ///
    /// - Parameter mutated: the line of the text with another letter, if it has one.
    mutating func lines(
        for line: [UInt8], mutated: [UInt8]?, from sender: [UInt8], to id: ConnectionID
    ) -> [[UInt8]] {
        if faults.strikes(.drop) { return [] }
        if let first = held[id] {
            held[id] = nil
            if first.sender == sender {
                faults.count(.swap)
                return [line, first.line]
            }
            return [first.line, line]
        }
        if faults.wouldStrike(.swap) {
            held[id] = Held(sender: sender, line: line)
            return []
        }
        if faults.strikes(.duplicate) { return [line, line] }
        if let mutated, faults.strikes(.mutate) { return [mutated] }
        if faults.strikes(.strayLine) { return [line, spoken.stray] }
        return [line]
    }

    /// Whose texts wait to be swapped: what waits too long is sent as if nothing had been.
    var waiting: [ConnectionID] { Array(held.keys) }

    mutating func release(_ id: ConnectionID) -> [UInt8]? { held.removeValue(forKey: id)?.line }
}

extension ChatNotice {
    /// Who said it, for texts.
    var speaker: [UInt8] {
        switch self {
        case .message(let record, _): record.sender.nickname
        case .privateMessage(_, _, let sender, _): sender.nickname
        case .actionDone(_, let sender, _): sender.nickname
        default: []
        }
    }
}

extension ChatNotice {
    /// The notice with one letter or digit of its text changed; nil if it carries no such text.
    var mutated: ChatNotice? {
        switch self {
        case .message(var record, let chat):
            guard let text = SpokenFaults.mutated(record.text) else { return nil }
            record.text = text
            return .message(record, chat: chat)
        case .privateMessage(let identifier, let text, let sender, let kind):
            return SpokenFaults.mutated(text).map {
                .privateMessage(identifier: identifier, text: $0, sender: sender, kind: kind)
            }
        default: return nil
        }
    }
}
