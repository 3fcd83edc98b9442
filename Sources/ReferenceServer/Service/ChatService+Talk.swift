import ChatModel

/// What somebody says, and how.
struct ChatText {
    /// The text, or the bytes of what is not text.
    var text: [UInt8]
    var isHidden = false
    var kind = TalkKind.talk
    var content = ContentType.text
    /// Of an image or a voice.
    var format: [UInt8] = []
}

extension ChatService {
    /// Whose words they are. Nobody speaks in another's name.
    func speaker(
        _ from: Int64, _ id: ConnectionID, _ session: ChatSession
    ) throws(Refusal) -> (id: ConnectionID, session: ChatSession) {
        if from == 0 || from == session.identifier { return (id, session) }
        let other = present.first { connections[$0]?.identifier == from }
        guard let other, let forged = connections[other], faults.strikes(.forgedSource) else {
            throw Refusal(.notAllowed, "identifier \(from) is somebody else's")
        }
        return (other, forged)
    }

    /// Relays a text to the others in a chat. There is no answer, and an echo only if the rules say so.
    mutating func say(
        _ utterance: ChatText, in name: RoomName, _ id: ConnectionID, _ session: ChatSession,
        _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        try checkAdapter(id, session, in: name)
        guard !(utterance.isHidden && session.isVisitor) else {
            throw Refusal(.notAllowed, "visitors say nothing hidden")
        }
        try checkScene(of: name, utterance)
        connections[id]?.spokeAt = now
        keepOpen(name, now)
        var said = utterance
        said.text = faults.shortened(said.text)
        let record = chats[name]?.record(
            said, from: session.person, at: now + rules.wallClockOffset)
        guard let record, let room = chats[name] else { throw .noSuchChat }
        let audience =
            utterance.isHidden
            ? room.members.filter { connections[$0]?.isVisitor == false } : room.members
        if faults.isArmed(.leaversHear),
            audience.contains(where: { connections[$0]?.chats.contains(name) == false })
        {
            faults.count(.leaversHear)
        }
        effects.append(
            .tell(audience, except: rules.echoes ? nil : id, .message(record, chat: room.name)))
    }

    /// Throws if the session may not talk in the chat.
    private func checkAdapter(
        _ id: ConnectionID, _ session: ChatSession, in name: RoomName
    ) throws(Refusal) {
        guard let room = chats[name] else { throw .noSuchChat }
        if room.flags.contains(.membersOnly), !session.chats.contains(name) {
            throw Refusal(.notInRoom, "not in that chat")
        }
        if room.flags.contains(.moderated), room.rank(of: id).isEmpty {
            throw Refusal(.notAllowed, "only who has a voice may talk")
        }
    }

    mutating func sayPrivately(
        _ text: [UInt8], to nickname: [UInt8], _ kind: TalkKind, _ id: ConnectionID,
        _ session: ChatSession, _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        guard let receiver = holder(of: nickname) else { throw .noSuchNickname }
        privateMessageLast += 1
        connections[id]?.spokeAt = now
        effects.append(
            .tell(
                [receiver], except: nil,
                .privateMessage(
                    identifier: privateMessageLast, text: faults.shortened(text),
                    sender: session.person, kind: kind)))
    }

    /// Passes an add-on's structured argument on to the others in a chat, as it is.
    func runAction(
        _ action: [UInt8], in name: RoomName, _ id: ConnectionID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        let room = try checkMember(of: name, session)
        guard !action.isEmpty else {
            throw Refusal(.notUnderstood, "the action is empty")
        }
        effects.append(
            .tell(
                room.members, except: id,
                .actionDone(chat: room.name, sender: session.person, action: action)))
    }
}
