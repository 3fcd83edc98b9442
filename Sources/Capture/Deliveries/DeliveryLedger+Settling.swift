import LineProtocol

extension DeliveryLedger {
    /// Removes messages whose outcome is decided, and the oldest ones if there are too many.
    ///
    /// - Parameters:
    ///   - adding: Number of messages to make room for.
    ///   - batch: Number of messages to remove at once, because each removal moves the others.
    mutating func expire(adding: Int = 0, batch: Int = 256) {
        resolveUnmatched(before: now &- Self.settledNanoseconds)
        if messages.count >= batch, isDecided(messages[batch - 1]) || batch == 1 {
            var count = 0
            while count < messages.count, isDecided(messages[count]) { count += 1 }
            if count >= batch { close(count) }
        }
        guard messages.count + adding > Self.messagesMax || deliveries > Self.deliveriesMax else {
            return
        }
        let oldest = max(1, messages.count / 8)
        for message in messages.prefix(oldest) where message.undecided > 0 {
            counts.dropped += 1
            makeAllUnknown(message)
        }
        close(oldest)
    }

    private func isDecided(_ message: SentMessage) -> Bool {
        let age = now &- message.packet.time
        guard message.packet.time != CaptureRecord.timeUnknown else { return false }
        if message.undecided == 0 { return age > Self.settledNanoseconds * 2 }
        let since =
            message.processedAt == nil
            ? max(message.packet.time, message.sender.progressTime) : message.processedTime
        return age > Self.waitNanoseconds && now &- since > Self.waitNanoseconds
    }

    mutating func close(_ count: Int) {
        for message in messages.prefix(count) {
            for position in message.audience.indices where !message.outcomes[position].isDecided {
                settle(message, for: message.audience[position])
            }
            write(message)
            deliveries -= message.audience.count
            byKey[message.key]?.removeAll { $0 == message.number }
            if byKey[message.key]?.isEmpty == true { byKey[message.key] = nil }
            // Messages leave in the order in which they were sent.
            if message.sender.unprocessed.first === message {
                _ = message.sender.unprocessed.popFirst()
            }
            if let room = message.room,
                rooms[room].latest[message.sender.number] == message.number
            {
                rooms[room].latest[message.sender.number] = nil
            }
        }
        messages.removeFirst(count)
        start += count
    }

    private mutating func write(_ message: SentMessage) {
        for leak in message.leaks where leak.receiver.hasAllReceived && leak.receiver.hasAllSent {
            note(.leaked, message, leak.receiver, in: leak.packet)
        }
        var report = MessageReport(
            packet: message.packet, connection: message.sender.number, sender: message.senderName,
            target: message.target, text: message.text, members: message.audience.count,
            reached: 0, missingCount: 0, unknown: 0, others: message.others.count,
            perhapsMembers: message.perhapsMembers, isRefused: message.isRefused,
            findings: message.findings)
        for (position, outcome) in message.outcomes.enumerated() {
            switch outcome {
            case .received, .altered: report.reached += 1
            case .missing:
                report.missingCount += 1
                counts.count(.missing)
                if report.missing.count < MessageReport.namesMax {
                    report.missing.append(message.audience[position].name)
                }
            case .pending, .overtaken, .unknown: report.unknown += 1
            }
        }
        if message.isRefused { counts.refused += 1 }
        if message.isRefused { report.forgetAudience() }
        counts.due += report.members
        counts.received += report.reached
        counts.unknown += report.unknown
        counts.others += report.others
        settled.append(.message(report))
    }

    /// Decides the delivery of a message to an operator who can no longer receive it.
    mutating func settle(_ message: SentMessage, for participant: Participant) {
        guard let position = message.position(of: participant) else { return }
        switch message.outcomes[position] {
        case .overtaken: message.decide(position, .missing)
        case .pending: message.decide(position, isMissing(message, participant))
        default: break
        }
    }

    /// Returns whether a message that an operator has not received is missing, or whether the
    /// capture does not show it.
    private func isMissing(
        _ message: SentMessage, _ participant: Participant
    ) -> SentMessage.Outcome {
        if message.isRefused || message.mayBeRefused { return .unknown }
        guard let processedAt = message.processedAt else {
            // Flood control may delay a client's lines, but then it makes progress.
            let since = max(message.packet.time, message.sender.progressTime)
            let isLate =
                message.packet.time != CaptureRecord.timeUnknown
                && now &- since > Self.waitNanoseconds
            return isLate && message.sender.isOpen && message.sender.hasAllSent
                ? .missing : .unknown
        }
        if participant.answeredThrough > processedAt { return .missing }
        let isLate = now &- message.processedTime > Self.graceNanoseconds
        return isLate && message.packet.time != CaptureRecord.timeUnknown ? .missing : .unknown
    }

    func makeUnknown(_ message: SentMessage, for participant: Participant) {
        guard let position = message.position(of: participant),
            !message.outcomes[position].isDecided
        else { return }
        message.decide(position, .unknown)
    }

    func makeAllUnknown(_ message: SentMessage) {
        for position in message.outcomes.indices where !message.outcomes[position].isDecided {
            message.decide(position, .unknown)
        }
    }

    /// Ends the ledger: decides all messages.
    mutating func finish() {
        resolveUnmatched(before: .max)
        for participant in open.values { settleRequests(participant) }
        close(messages.count)
    }
}
