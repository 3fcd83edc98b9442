import LineProtocol

extension DeliveryLedger {
    /// Records a request.
    ///
    /// - Parameter key: The value that identifies the answer; empty if the order does.
    mutating func ask(_ exchange: Int, _ key: [UInt8], by client: Participant, _ packet: PacketInfo)
    {
        if client.pending.count >= Participant.pendingMax {
            client.pending.removeFirst()
            counts.dropped += 1
        }
        client.pending.append(
            Participant.PendingRequest(exchange: exchange, key: key, index: index, packet: packet))
    }

    /// Records an answer. Without a key, it belongs to the oldest pending request.
    mutating func answer(
        _ exchange: Int, _ key: [UInt8], to client: Participant, isProbe: Bool,
        _ packet: PacketInfo
    ) {
        let position = client.pending.firstIndex {
            $0.exchange == exchange && (key.isEmpty || $0.key == key)
        }
        guard let position else {
            let wasAnswered = client.answered.contains { $0.exchange == exchange && $0.key == key }
            guard isProbe, !key.isEmpty, wasAnswered, client.hasAllReceived, client.hasAllSent
            else { return }
            return report(
                DeliveryFinding(
                    kind: .answeredTwice, packet: packet, connection: client.number,
                    operatorName: client.name, text: key))
        }
        let request = client.pending.remove(at: position)
        client.answered = client.answered.suffix(Participant.answeredMax - 1) + [(exchange, key)]
        client.answeredThrough = max(client.answeredThrough, request.index)
        if isProbe { counts.answers += 1 }
        markProcessed(client, through: request.index)
    }

    /// Decides which probes were not answered.
    mutating func settleRequests(_ client: Participant) {
        for request in client.pending where probes.contains(request.exchange) {
            let waited = now &- request.packet.time
            let isLate =
                client.isOpen && request.packet.time != CaptureRecord.timeUnknown
                && waited > Self.waitNanoseconds
            guard !request.mayBeRefused, isLate || client.answeredThrough > request.index else {
                continue
            }
            report(
                DeliveryFinding(
                    kind: .unanswered, packet: request.packet, connection: client.number,
                    operatorName: client.name, text: request.key))
        }
        client.pending = []
    }
}
