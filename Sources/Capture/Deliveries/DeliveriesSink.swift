package import DialectModel
package import LineProtocol

/// A receiver of what a ``DeliveriesSink`` finds out.
package protocol DeliveryReceiver {
    mutating func started(at time: Int64)
    mutating func take(_ report: MessageReport)
    mutating func take(_ finding: DeliveryFinding)
    mutating func flush()
    mutating func finish(_ counts: DeliveryCounts)
}

extension DeliveryReceiver {
    package mutating func started(at time: Int64) {}
    package mutating func flush() {}
}

/// A sink that accounts for each chat message and each probe.
package final class DeliveriesSink: ConversationSink {
    /// Number of bytes by which a line that was cut may be shorter than the maximum, because the
    /// server does not split characters.
    private static let cutBytesMax = 4

    package private(set) var receiver: any DeliveryReceiver
    private var ledger: DeliveryLedger
    private let lines: ChatLines
    /// Indices of the exchanges whose answers identify their requests.
    private let exchanges: [Int]
    private let isProbe: [Bool]
    /// Classifier that recognises refusals; nil if the dialect has an error.
    private var classifier: LineClassifier?
    private let lineBytesMax: Int

    package init(_ dialect: BoundDialect, _ receiver: some DeliveryReceiver) {
        self.receiver = receiver
        lines = ChatLines(dialect)
        let all = lines.shapes.exchanges
        let messages = [lines.shapes.say, lines.shapes.relay].compactMap { $0?.sent.command }
        exchanges = all.indices.filter { index in
            let exchange = all[index]
            return (exchange.key != nil || !exchange.isShared) && !exchange.name.contains("-")
                && !messages.contains(exchange.request.command)
        }
        isProbe = all.map { $0.name == "probe" }
        let isProbe = isProbe
        ledger = DeliveryLedger(
            showsEntries: lines.showsEntries, echoes: dialect.dialect.policies["echo"] == "sender",
            probes: Set(exchanges.filter { isProbe[$0] }))
        classifier = try? LineClassifier(dialect, behaviours: [])
        lineBytesMax = dialect.dialect.framing.fromServer.limits.lineBytesMax
    }

    /// The counts so far.
    package var counts: DeliveryCounts { ledger.counts }

    package func started(at time: Int64) { receiver.started(at: time) }

    package func opened(_ connection: CapturedConnection, _ packet: PacketInfo) {
        _ = ledger.participant(connection)
    }

    package func line(
        _ line: CapturedLine, _ message: Message, in bytes: Span<UInt8>
    ) {
        ledger.advance(to: line.packet)
        guard line.marks.isEmpty else {
            if line.direction == .fromClient {
                ledger.open[line.connection.number]?.hasAllSent = false
            }
            return
        }
        let participant = ledger.participant(line.connection)
        let name = line.connection.operatorName
        if participant.name != name { ledger.rename(participant, to: name) }
        if line.direction == .fromClient {
            takeSent(line, participant, message, in: bytes)
        } else {
            takeReceived(line, participant, message, in: bytes)
        }
        ledger.expire()
        emit()
    }

    private func takeSent(
        _ line: CapturedLine, _ client: Participant, _ message: Message, in bytes: Span<UInt8>
    ) {
        guard message.command != nil, !line.breaksDialect else {
            client.hasSentUnclear = true
            return
        }
        let rooms = lines.entered(message, in: bytes)
        let entry = rooms.first.flatMap { room in
            let isNew = lines.showsEntries && !ledger.mayBeMember(client, of: room)
            return rooms.count == 1 && isNew && client.hasAllReceived ? room : nil
        }
        for index in exchanges where lines.shapes.exchanges[index].request.fits(message, in: bytes)
        {
            let exchange = lines.shapes.exchanges[index]
            let key = exchange.key.flatMap { exchange.request.argument($0, message, in: bytes) }
            ledger.ask(
                index, key ?? [], by: client, line.packet,
                toEnter: exchange.name == "enter" ? entry : nil)
        }
        if lines.logsOut(message, in: bytes) { client.logoutIndex = ledger.index }
        for room in rooms { ledger.set(.entering, of: client, in: room) }
        if let text = lines.sent(message, in: bytes) {
            ledger.send(text, from: client, line.packet)
        }
    }

    private func takeReceived(
        _ line: CapturedLine, _ client: Participant, _ message: Message, in bytes: Span<UInt8>
    ) {
        if let text = lines.received(message, in: bytes) {
            let isCut = line.frame.whole.count + Self.cutBytesMax >= lineBytesMax
            ledger.receive(text, by: client, isCut: isCut, line.packet)
            return
        }
        switch lines.change(message, in: bytes, for: client.name) {
        case .entered(let room):
            ledger.grant(client, room)
            ledger.set(.member, of: client, in: room)
        case .left(let room): ledger.set(.left, of: client, in: room)
        case .perhapsLeft(let room):
            if ledger.isMember(client, of: room) { ledger.set(.unclear, of: client, in: room) }
        case nil: break
        }
        guard !client.unprocessed.isEmpty || !client.pending.isEmpty else {
            // It may be a second answer.
            if !client.answered.isEmpty { takeAnswer(line, client, message, in: bytes) }
            return
        }
        let isRefusal = classifier?.isRefusal(message, line.frame, in: bytes, for: client.name)
        guard isRefusal == true else { return takeAnswer(line, client, message, in: bytes) }
        let fields = message.split.fields.map { bytes.array($0.value) }
        ledger.refuse(client) { value in
            !value.isEmpty && fields.contains { NameFolding.isSame($0, value) }
        }
    }

    private func takeAnswer(
        _ line: CapturedLine, _ client: Participant, _ message: Message, in bytes: Span<UInt8>
    ) {
        for index in exchanges {
            let exchange = lines.shapes.exchanges[index]
            guard exchange.answer.fits(message, in: bytes) else { continue }
            if let named = exchange.answer.value("name", message, in: bytes), !client.name.isEmpty,
                !client.hasName(named)
            {
                continue
            }
            let key = exchange.key.flatMap { exchange.answer.argument($0, message, in: bytes) }
            ledger.answer(
                index, key ?? [], to: client, isProbe: isProbe[index], line.packet)
        }
    }

    package func note(
        _ note: ConversationNote, _ connection: CapturedConnection, _ direction: Direction?,
        _ packet: PacketInfo
    ) {
        switch note {
        case .gap, .lineCut, .undecrypted:
            let participant = ledger.participant(connection)
            for side in Direction.allCases where direction == nil || direction == side {
                ledger.lose(side, of: participant)
            }
        case .encrypted, .compressed, .outOfStep:
            let participant = ledger.participant(connection)
            for side in Direction.allCases { ledger.lose(side, of: participant) }
        default: break
        }
    }

    package func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo
    ) {
        ledger.advance(to: packet)
        // The ledger decides at the end of the capture about connections that are still open.
        if end != .captureEnd {
            ledger.end(
                ledger.participant(connection), end,
                isClosedByServer: connection.closedBy == .fromServer)
        }
        emit()
    }

    private func emit() {
        guard !ledger.settled.isEmpty else { return }
        for item in ledger.settled {
            switch item {
            case .message(let report): receiver.take(report)
            case .finding(let finding): receiver.take(finding)
            }
        }
        ledger.settled.removeAll(keepingCapacity: true)
    }

    package func pause() {
        ledger.expire(batch: 1)
        emit()
        receiver.flush()
    }

    package func finish() {
        ledger.finish()
        emit()
        receiver.finish(ledger.counts)
    }
}
