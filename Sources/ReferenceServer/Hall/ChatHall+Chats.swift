extension ChatHall {
    /// Enters a chat. Whoever is in it already is told so again, and nobody else.
    mutating func join(
        _ number: Int64, _ id: ConnectionID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        guard number > 0 else {
            throw Refusal(.notUnderstood, "a chat's number is greater than 0")
        }
        let notice = ChatNotice.joined(chat: number, nickname: session.nickname.bytes)
        if session.chats.contains(number) {
            effects.append(.answer(id, notice))
            return
        }
        guard session.chats.count < rules.chatsPerSessionMax else {
            throw Refusal(.tooMany, "in \(rules.chatsPerSessionMax) chats already")
        }
        if chats[number] == nil, chats.count >= rules.chatsMax {
            throw Refusal(.tooMany, "there are \(rules.chatsMax) chats already")
        }
        connections[id]?.chats.append(number)
        var members = chats[number]?.members ?? []
        effects.append(.answer(id, notice))
        effects.append(.tell(members, except: nil, notice))
        members.append(id)
        let empty = Chat(historyRecordsMax: rules.historyRecordsMax)
        chats[number, default: empty].members = members
    }

    mutating func leave(
        _ number: Int64, _ id: ConnectionID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        try checkMember(of: number, session)
        effects.append(
            .answer(id, .left(chat: number, nickname: session.nickname.bytes)))
        connections[id]?.chats.removeAll { $0 == number }
        takeOut(id, session, of: number, &effects)
    }

    /// Takes a member out of a chat and tells the others. A chat that nobody is in is gone.
    mutating func takeOut(
        _ id: ConnectionID, _ session: ChatSession, of number: Int64,
        _ effects: inout [ChatEffect]
    ) {
        chats[number]?.remove(id)
        guard let members = chats[number]?.members, !members.isEmpty else {
            chats[number] = nil
            return
        }
        effects.append(
            .tell(members, except: nil, .left(chat: number, nickname: session.nickname.bytes)))
    }

    /// Lists who is in a chat, or everybody, in the order in which they logged in.
    func who(
        _ number: Int64, _ id: ConnectionID, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        var present = operators + visitors
        if number != 0 {
            guard let chat = chats[number] else { throw .noSuchChat }
            present = chat.members
        }
        let listed = present.compactMap { connections[$0] }
            .sorted { $0.identifier < $1.identifier }
        for session in listed {
            effects.append(
                .answer(
                    id,
                    .listed(
                        identifier: session.identifier, nickname: session.nickname.bytes,
                        isVisitor: session.isVisitor)))
        }
        effects.append(.answer(id, .whoEnd(count: listed.count)))
    }

    /// Shows a member the last messages of its chat, newest first.
    func history(
        of number: Int64, count: Int64, _ id: ConnectionID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        try checkMember(of: number, session)
        guard count >= 0 else { throw Refusal(.notUnderstood, "a count is 0 or greater") }
        let records =
            chats[number]?.history.newestFirst(
                Int(clamping: count), withHidden: !session.isVisitor) ?? []
        for record in records { effects.append(.answer(id, .record(record, chat: number))) }
        effects.append(.answer(id, .historyEnd(chat: number, count: records.count)))
    }

    func checkMember(of number: Int64, _ session: ChatSession) throws(Refusal) {
        guard !session.chats.contains(number) else { return }
        guard chats[number] != nil else { throw .noSuchChat }
        throw Refusal(.notAllowed, "not in that chat")
    }
}

extension Refusal {
    static let noSuchChat = Refusal(.notFound, "no such chat")
}
