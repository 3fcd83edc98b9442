import ChatModel

/// A chat opened with a scene, which limits its content types, members and idle time.
struct OpenScene: Sendable {
    var scene: Scene
    /// The members, if the scene allows only one chat per set of members; otherwise nil.
    var memberSet: Set<ClientID>?
    /// Time of the last message, on the service's clock.
    var activeAt: Int64

    /// Time at which the chat ends unless another message is sent; nil if it never ends.
    var idleDeadline: Int64? { scene.endsAfterIdle.map { activeAt + $0 } }
}

extension ChatService {
    /// Lowest chat number assigned to chats opened with a scene. Lower numbers are for chats that
    /// clients choose to join.
    static let openedNumberFirst: Int64 = 1_000_000_000
    /// Minimum time between searches for idle chats, in nanoseconds.
    static let quietCheckInterval: Int64 = 1_000_000_000

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
        if let memberSet, let name = chatsByMembers[memberSet], let room = chats[name] {
            effects.append(.answer(id, opened(room, scene)))
            return
        }
        try checkCapacity(for: members)
        let name = takeNumber()
        var room = ChatRoom(
            name, rules, at: now + rules.wallClockOffset, historyRecordsMax: scene.messagesMax)
        room.members = members
        for member in members { connections[member]?.chats.append(name) }
        chats[name] = room
        let opening = OpenScene(scene: scene, memberSet: memberSet, activeAt: now)
        openScenes[name] = opening
        if let memberSet { chatsByMembers[memberSet] = name }
        if let deadline = opening.idleDeadline { idleDeadline = min(idleDeadline, deadline) }
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

    private mutating func takeNumber() -> RoomName {
        repeat { openedNumberLast += 1 } while chats[.number(openedNumberLast)] != nil
        return .number(openedNumberLast)
    }

    private func opened(_ room: ChatRoom, _ scene: Scene) -> ChatNotice {
        .opened(
            chat: room.name, scene: Array(scene.name.utf8),
            members: room.members.compactMap { connections[$0]?.nickname.bytes })
    }

    /// Throws a refusal if the chat's scene does not allow the message. A chat without a scene
    /// allows every message.
    func checkScene(of name: RoomName, _ message: ChatText) throws(Refusal) {
        guard !openScenes.isEmpty, let opening = openScenes[name] else { return }
        do {
            try opening.scene.check(message.content, byteCount: message.text.count)
        } catch {
            let isTooLarge = error.code == .contentTooLarge
            throw Refusal(isTooLarge ? .tooLong : .notCarried, error.description)
        }
    }

    mutating func keepOpen(_ name: RoomName, _ now: Int64) {
        if !openScenes.isEmpty { openScenes[name]?.activeAt = now }
    }

    /// Returns the maximum number of members that the chat's scene allows.
    func sceneMembersMax(of name: RoomName) -> Int {
        openScenes[name]?.scene.membersMax ?? .max
    }

    /// Returns the time of the oldest messages that the chat's scene still shows, in nanoseconds
    /// since 1970.
    func shownSince(in name: RoomName, _ now: Int64) -> Int64 {
        guard let lifetime = openScenes[name]?.scene.messageLifetime else { return .min }
        return now + rules.wallClockOffset - lifetime
    }

    /// Allows another chat with the same members to be opened after a member has left this one.
    mutating func releaseMemberSet(in name: RoomName) {
        guard !openScenes.isEmpty, let memberSet = openScenes[name]?.memberSet else { return }
        chatsByMembers[memberSet] = nil
        openScenes[name]?.memberSet = nil
    }

    /// Ends chats that have been idle for as long as their scene allows.
    mutating func endQuietChats(_ now: Int64, _ effects: inout [ChatEffect]) {
        guard idleDeadline <= now else { return }
        var next = Int64.max
        for (name, opening) in openScenes {
            guard let deadline = opening.idleDeadline else { continue }
            if deadline <= now {
                end(name, "idle for too long", &effects)
            } else {
                next = min(next, deadline)
            }
        }
        idleDeadline = next == .max ? .max : max(next, now + Self.quietCheckInterval)
    }

    private mutating func end(
        _ name: RoomName, _ reason: String, _ effects: inout [ChatEffect]
    ) {
        releaseMemberSet(in: name)
        openScenes[name] = nil
        guard let room = chats.removeValue(forKey: name) else { return }
        for member in room.members { connections[member]?.chats.removeAll { $0 == name } }
        effects.append(
            .broadcast(room.members, except: nil, .ended(chat: room.name, reason: reason)))
    }
}
