import LineProtocol

extension DeliveryLedger {
    /// Decides what the delivered messages are that match no message in flight.
    mutating func resolveUnmatched(before time: Int64) {
        var count = 0
        for delivery in unmatched {
            let hasTime = delivery.packet.time != CaptureRecord.timeUnknown
            guard time == .max || hasTime && delivery.packet.time < time else { break }
            count += 1
        }
        guard count > 0 else { return }
        let resolved = unmatched.prefix(count)
        unmatched.removeFirst(count)
        for delivery in resolved { resolve(delivery) }
    }

    private mutating func resolve(_ delivery: UnmatchedDelivery) {
        let receiver = delivery.receiver
        if let message = message(delivery.repeats) {
            guard message.sender !== receiver else { return }
            return note(.duplicate, message, receiver, in: delivery.packet)
        }
        // By now, it may be known that lines of the sender are missing.
        if let message = match(delivery.text, delivery.key, for: receiver).message,
            message.index < delivery.index
        {
            return deliver(message, to: receiver, delivery.packet, isLate: true)
        }
        // A message that is not in the capture may have been sent by other means.
        guard let from = delivery.text.from,
            let sender = delivery.sender ?? owner(of: from) ?? recentSender(from),
            sender.hasAllSent, !sender.hasSentUnclear, receiver.hasAllReceived, delivery.repeats < 0
        else {
            counts.fromOutside += 1
            return
        }
        if let message = nearest(to: delivery), let position = message.position(of: receiver) {
            message.decide(position, .altered)
            return note(
                .altered, message, receiver, in: delivery.packet,
                text: Array(delivery.text.text.prefix(SentMessage.textBytesMax)),
                other: message.text)
        }
        let other = messages.last { message in
            message.key == delivery.key && message.fitsTarget(delivery.text)
                && message.sender !== receiver && !message.wasReceived(by: receiver)
                && message.index < delivery.index
        }
        if let other {
            if let position = other.position(of: receiver) {
                other.decide(position, .received(at: delivery.index))
            }
            return note(.wrongSender, other, receiver, in: delivery.packet, other: from)
        }
        report(
            DeliveryFinding(
                kind: .unsent, packet: delivery.packet, connection: receiver.number,
                operatorName: receiver.name,
                text: Array(delivery.text.text.prefix(SentMessage.textBytesMax)), other: from,
                target: delivery.text.target ?? []))
    }

    /// Returns the sender of a message in flight with this name, whose connection may have ended.
    private func recentSender(_ name: [UInt8]) -> Participant? {
        messages.last { NameFolding.isSame($0.senderName, name) }?.sender
    }

    /// Returns the message whose text is most similar to the delivered one, among those that the
    /// operator should have received.
    private func nearest(to delivery: UnmatchedDelivery) -> SentMessage? {
        var best: (message: SentMessage, similarity: Int)?
        var searched = 0
        for message in messages.reversed() where message.index < delivery.index {
            guard searched < Self.searchMax else { break }
            searched += 1
            guard message.fits(delivery.text), !message.isRefused,
                let outcome = message.outcome(for: delivery.receiver),
                outcome == .pending || outcome == .overtaken || outcome == .missing
                    || outcome == .unknown
            else { continue }
            let similarity = Self.similarity(message.text, delivery.text.text)
            if similarity >= best?.similarity ?? 0 { best = (message, similarity) }
        }
        return best?.message
    }

    /// Returns the number of bytes at the start and the end that both texts have in common.
    private static func similarity(_ one: [UInt8], _ other: [UInt8]) -> Int {
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = zip(one.dropFirst(start).reversed(), other.dropFirst(start).reversed())
            .prefix { $0 == $1 }.count
        return start + end
    }
}
