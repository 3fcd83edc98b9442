import LineProtocol

extension DeliveryLedger {
    /// Records a request.
    ///
    /// - Parameters:
    ///   - key: The value that identifies the answer; empty if the order does.
    ///   - room: The room that the client asks to enter, if it is not in this room.
    mutating func ask(
        _ exchange: Int, _ key: [UInt8], by client: Participant, _ packet: PacketInfo,
        toEnter room: [UInt8]? = nil
    ) {
        if client.pending.count >= Participant.pendingMax {
            client.pending.removeFirst()
            counts.dropped += 1
        }
        client.pending.append(
            Participant.PendingRequest(
                exchange: exchange, key: key, index: index, packet: packet, room: room))
    }

    /// Records that a client has entered a room, in answer to the oldest request for it.
    mutating func grant(_ client: Participant, _ room: [UInt8]) {
        let position = client.pending.firstIndex {
            $0.room.map { NameFolding.isSame($0, room) } ?? false
        }
        guard let position else { return }
        client.pending[position].room = nil
        counts.entries += 1
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
        if request.room != nil { counts.entries += 1 }
        client.answered = client.answered.suffix(Participant.answeredMax - 1) + [(exchange, key)]
        client.answeredThrough = max(client.answeredThrough, request.index)
        if isProbe { counts.answers += 1 }
        markProcessed(client, through: request.index)
    }

    /// Decides which probes and requests to enter a room were not answered.
    mutating func settleRequests(_ client: Participant) {
        for request in client.pending
        where probes.contains(request.exchange) || request.room != nil {
            let waited = now &- request.packet.time
            let isLate =
                client.isOpen && request.packet.time != CaptureRecord.timeUnknown
                && waited > Self.waitNanoseconds
            guard !request.mayBeRefused, isLate || client.answeredThrough > request.index else {
                continue
            }
            let isProbe = probes.contains(request.exchange)
            report(
                DeliveryFinding(
                    kind: isProbe ? .unanswered : .notEntered, packet: request.packet,
                    connection: client.number, operatorName: client.name,
                    text: isProbe ? request.key : [], target: request.room ?? []))
        }
        client.pending = []
    }
}
