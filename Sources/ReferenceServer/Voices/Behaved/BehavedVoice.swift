import ChatModel
package import LineProtocol
import Logging

/// A voice made of nothing but a dialect's behaviours, for protocols that nobody wrote a voice for: it
/// hears what the behaviours send and says what they expect.
package final class BehavedVoice: Voice {
    private struct Seat {
        /// The exchange of the login that comes next.
        var step = 0
        var values: BehavedMessage.Values = [:]
    }

    private let dialect: Dialect
    private let encoder: MessageEncoder
    private let script: BehavedScript
    private var seats = SeatTable<Seat>()
    private var guestLast = 0

    package init(_ dialect: Dialect) throws(ServerError) {
        self.dialect = dialect
        encoder = MessageEncoder(dialect, direction: .fromServer)
        script = try BehavedScript(dialect)
    }

    /// How the hall behaves where this is spoken.
    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(folding: .ascii, alphabet: .word).decided(by: dialect)
        rules.presence = .rooms
        rules.echoes = dialect.policies["echo"] == "sender"
        rules.anyLineKeepsAlive = true
        if dialect.policies["second-login"] == "replace" { rules.secondLogin = .replace }
        return rules
    }

    package func greet(_ id: ConnectionID, _ stage: inout Stage) {
        seats[id] = Seat()
        guard let first = script.login.first else {
            guestLast += 1
            let name = Array("guest-\(guestLast)".utf8)
            seats[id]?.values["name"] = name
            return stage.ask(.login(nickname: name, password: [], isVisitor: false), from: id)
        }
        if first.request == nil {
            seats[id]?.step = 1
            answer(first.replies, [:], id, &stage)
        }
    }

    package func forget(_ id: ConnectionID) { seats[id] = nil }

    package func hear(_ line: HeardLine, from id: ConnectionID, _ stage: inout Stage) {
        switch line.verdict(dialect.framing.fromClient.overflow, open: .reject) {
        case .carryOut: break
        case .nothing: return
        case .end(let departure): return stage.end(id, departure)
        case .refuse(let refusal): return refuse(refusal, id, &stage)
        }
        stage.hall.keepAlive(id, stage.now)
        if stage.hall.session(id) == nil, hearLogin(line, id, &stage) { return }
        if hearFixed(line, id, &stage) { return }
        guard stage.hall.session(id) != nil else {
            if stage.closesEarly(id) { return }
            return refuse(Refusal(.notLoggedIn, "not logged in"), id, &stage)
        }
        if !hearTalk(line, id, &stage) {
            refuse(Refusal(.notUnderstood, "not understood"), id, &stage)
        }
    }

    // MARK: Hearing

    /// Takes the next step of the login, if the line is that.
    private func hearLogin(
        _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) -> Bool {
        guard let seat = seats[id], script.login.indices.contains(seat.step) else { return false }
        let exchange = script.login[seat.step]
        guard let values = exchange.request?.match(line, knowing: seat.values) else {
            return false
        }
        if seat.step == script.login.count - 1 {
            do throws(Refusal) {
                try stage.attempt(
                    .login(nickname: values["name"] ?? [], password: [], isVisitor: false),
                    from: id)
            } catch {
                seats[id]?.values["name"] = nil
                seats[id]?.step = script.login.first?.request == nil ? 1 : 0
                refuse(error, id, &stage)
                return true
            }
        }
        seats[id] = Seat(step: seat.step + 1, values: values)
        answer(exchange.replies, values, id, &stage)
        return true
    }

    /// What is the same before and after the login: probe, keepalive, logout.
    private func hearFixed(
        _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) -> Bool {
        let known = seats[id]?.values.filter { $0.key == "name" } ?? [:]
        for exchange in script.probe + script.keepalive + script.logout {
            guard let values = exchange.request?.match(line, knowing: known) else { continue }
            answer(exchange.replies, values, id, &stage)
            if exchange.closes { stage.close(id, .loggedOut) }
            return true
        }
        return false
    }

    private func hearTalk(
        _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) -> Bool {
        let known = seats[id]?.values.filter { $0.key == "name" } ?? [:]
        for (act, exchange) in script.acts {
            guard let values = exchange.request?.match(line, knowing: known) else { continue }
            do throws(Refusal) {
                try carryOut(act, values, id, &stage)
                answer(exchange.replies, values, id, &stage)
            } catch {
                refuse(error, id, &stage)
            }
            return true
        }
        return false
    }

    private func carryOut(
        _ act: BehavedScript.Act, _ values: BehavedMessage.Values, _ id: ConnectionID,
        _ stage: inout Stage
    ) throws(Refusal) {
        let text = values["text"] ?? []
        let room = RoomName(values["room"] ?? [], stage.hall.rules.names)
        switch act {
        case .relay:
            guard let to = values["to"] else { return broadcast(text, id, &stage) }
            try stage.attempt(.sayPrivately(to: to, text: text), from: id)
        case .enter: try stage.attempt(.join(chat: room), from: id)
        case .leave: try stage.attempt(.leave(chat: room), from: id)
        case .say:
            try stage.attempt(.say(from: 0, chat: room, text: text, isHidden: false), from: id)
        }
    }

    /// A text that names no receiver is for everybody else.
    private func broadcast(_ text: [UInt8], _ id: ConnectionID, _ stage: inout Stage) {
        for other in stage.hall.present where other != id {
            guard let session = stage.hall.session(other) else { continue }
            stage.ask(.sayPrivately(to: session.nickname.bytes, text: text), from: id)
        }
    }

    // MARK: Saying

    private func answer(
        _ messages: [BehavedMessage], _ values: BehavedMessage.Values, _ id: ConnectionID,
        _ stage: inout Stage
    ) {
        var line: [UInt8] = []
        for message in messages {
            do {
                try message.append(values, dialect, encoder, to: &line)
            } catch {
                stage.logger.error("an answer has no spelling", metadata: ["error": "\(error)"])
            }
        }
        stage.answer(id, line)
    }

    private func refuse(_ refusal: Refusal, _ id: ConnectionID, _ stage: inout Stage) {
        var line: [UInt8] = []
        do {
            try script.refusal?.append(
                [:], reason: refusal.reason, dialect, encoder, to: &line)
        } catch {
            stage.logger.error("a refusal has no spelling", metadata: ["error": "\(error)"])
        }
        stage.answer(id, line)
    }

    package func say(
        _ notice: ChatNotice, to id: ConnectionID?, _ hall: borrowing ChatHall,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .privateMessage(_, let text, let sender, _):
            let name = id.flatMap { hall.session($0)?.nickname.bytes } ?? []
            try script.arrival.append(
                ["from": sender.nickname, "text": text, "name": name], dialect, encoder,
                to: &line)
        case .message(let record, let chat):
            try script.heard?.append(
                ["from": record.sender.nickname, "text": record.text, "room": chat.bytes],
                dialect, encoder, to: &line)
        case .refused(_, let refusal):
            try script.refusal?.append(
                [:], reason: refusal.reason, dialect, encoder, to: &line)
        default: break
        }
    }
}
