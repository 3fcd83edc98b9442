import ChatModel
package import LineProtocol

extension IRCAdapter {
    package func encode(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        let start = line.count
        switch notice {
        case .message(let record, let chat):
            try encodeText(record.text, record.kind, record.sender, to: chat.bytes, &line)
        case .privateMessage(_, let text, let sender, let kind):
            let receiver = id.flatMap { service.session($0)?.nickname.bytes } ?? [0x2A]
            try encodeText(text, kind, sender, to: receiver, &line)
        case .joined, .left, .topicChanged, .kicked, .invited, .changed:
            try encodeRoomNotice(notice, to: id, service, &line)
        case .loggedIn:
            if let id { appendWelcome(id, service, &line) }
            return
        case .refused, .loggedOut, .goingDown, .pong, .keepalivePing:
            try encodeDirectNotice(notice, to: id, service, &line)
        case .renamed(let person, let name):
            try encode("nickChanged", person, ["nickname": .text(name)], &line)
        case .departed(let person, let departure):
            try encode("hasQuit", person, ["reason": .text(reason(departure))], &line)
        case .listed, .whoEnd, .record, .historyEnd, .actionDone, .operatorLoggedIn,
            .operatorLoggedOut, .visitorArrived, .visitorLeft, .awayChanged, .opened, .ended:
            return
        }
        cut(&line, from: start)
    }

    private func encodeText(
        _ text: [UInt8], _ kind: TextKind, _ sender: ChatUser, to target: [UInt8],
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        try encode(
            kind == .message ? "privmsg" : "notice", sender,
            ["target": .text(target), "text": .text(text)], &line)
    }

    private func encode(
        _ name: String, _ person: ChatUser, _ values: ReplyEncoder.Values, _ line: inout [UInt8]
    ) throws(EncodingError) {
        try encoder.append(name, values, and: ["source": .text(source(person))], to: &line)
    }

    private func encodeRoomNotice(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .joined(let chat, let person):
            try encode("joined", person, ["channel": .text(chat.bytes)], &line)
        case .left(let chat, let person, let reason):
            let text = reason.isEmpty ? ArgumentValue.absent : .text(reason)
            try encode("parted", person, ["channel": .text(chat.bytes), "reason": text], &line)
        case .topicChanged(let chat, let person, let topic):
            try encode(
                "topicChanged", person,
                ["channel": .text(chat.bytes), "topic": .text(topic)], &line)
        case .kicked(let chat, let person, let victim, let reason):
            try encode(
                "kicked", person,
                [
                    "channel": .text(chat.bytes), "user": .text(victim), "reason": .text(reason),
                ], &line)
        case .invited(let chat, let person):
            let guest = id.map { client($0, service) } ?? [0x2A]
            try encode(
                "invited", person, ["nickname": .text(guest), "channel": .text(chat.bytes)], &line)
        case .changed(let chat, let person, let changes):
            let (modes, parameters) = spelling(of: changes)
            try encode(
                "modeChanged", person,
                [
                    "target": .text(chat.bytes), "modes": .text(modes),
                    "parameters": .list(parameters),
                ], &line)
        default: break
        }
    }

    private func encodeDirectNotice(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .refused(_, let refusal): try encodeError(Array(refusal.reason.utf8), &line)
        case .loggedOut(let departure): try encodeError(reason(departure), &line)
        case .goingDown(_, let reason): try encodeError(Array(reason.utf8), &line)
        case .pong(let token):
            let server = ArgumentValue.text(Self.serverName)
            try encoder.append(
                "ponged", ["source": server, "server": server, "token": .text(token)], to: &line)
        case .keepalivePing:
            try encoder.append("ping", ["token": .text(Self.serverName)], to: &line)
        default: break
        }
    }

    private func encodeError(_ reason: [UInt8], _ line: inout [UInt8]) throws(EncodingError) {
        try encoder.append(
            "error", ["reason": .text(Array("Closing link: (".utf8) + reason + [0x29])], to: &line)
    }

    /// Returns the reason as it is shown to others. Reasons that users gave are marked as such.
    private func reason(_ departure: DisconnectReason) -> [UInt8] {
        switch departure {
        case .quit(let reason): Array((reason.isEmpty ? "Quit" : "Quit: ").utf8) + reason
        case .loggedOut: Array("Quit".utf8)
        case .disconnected: Array("Connection closed".utf8)
        case .expired: Array("Ping timeout".utf8)
        case .readsTooSlowly: Array("SendQ exceeded".utf8)
        case .tooFast: Array("Excess flood".utf8)
        default: departure.reasonBytes
        }
    }
}
