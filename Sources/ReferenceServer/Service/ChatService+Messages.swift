import ChatModel

/// Content of a message that a client sends.
struct ChatText {
    /// The text, or the raw bytes of non-text content.
    var text: [UInt8]
    var isHidden = false
    var kind = TextKind.message
    var content = ContentType.text
    /// Format of an image or voice message.
    var format: [UInt8] = []
    var tags: [UInt8] = []
}

extension ChatService {
    /// Returns the sender of a message. A client may send only under its own identifier.
    func speaker(
        _ from: Int64, _ id: ClientID, _ session: ChatSession
    ) throws(Refusal) -> (id: ClientID, session: ChatSession) {
        if from == 0 || from == session.identifier { return (id, session) }
        let other = present.first { connections[$0]?.identifier == from }
        guard let other, let forged = connections[other], faults.shouldInject(.forgedSource) else {
            throw Refusal(.notAllowed, "identifier \(from) belongs to another session")
        }
        return (other, forged)
    }

    /// Relays a message to the other chat members. The sender receives no answer, and an echo only
    /// if the rules enable it.
    mutating func say(
        _ message: ChatText, in name: RoomName, _ id: ClientID, _ session: ChatSession,
        _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        try checkMayTalk(id, session, in: name)
        guard !(message.isHidden && session.isVisitor) else {
            throw Refusal(.notAllowed, "visitors cannot send hidden messages")
        }
        try scenes.check(message, in: name)
        connections[id]?.lastMessageAt = now
        scenes.keepOpen(name, now)
        var relayed = message
        relayed.text = faults.shortened(relayed.text)
        let record = chats[name]?.record(
            relayed, from: session.person, at: now + rules.wallClockOffset)
        guard let record, let room = chats[name] else { throw .noSuchChat }
        let audience =
            message.isHidden
            ? room.members.filter { connections[$0]?.isVisitor == false } : room.members
        if faults.isArmed(.leaversHear),
            audience.contains(where: { connections[$0]?.chats.contains(name) == false })
        {
            faults.count(.leaversHear)
        }
        effects.append(
            .broadcast(audience, except: rules.echoes ? nil : id, .message(record, chat: room.name))
        )
    }

    /// Throws a refusal if the session may not send messages in the chat.
    private func checkMayTalk(
        _ id: ClientID, _ session: ChatSession, in name: RoomName
    ) throws(Refusal) {
        guard let room = chats[name] else { throw .noSuchChat }
        if room.flags.contains(.membersOnly), !session.chats.contains(name) {
            throw Refusal(.notInRoom, "not in that chat")
        }
        guard room.rank(of: id).isEmpty else { return }
        if room.flags.contains(.moderated) {
            throw Refusal(.notAllowed, "only voiced members may send messages")
        }
        if bans(session.person, from: room) {
            throw Refusal(.notAllowed, "banned from that chat")
        }
    }

    mutating func sayPrivately(
        _ message: ChatText, to nickname: [UInt8], _ id: ClientID,
        _ session: ChatSession, _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        guard let receiver = holder(of: nickname) else { throw .noSuchNickname }
        privateMessageLast += 1
        connections[id]?.lastMessageAt = now
        effects.append(
            .broadcast(
                [receiver], except: nil,
                .privateMessage(
                    identifier: privateMessageLast, text: faults.shortened(message.text),
                    sender: session.person, kind: message.kind, tags: message.tags)))
    }

    /// Relays an add-on's action to the other chat members without interpreting it.
    func runAction(
        _ action: [UInt8], in name: RoomName, _ id: ClientID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        let room = try checkMember(of: name, session)
        guard !action.isEmpty else {
            throw Refusal(.notUnderstood, "the action is empty")
        }
        effects.append(
            .broadcast(
                room.members, except: id,
                .actionDone(chat: room.name, sender: session.person, action: action)))
    }
}
