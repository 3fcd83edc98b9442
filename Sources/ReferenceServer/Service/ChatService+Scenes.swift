import ChatModel

extension ChatService {
    /// Opens a chat with other members. If the scene allows only one chat per set of members and
    /// one already exists, the client gets that chat.
    mutating func open(
        _ sceneName: [UInt8], with nicknames: [[UInt8]], _ id: ClientID,
        _ session: ChatSession, _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        guard let scene = Scene(named: String(decoding: sceneName, as: UTF8.self)) else {
            let names = Scene.all.map(\.name).joined(separator: ", ")
            throw Refusal(.noSuchRoom, "no such scene; available scenes: \(names)")
        }
        let members = try participants(of: id, nicknames, scene)
        let memberSet = scene.isOnePerMembers ? Set(members) : nil
        if let memberSet, let name = scenes.chat(of: memberSet), let room = chats[name] {
            effects.append(.answer(id, opened(room, scene)))
            return
        }
        try checkCapacity(for: members)
        let name = scenes.takeNumber(notIn: chats)
        var room = ChatRoom(
            name, rules, at: now + rules.wallClockOffset, historyRecordsMax: scene.messagesMax)
        room.members = members
        for member in members { connections[member]?.chats.append(name) }
        chats[name] = room
        scenes.add(OpenScene(scene: scene, memberSet: memberSet, activeAt: now), name)
        effects.append(.answer(id, opened(room, scene)))
        effects.append(.broadcast(members, except: id, opened(room, scene)))
    }

    /// Returns the members of a chat that is about to be opened, starting with the client opening
    /// it.
    private func participants(
        of id: ClientID, _ nicknames: [[UInt8]], _ scene: Scene
    ) throws(Refusal) -> [ClientID] {
        var members = [id]
        for nickname in nicknames {
            guard let other = holder(of: nickname) else { throw .noSuchNickname }
            guard !members.contains(other) else { continue }
            guard members.count < scene.membersMax else {
                throw Refusal(
                    .roomIsFull, "\(scene.name): at most \(scene.membersMax) members")
            }
            members.append(other)
        }
        guard !scene.isOnePerMembers || members.count > 1 else {
            throw Refusal(.notUnderstood, "\(scene.name): name at least one other member")
        }
        return members
    }

    /// Throws a refusal if the service or a member has reached its limit on chats.
    private func checkCapacity(for members: [ClientID]) throws(Refusal) {
        guard chats.count < rules.chatsMax else {
            throw Refusal(.tooMany, "the server already has \(rules.chatsMax) chats")
        }
        for member in members {
            guard let session = connections[member],
                session.chats.count >= rules.chatsPerSessionMax
            else { continue }
            let nickname = String(decoding: session.nickname.bytes, as: UTF8.self)
            throw Refusal(
                .tooManyRooms, "\(nickname) is already in \(rules.chatsPerSessionMax) chats")
        }
    }

    private func opened(_ room: ChatRoom, _ scene: Scene) -> ChatNotice {
        .opened(
            chat: room.name, scene: Array(scene.name.utf8),
            members: room.members.compactMap { connections[$0]?.nickname.bytes })
    }

    /// Returns the time of the oldest messages that the chat's scene still shows, in nanoseconds
    /// since 1970.
    func shownSince(in name: RoomName, _ now: Int64) -> Int64 {
        guard let lifetime = scenes.messageLifetime(in: name) else { return .min }
        return now + rules.wallClockOffset - lifetime
    }

    /// Ends chats that have been idle for as long as their scene allows.
    mutating func endQuietChats(_ now: Int64, _ effects: inout [ChatEffect]) {
        for name in scenes.takeIdle(now) { end(name, "idle for too long", &effects) }
    }

    private mutating func end(
        _ name: RoomName, _ reason: String, _ effects: inout [ChatEffect]
    ) {
        scenes.remove(name)
        guard let room = chats.removeValue(forKey: name) else { return }
        for member in room.members { connections[member]?.chats.removeAll { $0 == name } }
        effects.append(
            .broadcast(room.members, except: nil, .ended(chat: room.name, reason: reason)))
    }
}
