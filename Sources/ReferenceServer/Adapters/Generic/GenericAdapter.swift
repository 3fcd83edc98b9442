import ChatModel
package import LineProtocol
import Logging

/// An adapter built only from a dialect's behaviours, for protocols without a dedicated adapter. It
/// receives the lines that the behaviours send, and sends the lines that they expect.
package final class GenericAdapter: ProtocolAdapter {
    private struct ClientSlot {
        /// Index of the next expected login exchange.
        var step = 0
        var values: GenericMessage.Values = [:]
    }

    private let dialect: Dialect
    private let encoder: MessageEncoder
    private let script: GenericScript
    private var slots = SlotTable<ClientSlot>()
    private var guestLast = 0

    package init(_ dialect: Dialect) throws(ServerError) {
        self.dialect = dialect
        encoder = MessageEncoder(dialect, direction: .fromServer)
        script = try GenericScript(dialect)
    }

    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(folding: .ascii, alphabet: .word).decided(by: dialect)
        rules.presence = .rooms
        rules.echoes = dialect.policies["echo"] == "sender"
        rules.anyLineKeepsAlive = true
        if dialect.policies["second-login"] == "replace" { rules.secondLogin = .replace }
        return rules
    }

    package func greet(_ id: ClientID, _ context: inout RequestContext) {
        slots[id] = ClientSlot()
        guard let first = script.login.first else {
            guestLast += 1
            let name = Array("guest-\(guestLast)".utf8)
            slots[id]?.values["name"] = name
            return context.ask(.login(nickname: name, password: [], isVisitor: false), from: id)
        }
        if first.request == nil {
            slots[id]?.step = 1
            answer(first.replies, [:], id, &context)
        }
    }

    package func forget(_ id: ClientID) { slots[id] = nil }

    package func receive(
        _ line: RequestLine, from id: ClientID, _ context: inout RequestContext
    ) {
        switch line.verdict(dialect.framing.fromClient.overflow, open: .reject) {
        case .carryOut: break
        case .nothing: return
        case .end(let departure): return context.end(id, departure)
        case .refuse(let refusal): return refuse(refusal, id, &context)
        }
        context.service.keepAlive(id, context.now)
        if let signature = line.signature, let issue = line.intolerable {
            return refuse(
                Refusal(.notUnderstood, issue.explanation(signature)), id, &context)
        }
        if context.service.session(id) == nil, receiveLogin(line, id, &context) { return }
        if receiveFixed(line, id, &context) { return }
        guard context.service.session(id) != nil else {
            if context.closesEarly(id) { return }
            refuse(Refusal(.notLoggedIn, "not logged in"), id, &context)
            return close(id, if: "early-command", &context)
        }
        if !receiveMessage(line, id, &context) {
            refuse(Refusal(.notUnderstood, "not understood"), id, &context)
            if line.signature == nil { close(id, if: "unknown-command", &context) }
        }
    }

    // MARK: Receiving

    /// Handles the next step of a login. Returns false if the line is not the expected one.
    private func receiveLogin(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) -> Bool {
        guard let slot = slots[id], script.login.indices.contains(slot.step) else { return false }
        let exchange = script.login[slot.step]
        guard var values = exchange.request?.match(line, knowing: slot.values) else {
            return false
        }
        if slot.step == script.login.count - 1 {
            do throws(Refusal) {
                try context.attempt(
                    .login(nickname: values["name"] ?? [], password: [], isVisitor: false),
                    from: id)
            } catch {
                slots[id]?.values["name"] = nil
                slots[id]?.step = script.login.first?.request == nil ? 1 : 0
                refuse(error, id, &context)
                return true
            }
            values["name"] = context.service.session(id)?.nickname.bytes
        }
        slots[id] = ClientSlot(step: slot.step + 1, values: values)
        answer(exchange.replies, values, id, &context)
        return true
    }

    /// Handles probes, keepalives and logouts, which are allowed both before and after login.
    /// Returns false for other lines.
    private func receiveFixed(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) -> Bool {
        let known = slots[id]?.values.filter { $0.key == "name" } ?? [:]
        for exchange in script.probe + script.keepalive + script.logout {
            guard let values = exchange.request?.match(line, knowing: known) else { continue }
            answer(exchange.replies, values, id, &context)
            if exchange.closes { context.close(id, .loggedOut) }
            return true
        }
        return false
    }

    private func receiveMessage(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) -> Bool {
        let known = slots[id]?.values.filter { $0.key == "name" } ?? [:]
        for (action, exchange) in script.actions {
            guard let values = exchange.request?.match(line, knowing: known) else { continue }
            do throws(Refusal) {
                try carryOut(action, values, id, &context)
                answer(exchange.replies, values, id, &context)
            } catch {
                refuse(error, id, &context)
            }
            return true
        }
        return false
    }

    private func carryOut(
        _ action: GenericScript.Action, _ values: GenericMessage.Values, _ id: ClientID,
        _ context: inout RequestContext
    ) throws(Refusal) {
        let text = values["text"] ?? []
        let room = RoomName(values["room"] ?? [], context.service.rules.names)
        switch action {
        case .relay:
            guard let to = values["to"] else { return broadcast(text, id, &context) }
            try context.attempt(.sayPrivately(to: to, text: text), from: id)
        case .enter: try context.attempt(.join(chat: room), from: id)
        case .leave: try context.attempt(.leave(chat: room), from: id)
        case .say:
            try context.attempt(.say(from: 0, chat: room, text: text, isHidden: false), from: id)
        }
    }

    /// Sends text to all other clients, for dialects whose messages have no recipient.
    private func broadcast(_ text: [UInt8], _ id: ClientID, _ context: inout RequestContext) {
        for other in context.service.present where other != id {
            guard let session = context.service.session(other) else { continue }
            context.ask(.sayPrivately(to: session.nickname.bytes, text: text), from: id)
        }
    }

    // MARK: Sending

    private func answer(
        _ messages: [GenericMessage], _ values: GenericMessage.Values, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        var line: [UInt8] = []
        for message in messages {
            do {
                try message.append(values, dialect, encoder, to: &line)
            } catch {
                context.logger.error("cannot encode an answer", metadata: ["error": "\(error)"])
            }
        }
        context.answer(id, line)
    }

    private func refuse(_ refusal: Refusal, _ id: ClientID, _ context: inout RequestContext) {
        var line: [UInt8] = []
        do {
            try script.refusal?.append(
                [:], reason: refusal.reason, dialect, encoder, to: &line)
        } catch {
            context.logger.error("cannot encode a refusal", metadata: ["error": "\(error)"])
        }
        context.answer(id, line)
    }

    /// Closes the connection if the dialect sets `policy` to `close`.
    private func close(_ id: ClientID, if policy: String, _ context: inout RequestContext) {
        if dialect.policies[policy] == "close" { context.close(id, .protocolViolated) }
    }

    package func encode(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .privateMessage(_, let text, let sender, _, _):
            let name = id.flatMap { service.session($0)?.nickname.bytes } ?? []
            try script.arrival.append(
                ["from": sender.nickname, "text": text, "name": name], dialect, encoder,
                to: &line)
        case .message(let record, let chat):
            try script.roomMessage?.append(
                ["from": record.sender.nickname, "text": record.text, "room": chat.bytes],
                dialect, encoder, to: &line)
        case .refused(_, let refusal):
            try script.refusal?.append(
                [:], reason: refusal.reason, dialect, encoder, to: &line)
        default: break
        }
    }
}
