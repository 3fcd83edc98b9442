import ChatModel
package import LineProtocol

extension IRCAdapter {
    package func say(
        _ notice: ChatNotice, to id: ConnectionID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        let start = line.count
        switch notice {
        case .message(let record, let chat):
            try sayText(record.text, record.kind, record.sender, to: chat.bytes, &line)
        case .privateMessage(_, let text, let sender, let kind):
            let receiver = id.flatMap { service.session($0)?.nickname.bytes } ?? [0x2A]
            try sayText(text, kind, sender, to: receiver, &line)
        case .joined, .left, .topicChanged, .kicked, .invited, .changed:
            try sayOfRoom(notice, to: id, service, &line)
        case .loggedIn:
            if let id { appendWelcome(id, service, &line) }
            return
        case .refused, .loggedOut, .goingDown, .pong, .areYouThere:
            try sayToOne(notice, to: id, service, &line)
        case .renamed(let person, let name):
            try say("nickChanged", person, ["nickname": .text(name)], &line)
        case .departed(let person, let departure):
            try say("hasQuit", person, ["reason": .text(reason(departure))], &line)
        case .listed, .whoEnd, .record, .historyEnd, .actionDone, .operatorLoggedIn,
            .operatorLoggedOut, .visitorArrived, .visitorLeft, .awayChanged, .opened, .ended:
            return
        }
        cut(&line, from: start)
    }

    /// A text, cut so that its line is not too long.
    private func sayText(
        _ text: [UInt8], _ kind: TalkKind, _ sender: Person, to target: [UInt8],
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        try say(
            kind == .talk ? "privmsg" : "notice", sender,
            ["target": .text(target), "text": .text(text)], &line)
    }

    private func say(
        _ name: String, _ person: Person, _ values: ReplyEncoder.Values, _ line: inout [UInt8]
    ) throws(EncodingError) {
        try words.append(name, values, and: ["source": .text(source(person))], to: &line)
    }

    private func sayOfRoom(
        _ notice: ChatNotice, to id: ConnectionID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .joined(let chat, let person):
            try say("joined", person, ["channel": .text(chat.bytes)], &line)
        case .left(let chat, let person, let reason):
            let text = reason.isEmpty ? ArgumentValue.absent : .text(reason)
            try say("parted", person, ["channel": .text(chat.bytes), "reason": text], &line)
        case .topicChanged(let chat, let person, let topic):
            try say(
                "topicChanged", person,
                ["channel": .text(chat.bytes), "topic": .text(topic)], &line)
        case .kicked(let chat, let person, let victim, let reason):
            try say(
                "kicked", person,
                [
                    "channel": .text(chat.bytes), "user": .text(victim), "reason": .text(reason),
                ], &line)
        case .invited(let chat, let person):
            let guest = id.map { client($0, service) } ?? [0x2A]
            try say(
                "invited", person, ["nickname": .text(guest), "channel": .text(chat.bytes)], &line)
        case .changed(let chat, let person, let changes):
            let (modes, parameters) = spelling(of: changes)
            try say(
                "modeChanged", person,
                [
                    "target": .text(chat.bytes), "modes": .text(modes),
                    "parameters": .list(parameters),
                ], &line)
        default: break
        }
    }

    private func sayToOne(
        _ notice: ChatNotice, to id: ConnectionID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .refused(_, let refusal): try sayError(Array(refusal.reason.utf8), &line)
        case .loggedOut(let departure): try sayError(reason(departure), &line)
        case .goingDown(_, let reason): try sayError(Array(reason.utf8), &line)
        case .pong(let token):
            let server = ArgumentValue.text(Self.serverName)
            try words.append(
                "ponged", ["source": server, "server": server, "token": .text(token)], to: &line)
        case .areYouThere:
            try words.append("ping", ["token": .text(Self.serverName)], to: &line)
        default: break
        }
    }

    /// The last line before the connection is closed.
    private func sayError(_ reason: [UInt8], _ line: inout [UInt8]) throws(EncodingError) {
        try words.append(
            "error", ["reason": .text(Array("Closing link: (".utf8) + reason + [0x29])], to: &line)
    }

    /// Why somebody went, as others are told it: what people gave as a reason is marked as such.
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
