import ChatModel

/// A chat that was opened with a scene, which decides what is carried, for how many, and for how long.
struct OpenScene: Sendable {
    var scene: Scene
    /// Those who always meet here, where the scene has one chat for the same members.
    var meeting: Set<ConnectionID>?
    /// When somebody said something last, in the service's time.
    var activeAt: Int64

    /// When it has been quiet for too long; nil: never.
    var quietDeadline: Int64? { scene.endsAfterIdle.map { activeAt + $0 } }
}

extension ChatService {
    /// The chats that clients number themselves have smaller numbers.
    static let openedNumberFirst: Int64 = 1_000_000_000
    /// How often chats are looked through for quiet ones at most, in nanoseconds.
    static let quietCheckInterval: Int64 = 1_000_000_000

    /// Opens a chat with others, or finds the one that they have.
    mutating func open(
        _ sceneName: [UInt8], with nicknames: [[UInt8]], _ id: ConnectionID,
        _ session: ChatSession, _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        guard let scene = Scene(named: String(decoding: sceneName, as: UTF8.self)) else {
            let names = Scene.all.map(\.name).joined(separator: ", ")
            throw Refusal(.noSuchRoom, "no such scene; there are \(names)")
        }
        let members = try party(of: id, nicknames, scene)
        let meeting = scene.isOnePerMembers ? Set(members) : nil
        if let meeting, let name = meetings[meeting], let room = chats[name] {
            effects.append(.answer(id, opened(room, scene)))
            return
        }
        try checkPlace(for: members)
        let name = takeNumber()
        var room = ChatRoom(
            name, rules, at: now + rules.wallClockOffset, historyRecordsMax: scene.messagesMax)
        room.members = members
        for member in members { connections[member]?.chats.append(name) }
        chats[name] = room
        let opening = OpenScene(scene: scene, meeting: meeting, activeAt: now)
        openScenes[name] = opening
        if let meeting { meetings[meeting] = name }
        if let deadline = opening.quietDeadline { quietDeadline = min(quietDeadline, deadline) }
        effects.append(.answer(id, opened(room, scene)))
        effects.append(.tell(members, except: id, opened(room, scene)))
    }

    /// Who is to be in a chat, whoever opens it first.
    private func party(
        of id: ConnectionID, _ nicknames: [[UInt8]], _ scene: Scene
    ) throws(Refusal) -> [ConnectionID] {
        var members = [id]
        for nickname in nicknames {
            guard let other = holder(of: nickname) else { throw .noSuchNickname }
            guard !members.contains(other) else { continue }
            guard members.count < scene.membersMax else {
                throw Refusal(
                    .roomIsFull, "\(scene.name): \(scene.membersMax) members at most")
            }
            members.append(other)
        }
        guard !scene.isOnePerMembers || members.count > 1 else {
            throw Refusal(.notUnderstood, "\(scene.name): with whom?")
        }
        return members
    }

    /// Throws if there is no room for another chat, in the service or with one of its members.
    private func checkPlace(for members: [ConnectionID]) throws(Refusal) {
        guard chats.count < rules.chatsMax else {
            throw Refusal(.tooMany, "there are \(rules.chatsMax) chats already")
        }
        for member in members {
            guard let session = connections[member],
                session.chats.count >= rules.chatsPerSessionMax
            else { continue }
            let nickname = String(decoding: session.nickname.bytes, as: UTF8.self)
            throw Refusal(
                .tooManyRooms, "\(nickname) is in \(rules.chatsPerSessionMax) chats already")
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

    /// Throws if the chat's scene does not carry what is to be said. A chat that was just entered carries
    /// everything.
    func checkScene(of name: RoomName, _ utterance: ChatText) throws(Refusal) {
        guard !openScenes.isEmpty, let opening = openScenes[name] else { return }
        do {
            try opening.scene.check(utterance.content, byteCount: utterance.text.count)
        } catch {
            let isTooLarge = error.code == .contentTooLarge
            throw Refusal(isTooLarge ? .tooLong : .notCarried, error.description)
        }
    }

    /// Notes that somebody has said something.
    mutating func keepOpen(_ name: RoomName, _ now: Int64) {
        if !openScenes.isEmpty { openScenes[name]?.activeAt = now }
    }

    /// How many may be in the chat, as its scene has it.
    func sceneMembersMax(of name: RoomName) -> Int {
        openScenes[name]?.scene.membersMax ?? .max
    }

    /// From when on messages of the chat are still shown, in nanoseconds since 1970.
    func shownSince(in name: RoomName, _ now: Int64) -> Int64 {
        guard let lifetime = openScenes[name]?.scene.messageLifetime else { return .min }
        return now + rules.wallClockOffset - lifetime
    }

    /// The chat has lost a member: those who met in it do so no longer.
    mutating func endMeeting(in name: RoomName) {
        guard !openScenes.isEmpty, let meeting = openScenes[name]?.meeting else { return }
        meetings[meeting] = nil
        openScenes[name]?.meeting = nil
    }

    /// Ends what has been quiet for as long as its scene allows.
    mutating func endQuietChats(_ now: Int64, _ effects: inout [ChatEffect]) {
        guard quietDeadline <= now else { return }
        var next = Int64.max
        for (name, opening) in openScenes {
            guard let deadline = opening.quietDeadline else { continue }
            if deadline <= now {
                end(name, "quiet for too long", &effects)
            } else {
                next = min(next, deadline)
            }
        }
        quietDeadline = next == .max ? .max : max(next, now + Self.quietCheckInterval)
    }

    private mutating func end(
        _ name: RoomName, _ reason: String, _ effects: inout [ChatEffect]
    ) {
        endMeeting(in: name)
        openScenes[name] = nil
        guard let room = chats.removeValue(forKey: name) else { return }
        for member in room.members { connections[member]?.chats.removeAll { $0 == name } }
        effects.append(
            .tell(room.members, except: nil, .ended(chat: room.name, reason: reason)))
    }
}
