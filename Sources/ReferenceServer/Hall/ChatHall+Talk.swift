extension ChatHall {
    /// Nobody speaks in another's name.
    func checkSender(_ from: Int64, _ session: ChatSession) throws(Refusal) {
        guard from == 0 || from == session.identifier else {
            throw Refusal(.notAllowed, "identifier \(from) is somebody else's")
        }
    }

    /// Relays a text to the others in a chat. There is no answer, and no echo.
    mutating func say(
        _ text: [UInt8], in number: Int64, isHidden: Bool, _ id: ConnectionID,
        _ session: ChatSession, _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        try checkMember(of: number, session)
        guard !(isHidden && session.isVisitor) else {
            throw Refusal(.notAllowed, "visitors say nothing hidden")
        }
        let record = chats[number]?.record(
            text, from: session.nickname.bytes, at: now + rules.wallClockOffset,
            isHidden: isHidden)
        guard let record, let members = chats[number]?.members else { throw .noSuchChat }
        let audience =
            isHidden ? members.filter { connections[$0]?.isVisitor == false } : members
        effects.append(.tell(audience, except: id, .message(record, chat: number)))
    }

    mutating func sayPrivately(
        _ text: [UInt8], to nickname: [UInt8], _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        guard let key = Nickname.key(of: nickname, bytesMax: rules.nicknameBytesMax),
            let receiver = holders[key]
        else { throw Refusal(.notFound, "no such nickname") }
        privateMessageLast += 1
        effects.append(
            .tell(
                [receiver], except: nil,
                .privateMessage(
                    identifier: privateMessageLast, text: text, sender: session.nickname.bytes)))
    }

    /// Passes an add-on's structured argument on to the others in a chat, as it is.
    func runAction(
        _ action: [UInt8], in number: Int64, _ id: ConnectionID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        try checkMember(of: number, session)
        guard !action.isEmpty, let members = chats[number]?.members else {
            throw Refusal(.notUnderstood, "the action is empty")
        }
        effects.append(
            .tell(
                members, except: id,
                .actionDone(chat: number, sender: session.nickname.bytes, action: action)))
    }
}
