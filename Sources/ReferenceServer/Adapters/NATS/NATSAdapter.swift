import ChatModel
package import LineProtocol

/// An adapter for NATS: subjects instead of rooms, payloads with a declared length, and no need to
/// log in under a name.
///
/// Delivery depends on subscriptions with wildcards and client-chosen IDs, so the adapter stores
/// the subscriptions. The service manages connections, sessions, limits and expiry.
package final class NATSAdapter: ProtocolAdapter {
    static let serverName = "nats.linejudge.test"

    private let encoder: ReplyEncoder
    private let faults: FaultInjector
    private let payloadBytesMax: Int
    private var slots = SlotTable<NATSClientState>()
    private var subscriptions = SubscriptionTable()
    private var clientLast = 0

    package init(_ dialect: Dialect, faults: FaultInjector) throws(ServerError) {
        encoder = ReplyEncoder(dialect)
        self.faults = faults
        payloadBytesMax = dialect.framing.fromClient.limits.payloadBytesMax
        try encoder.require(client: ["publish", "subscribe", "ping"])
        try encoder.require(server: ["info", "message", "pong", "ok", "error"])
    }

    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(folding: .exact, alphabet: .word)
        rules.presence = .rooms
        rules.anyLineKeepsAlive = true
        rules.pingsBeforeExpiry = true
        return rules
    }

    package func greet(_ id: ClientID, _ context: inout RequestContext) {
        clientLast += 1
        slots[id] = NATSClientState()
        context.ask(
            .login(nickname: Array("client-\(clientLast)".utf8), password: [], isVisitor: false),
            from: id)
        let info =
            "{\"server_id\":\"LINEJUDGE\",\"server_name\":\"\(Self.serverName)\","
            + "\"version\":\"2.9.10\",\"proto\":1,\"headers\":true,"
            + "\"max_payload\":\(payloadBytesMax),\"client_id\":\(clientLast)}"
        context.answer(id, encoder.line("info", ["options": .json(Array(info.utf8))]))
    }

    package func forget(_ id: ClientID) {
        slots[id] = nil
        subscriptions.endAll(of: id)
    }

    package func receive(
        _ line: RequestLine, from id: ClientID, _ context: inout RequestContext
    ) {
        if let issue = line.frame.issue { return refuse(issue, id, &context) }
        guard let name = line.signature?.name else {
            return refuse("Unknown Protocol Operation", id, &context)
        }
        guard line.intolerable == nil else {
            // If a known operation has invalid arguments, servers close the connection without
            // answering.
            return context.close(id, .protocolViolated)
        }
        context.service.keepAlive(id, context.now)
        switch name {
        case "connect": connect(line, id, &context)
        case "ping": context.answer(id, encoder.line("pong"))
        case "pong": break
        case "subscribe": subscribe(line, id, &context)
        case "unsubscribe":
            subscriptions.end(
                line.text("sid") ?? [], of: id, after: line.number("maximum").map(Int.init))
            acknowledge(id, &context)
        case "publish", "publishWithHeaders": publish(line, name, id, &context)
        default: refuse("Unknown Protocol Operation", id, &context)
        }
    }

    // MARK: Refusals

    private func refuse(_ issue: FrameIssue, _ id: ClientID, _ context: inout RequestContext) {
        switch issue {
        case .lineOverLimit, .tagsOverLimit, .bufferOverLimit:
            refuse("maximum control line exceeded", id, &context)
        case .payloadOverLimit: refuse("Maximum Payload Violation", id, &context)
        case .payloadNotTerminated: refuse("Unknown Protocol Operation", id, &context)
        case .payloadLengthInvalid: context.close(id, .protocolViolated)
        case .unterminated: break
        }
    }

    private func refuse(_ reason: String, _ id: ClientID, _ context: inout RequestContext) {
        context.answer(id, error(reason))
        context.close(id, .protocolViolated)
    }

    private func error(_ reason: String) -> [UInt8] {
        encoder.line("error", rest: Array("'\(reason)'".utf8))
    }

    /// Sends `+OK` unless the client has turned acknowledgements off.
    private func acknowledge(_ id: ClientID, _ context: inout RequestContext) {
        if slots[id]?.isVerbose == true { context.answer(id, encoder.line("ok")) }
    }

    // MARK: Operations

    private func connect(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let options = line.text("options") ?? []
        guard options.first == 0x7B, options.last == 0x7D else {
            return context.close(id, .protocolViolated)
        }
        let text = String(decoding: options, as: UTF8.self)
        slots[id] = NATSClientState(
            isVerbose: text.jsonFlag("verbose") ?? true, echoes: text.jsonFlag("echo") ?? true)
        acknowledge(id, &context)
    }

    private func subscribe(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let subject = line.text("subject") ?? []
        guard NATSSubject.isValid(subject) else {
            return context.answer(id, error("Invalid Subject"))
        }
        subscriptions.add(
            SubscriptionTable.Subscription(
                id: id, sid: line.text("sid") ?? [], subject: subject, queue: line.text("queue")))
        acknowledge(id, &context)
    }

    private func publish(
        _ line: RequestLine, _ name: String, _ id: ClientID, _ context: inout RequestContext
    ) {
        let subject = line.text("subject") ?? []
        guard NATSSubject.isValid(subject), !NATSSubject.hasWildcard(subject) else {
            return context.answer(id, error("Invalid Publish Subject"))
        }
        let headerSize = name == "publish" ? nil : line.number("headerSize") ?? 0
        if let headerSize, !(0...Int64(line.payload?.count ?? 0)).contains(headerSize) {
            return refuse("Unknown Protocol Operation", id, &context)
        }
        acknowledge(id, &context)
        let message = PublishedMessage(
            subject: subject, reply: line.text("reply"), headerSize: headerSize,
            payload: faults.shortened(line.payload ?? []))
        let taken = subscriptions.take(
            subject, without: slots[id]?.echoes == false ? id : nil)
        relay(message, to: taken, &context)
    }

    private struct PublishedMessage {
        var subject: [UInt8]
        var reply: [UInt8]?
        /// Length of the headers at the start of the payload, in bytes; nil if the message has no
        /// headers.
        var headerSize: Int64?
        var payload: [UInt8]
    }

    /// Relays a message to subscribers, encoding it once per subscription ID.
    private func relay(
        _ message: PublishedMessage, to subscriptions: [SubscriptionTable.Subscription],
        _ context: inout RequestContext
    ) {
        var groups: [(sid: [UInt8], ids: [ClientID])] = []
        for subscription in subscriptions {
            if let index = groups.lastIndex(where: { $0.sid == subscription.sid }) {
                groups[index].ids.append(subscription.id)
            } else {
                groups.append((subscription.sid, [subscription.id]))
            }
        }
        for group in groups {
            let line = encoder.line(
                message.headerSize == nil ? "message" : "messageWithHeaders",
                [
                    "subject": .text(message.subject), "sid": .text(group.sid),
                    "reply": message.reply.map { .text($0) } ?? .absent,
                    "headerSize": message.headerSize.map { .int($0) } ?? .absent,
                    "payload": .bytes(message.payload),
                ])
            context.effects.append(.relay(group.ids, line))
        }
    }

    package func encode(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .keepalivePing: try encoder.append("ping", [:], to: &line)
        case .refused(_, let refusal):
            line += error(
                refusal.cause == .tooMany ? "maximum connections exceeded" : refusal.reason)
        case .loggedOut(.expired): line += error("Stale Connection")
        case .loggedOut(.readsTooSlowly): line += error("Slow Consumer")
        case .loggedOut(let departure): line += error(departure.reason)
        default: break
        }
    }
}

private struct NATSClientState {
    /// True if each operation is acknowledged. This is the default until CONNECT changes it.
    var isVerbose = true
    /// True if the client also receives its own messages.
    var echoes = true
}

extension String {
    /// Returns the named Boolean member of a flat JSON object; nil if there is none.
    fileprivate func jsonFlag(_ name: String) -> Bool? {
        guard let range = range(ofText: "\"\(name)\"") else { return nil }
        let rest = self[range].drop { $0 == ":" || $0 == " " || $0 == "\t" }
        return rest.hasPrefix("true") ? true : rest.hasPrefix("false") ? false : nil
    }

    /// Returns the range that starts after the first occurrence of `text`; nil if there is none.
    private func range(ofText text: String) -> PartialRangeFrom<String.Index>? {
        var position = startIndex
        while position < endIndex {
            if self[position...].hasPrefix(text) { return index(position, offsetBy: text.count)... }
            position = index(after: position)
        }
        return nil
    }
}
