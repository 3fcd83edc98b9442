import ChatModel
import LineProtocol

/// An encoder for notices, in the form that each recipient has requested with its capabilities.
struct IRCNoticeEncoder {
    let replies: IRCReplies
    let clients: IRCClients
    let information: IRCServerInformation

    func encode(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        let start = line.count
        switch notice {
        case .message, .privateMessage:
            return try encodeMessage(notice, to: id, shown: nil, service, &line)
        case .joined, .left, .topicChanged, .kicked, .invited, .guestInvited, .changed:
            try encodeRoomNotice(notice, to: id, service, &line)
        case .loggedIn:
            if let id { information.appendWelcome(id, service, &line) }
            return
        case .refused, .loggedOut, .goingDown, .pong, .keepalivePing:
            try encodeDirectNotice(notice, to: id, service, &line)
        case .renamed, .departed, .awayChanged, .realNameChanged, .accountChanged:
            try encodeUserNotice(notice, to: id, &line)
        case .listed, .whoEnd, .record, .historyEnd, .actionDone, .operatorLoggedIn,
            .operatorLoggedOut, .visitorArrived, .visitorLeft, .opened, .ended:
            return
        }
        replies.cut(&line, from: start)
        guard let id, let person = notice.person else { return }
        addTags(to: &line, at: start, from: person, [], for: id, at: nil, service)
    }

    /// Appends the line for a message.
    ///
    /// - Parameter target: The target to show; nil for the room or the recipient.
    func encodeMessage(
        _ notice: ChatNotice, to id: ClientID?, shown target: [UInt8]?,
        _ service: borrowing ChatService, _ line: inout [UInt8]
    ) throws(EncodingError) {
        let start = line.count
        switch notice {
        case .message(let record, let chat):
            try encodeText(
                record.text, record.kind, record.sender, to: target ?? chat.bytes, for: id, &line)
            replies.cut(&line, from: start)
            guard let id else { return }
            addTags(
                to: &line, at: start, from: record.sender, record.tags, for: id, at: record.time,
                service)
        case .privateMessage(_, let text, let sender, let kind, let tags):
            let receiver = target ?? id.flatMap { service.session($0)?.nickname.bytes } ?? [0x2A]
            try encodeText(text, kind, sender, to: receiver, for: id, &line)
            replies.cut(&line, from: start)
            guard let id else { return }
            addTags(to: &line, at: start, from: sender, tags, for: id, at: nil, service)
        default: return
        }
    }

    private func encodeText(
        _ text: [UInt8], _ kind: TextKind, _ sender: ChatUser, to target: [UInt8],
        for id: ClientID?, _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch kind {
        case .message:
            try encode("privmsg", sender, ["target": .text(target), "text": .text(text)], &line)
        case .notice:
            try encode("notice", sender, ["target": .text(target), "text": .text(text)], &line)
        case .tagsOnly:
            guard let id, clients.has(.messageTags, id) else { return }
            try encode("tagmsg", sender, ["target": .text(target)], &line)
        }
    }

    private func encodeUserNotice(
        _ notice: ChatNotice, to id: ClientID?, _ line: inout [UInt8]
    ) throws(EncodingError) {
        func wants(_ capability: IRCCapability) -> Bool {
            id.map { clients.has(capability, $0) } == true
                || replies.faults.shouldInject(.unrequestedNotifications)
        }
        switch notice {
        case .renamed(let person, let name):
            try encode("nickChanged", person, ["nickname": .text(name)], &line)
        case .departed(let person, let departure):
            try encode("hasQuit", person, ["reason": .text(reason(departure))], &line)
        case .awayChanged(let person, let text) where wants(.awayNotify):
            try encode(
                "awayChanged", person, ["text": text.map { .text($0) } ?? .absent], &line)
        case .realNameChanged(let person, let name) where wants(.setname):
            try encode("setname", person, ["realname": .text(name)], &line)
        case .accountChanged(let person, let account) where wants(.accountNotify):
            try encode("account", person, ["account": .text(account)], &line)
        default: break
        }
    }

    private func encode(
        _ name: String, _ person: ChatUser, _ values: ReplyEncoder.Values, _ line: inout [UInt8]
    ) throws(EncodingError) {
        try replies.encoder.append(name, values, and: ["source": .text(person.hostmask)], to: &line)
    }

    private func encodeRoomNotice(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .joined(let chat, let person):
            try encodeJoin(chat, person, to: id, service, &line)
        case .guestInvited(let chat, let person, let guest):
            guard let id, clients.has(.inviteNotify, id) else { return }
            try encode(
                "invited", person, ["nickname": .text(guest), "channel": .text(chat.bytes)], &line)
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
            let guest = id.map { clients.name(of: $0, service) } ?? [0x2A]
            try encode(
                "invited", person, ["nickname": .text(guest), "channel": .text(chat.bytes)], &line)
        case .changed(let chat, let person, let changes):
            let changes = IRCChannelModes(changes)
            try encode(
                "modeChanged", person,
                [
                    "target": .text(chat.bytes), "modes": .text(changes.modes),
                    "parameters": .list(changes.parameters),
                ], &line)
        default: break
        }
    }

    private func encodeJoin(
        _ chat: RoomName, _ person: ChatUser, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        guard let id, clients.has(.extendedJoin, id),
            let holder = service.holder(of: person.nickname),
            let session = service.session(holder)
        else { return try encode("joined", person, ["channel": .text(chat.bytes)], &line) }
        try encode(
            "joined", person,
            [
                "channel": .text(chat.bytes), "account": .text(clients[holder]?.account ?? [0x2A]),
                "realname": .text(session.profile.realName),
            ], &line)
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
            let server = ArgumentValue.text(IRCRules.serverName)
            try replies.encoder.append(
                "ponged", ["source": server, "server": server, "token": .text(token)], to: &line)
        case .keepalivePing:
            try replies.encoder.append("ping", ["token": .text(IRCRules.serverName)], to: &line)
        default: break
        }
    }

    private func encodeError(_ reason: [UInt8], _ line: inout [UInt8]) throws(EncodingError) {
        try replies.encoder.append(
            "error", ["reason": .text(Array("Closing link: (".utf8) + reason + [0x29])], to: &line)
    }

    /// Returns the reason as shown to other users. Reasons that a user gave are marked as such.
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

extension ChatNotice {
    /// The user whose action the notice reports; nil if it is from the server.
    fileprivate var person: ChatUser? {
        switch self {
        case .joined(_, let person), .left(_, let person, _), .topicChanged(_, let person, _),
            .kicked(_, let person, _, _), .invited(_, let person), .guestInvited(_, let person, _),
            .changed(_, let person, _), .renamed(let person, _), .departed(let person, _),
            .awayChanged(let person, _), .realNameChanged(let person, _),
            .accountChanged(let person, _):
            person
        default: nil
        }
    }
}
