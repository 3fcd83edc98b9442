import ChatModel

extension ChatService {
    /// Lists the members of a chat in login order, or all sessions for chat 0.
    func who(
        _ name: RoomName, _ id: ClientID, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        var present = self.present
        if name != 0 {
            guard let chat = chats[name] else { throw .noSuchChat }
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

    /// Sends a member the most recent messages of a chat, newest first.
    func history(
        of name: RoomName, count: Int64, _ id: ClientID, _ session: ChatSession, _ now: Int64,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        let room = try checkMember(of: name, session)
        guard count >= 0 else { throw Refusal(.notUnderstood, "the count must be 0 or greater") }
        let records = room.history.newestFirst(
            Int(clamping: count), since: shownSince(in: name, now),
            withHidden: !session.isVisitor)
        for record in records { effects.append(.answer(id, .record(record, chat: room.name))) }
        effects.append(.answer(id, .historyEnd(chat: room.name, count: records.count)))
    }
}
