import LineProtocol

extension DeliveryLedger {
    /// Records a delivered message.
    ///
    /// - Parameter isCut: Whether the server may have cut the line at its maximum length.
    mutating func receive(
        _ text: CapturedMessage, by receiver: Participant, isCut: Bool, _ packet: PacketInfo
    ) {
        let key = SentMessage.key(text.text)
        var (candidate, repeated) = match(text, key, for: receiver)
        if candidate == nil, isCut, let whole = wholeMessage(of: text, for: receiver) {
            candidate = whole
            counts.cut += 1
        }
        if let candidate {
            deliver(candidate, to: receiver, packet)
            noteMember(receiver, candidate, text)
            return
        }
        if unmatched.count >= Self.unmatchedMax {
            unmatched.removeFirst(Self.unmatchedMax / 8)
            counts.dropped += Self.unmatchedMax / 8
        }
        unmatched.append(
            UnmatchedDelivery(
                receiver: receiver, sender: text.from.flatMap { owner(of: $0) }, text: text,
                key: key, packet: packet, index: index, repeats: repeated))
    }

    /// Returns the oldest message with a text that a client has not received since it last received
    /// this text; if there is none, the number of the message that it received last, or -1.
    func match(
        _ text: CapturedMessage, _ key: Int, for receiver: Participant
    ) -> (message: SentMessage?, repeats: Int) {
        var candidate: SentMessage?
        for number in (byKey[key] ?? []).suffix(Self.searchMax).reversed() {
            guard let message = message(number), message.fits(text) else { continue }
            if message.wasReceived(by: receiver) {
                return (candidate, candidate == nil ? number : -1)
            }
            candidate = message
        }
        return (candidate, -1)
    }

    /// Returns the oldest message that begins with a text that was cut.
    private func wholeMessage(of text: CapturedMessage, for receiver: Participant) -> SentMessage? {
        var found: SentMessage?
        for message in messages.suffix(Self.searchMax).reversed() {
            guard message.fits(text),
                message.text.starts(with: text.text.prefix(message.text.count))
            else { continue }
            if message.wasReceived(by: receiver) { break }
            found = message
        }
        return found
    }

    /// Records that an operator has received a message.
    ///
    /// - Parameter isLate: Whether the delivery is recorded later than it was captured, so that the
    ///   order of messages cannot be compared.
    mutating func deliver(
        _ message: SentMessage, to receiver: Participant, _ packet: PacketInfo, isLate: Bool = false
    ) {
        markProcessed(message.sender, through: message.index)
        if message.processedAt == nil {
            message.processedAt = index
            message.processedTime = now
        }
        if let position = message.position(of: receiver) {
            message.decide(position, .received(at: index))
        } else {
            message.others.append(receiver)
            noteLeak(message, receiver, packet)
        }
        if isLate { return }
        noteOrder(message, receiver, packet)
        noteRank(message, receiver, packet)
    }

    /// Records that an operator who receives a room's messages is a member.
    private mutating func noteMember(
        _ receiver: Participant, _ message: SentMessage, _ text: CapturedMessage
    ) {
        guard !message.isDirect, message.sender !== receiver, let target = text.target,
            let room = message.room
        else { return }
        let state = receiver.membership(in: room).map { receiver.memberships[$0].state }
        switch state {
        case .member, .left: break
        case .entering, .unclear: set(.member, of: receiver, in: target)
        case nil: if receiver.isUnclear { set(.member, of: receiver, in: target) }
        }
    }

    /// Records a finding if the message was for a room that the receiver is certainly not in, or
    /// for another operator.
    private mutating func noteLeak(
        _ message: SentMessage, _ receiver: Participant, _ packet: PacketInfo
    ) {
        guard showsEntries, receiver !== message.sender, receiver.hasAllReceived,
            receiver.hasAllSent, let room = message.room
        else { return }
        // Without known recipients, the target may be neither a room nor a name.
        let isMember = message.sender.memberships.contains {
            $0.room == room && $0.state == .member
        }
        guard !message.audience.isEmpty || isMember else { return }
        if message.isDirect {
            guard !message.audience.isEmpty, !receiver.hasName(message.target) else { return }
        } else if let index = receiver.membership(in: room) {
            let membership = receiver.memberships[index]
            guard membership.state == .left, membership.since < message.index else { return }
        }
        // A gap in the capture, which may hide that the receiver entered, is reported later.
        if message.leaks.count < SentMessage.findingsMax {
            message.leaks.append((receiver, packet))
        }
    }

    /// Compares the order of the messages from one sender to one target.
    private mutating func noteOrder(
        _ message: SentMessage, _ receiver: Participant, _ packet: PacketInfo
    ) {
        // Earlier messages that the receiver has not received by now are lost, or come too late.
        var number = message.previous
        for _ in 0..<Self.searchMax {
            guard let earlier = self.message(number) else { break }
            if let position = earlier.position(of: receiver) {
                guard earlier.outcomes[position] == .pending else { break }
                earlier.decide(position, .overtaken)
            }
            number = earlier.previous
        }
        guard let room = message.room, let latest = rooms[room].latest[message.sender.number],
            latest > message.number
        else { return }
        number = latest
        for _ in 0..<Self.searchMax {
            guard number > message.number, let later = self.message(number) else { return }
            if later.wasReceived(by: receiver) {
                return note(.outOfOrder, message, receiver, in: packet, other: later.text)
            }
            number = later.previous
        }
    }

    /// Compares the order of messages from different senders with the order in which another
    /// operator received them.
    private mutating func noteRank(
        _ message: SentMessage, _ receiver: Participant, _ packet: PacketInfo
    ) {
        guard !message.isDirect, let room = message.room,
            let index = receiver.membership(in: room)
        else { return }
        if message.rank == 0 {
            rooms[room].received += 1
            message.rank = rooms[room].received
        }
        let latest = self.message(receiver.memberships[index].latest)
        guard let latest, latest.rank > message.rank else {
            receiver.memberships[index].latest = message.number
            return
        }
        guard !hasSeveralServers, latest.sender !== message.sender,
            isOrderedOtherwise(message, latest, for: receiver)
        else { return }
        note(.differentOrder, message, receiver, in: packet, other: latest.text)
    }

    /// Returns whether another operator received the first message before the second one.
    private func isOrderedOtherwise(
        _ first: SentMessage, _ second: SentMessage, for receiver: Participant
    ) -> Bool {
        for (position, other) in first.audience.enumerated() where other !== receiver {
            if case .received(let one) = first.outcomes[position],
                case .received(let two)? = second.outcome(for: other), one < two
            {
                return true
            }
        }
        return false
    }

    // MARK: Findings

    mutating func note(
        _ kind: DeliveryFinding.Kind, _ message: SentMessage, _ receiver: Participant,
        in packet: PacketInfo, text: [UInt8]? = nil, other: [UInt8] = []
    ) {
        counts.count(kind)
        message.add(
            DeliveryFinding(
                kind: kind, packet: packet, connection: receiver.number,
                operatorName: receiver.name, text: text ?? message.text, other: other,
                target: message.target))
    }

    mutating func report(_ finding: DeliveryFinding) {
        counts.count(finding.kind)
        settled.append(.finding(finding))
    }
}
