/// Faults in message delivery: texts that are dropped, duplicated, swapped, changed or misdirected.
struct DeliveryFaults {
    /// A text held back until the same sender's next text to the same receiver.
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

    /// Returns the lines to send to a receiver now, instead of the text's line.
    mutating func lines(
        for line: [UInt8], from sender: [UInt8], to id: ClientID
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
            held[id] = HeldText(sender: sender, line: line)
            return []
        }
        if faults.strikes(.duplicate) { return [line, line] }
        if faults.strikes(.mutate) { return [encodingFaults.mutate(line)] }
        if faults.strikes(.strayLine) { return [line, encodingFaults.stray] }
        return [line]
    }

    /// Receivers with a held-back text. One held too long is sent as if no fault had struck.
    var waiting: [ClientID] { Array(held.keys) }

    mutating func release(_ id: ClientID) -> [UInt8]? { held.removeValue(forKey: id)?.line }
}

extension ChatNotice {
    /// The sender's nickname; empty for notices other than texts.
    var speaker: [UInt8] {
        switch self {
        case .message(let record, _): record.sender.nickname
        case .privateMessage(_, _, let sender, _): sender.nickname
        case .actionDone(_, let sender, _): sender.nickname
        default: []
        }
    }
}
