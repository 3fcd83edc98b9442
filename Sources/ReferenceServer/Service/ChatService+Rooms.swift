import ChatModel

extension ChatService {
    /// Joins a chat. If the client is already a member, only that client receives the notice.
    mutating func join(
        _ name: RoomName, _ key: [UInt8], _ id: ClientID, _ session: ChatSession,
        _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        if case .number(let number) = name, number <= 0 {
            throw Refusal(.notUnderstood, "chat numbers start at 1")
        }
        let shown = chats[name]?.name ?? name
        let notice = ChatNotice.joined(chat: shown, person: session.person)
        if session.chats.contains(name) {
            effects.append(.answer(id, notice))
            return
        }
        guard session.chats.count < rules.chatsPerSessionMax else {
            throw Refusal(.tooManyRooms, "already in \(rules.chatsPerSessionMax) chats")
        }
        try checkEntry(of: name, key, id, session)
        connections[id]?.chats.append(shown)
        var room =
            chats.removeValue(forKey: name)
            ?? ChatRoom(shown, rules, at: now + rules.wallClockOffset)
        effects.append(.answer(id, notice))
        effects.append(.broadcast(room.members, except: nil, notice))
        if room.members.isEmpty, rules.foundersAreOperators { room.ranks[id] = .roomOperator }
        room.members.append(id)
        room.invited.remove(id)
        chats[name] = room
    }

    /// Throws a refusal if the connection may not join the chat.
    private func checkEntry(
        of name: RoomName, _ key: [UInt8], _ id: ClientID, _ session: ChatSession
    ) throws(Refusal) {
        guard let room = chats[name] else {
            // Numbers in this range belong to chats opened with a scene, so this chat has ended.
            if name.number >= SceneTable.numberFirst { throw .noSuchChat }
            guard chats.count < rules.chatsMax else {
                throw Refusal(.tooMany, "the server already has \(rules.chatsMax) chats")
            }
            return
        }
        if !room.invited.contains(id), room.flags.contains(.inviteOnly),
            !exempts(session.person, .inviteExceptions, in: room)
        {
            throw Refusal(.needsInvitation, "this chat is invite-only")
        }
        if !room.invited.contains(id), bans(session.person, from: room) {
            throw Refusal(.banned, "banned from that chat")
        }
        guard room.key.isEmpty || room.key == key else {
            throw Refusal(.roomIsLocked, "wrong key")
        }
        guard room.membersMax == 0 || room.members.count < room.membersMax,
            room.members.count < scenes.membersMax(of: name)
        else {
            throw Refusal(.roomIsFull, "the chat is full")
        }
    }

    /// Returns whether a user is banned and not exempt from bans.
    func bans(_ person: ChatUser, from room: ChatRoom) -> Bool {
        room.lists(person, in: .bans, rules.names) && !exempts(person, .banExceptions, in: room)
    }

    /// Returns whether a list of exceptions applies to a user.
    private func exempts(
        _ person: ChatUser, _ list: ChatRoom.MaskList, in room: ChatRoom
    ) -> Bool {
        room.lists(person, in: list, rules.names) && !faults.shouldInject(.exceptionsIgnored)
    }

    mutating func leave(
        _ name: RoomName, _ reason: [UInt8], _ id: ClientID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        let room = try checkMember(of: name, session)
        let notice = ChatNotice.left(chat: room.name, person: session.person, reason: reason)
        effects.append(.answer(id, notice))
        connections[id]?.chats.removeAll { $0 == name }
        if faults.wouldInject(.leaversHear) {
            let members = chats[name]?.members ?? []
            effects.append(.broadcast(members, except: id, notice))
        } else if remove(id, from: name) {
            effects.append(.broadcast(chats[name]?.members ?? [], except: nil, notice))
        }
    }

    /// Removes a member from a chat. The others are notified if `notifying` is true.
    mutating func removeMember(
        _ id: ClientID, _ session: ChatSession, of name: RoomName, notifying: Bool,
        _ effects: inout [ChatEffect]
    ) {
        guard remove(id, from: name), notifying, let room = chats[name] else { return }
        effects.append(
            .broadcast(room.members, except: nil, .left(chat: room.name, person: session.person)))
    }

    /// Simulates a fault: removes a client from all chats without notifying anyone. Returns false
    /// if the client was not in any chat.
    mutating func removeSilently(_ id: ClientID) -> Bool {
        guard let session = connections[id], !session.chats.isEmpty else { return false }
        for name in session.chats { _ = remove(id, from: name) }
        connections[id]?.chats = []
        return true
    }

    /// Removes a member. If it was the last one, deletes the chat and returns false.
    private mutating func remove(_ id: ClientID, from name: RoomName) -> Bool {
        chats[name]?.remove(id)
        scenes.releaseMemberSet(in: name)
        if chats[name]?.members.isEmpty == false { return true }
        chats[name] = nil
        scenes.remove(name)
        return false
    }

    mutating func setTopic(
        _ text: [UInt8], of name: RoomName, _ id: ClientID, _ session: ChatSession,
        _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        let room = try checkMember(of: name, session)
        if room.flags.contains(.topicLocked) { try checkOperator(id, of: room) }
        chats[name]?.topic =
            text.isEmpty
            ? nil
            : ChatRoom.Topic(
                text: text, setter: session.person, time: now + rules.wallClockOffset)
        effects.append(
            .broadcast(
                room.members, except: nil,
                .topicChanged(chat: room.name, person: session.person, text)))
    }

    mutating func kick(
        _ nickname: [UInt8], from name: RoomName, _ reason: [UInt8], _ id: ClientID,
        _ session: ChatSession, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        let room = try checkMember(of: name, session)
        try checkOperator(id, of: room)
        guard let victim = holder(of: nickname), let other = connections[victim] else {
            throw .noSuchNickname
        }
        guard other.chats.contains(name) else {
            throw Refusal(.noSuchName, "not in that chat")
        }
        effects.append(
            .broadcast(
                room.members, except: nil,
                .kicked(
                    chat: room.name, person: session.person, victim: other.nickname.bytes,
                    reason: reason)))
        connections[victim]?.chats.removeAll { $0 == name }
        _ = remove(victim, from: name)
    }

    mutating func invite(
        _ nickname: [UInt8], to name: RoomName, _ id: ClientID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        let room = try checkMember(of: name, session)
        guard let guest = holder(of: nickname), let other = connections[guest] else {
            throw .noSuchNickname
        }
        guard !other.chats.contains(name) else {
            throw Refusal(.inRoomAlready, "already in that chat")
        }
        if room.flags.contains(.inviteOnly) { try checkOperator(id, of: room) }
        chats[name]?.invited.insert(guest)
        effects.append(
            .broadcast([guest], except: nil, .invited(chat: room.name, person: session.person)))
    }

    /// Applies the changes, and notifies the members of every change that had an effect.
    mutating func change(
        _ name: RoomName, _ changes: [RoomChange], _ id: ClientID, _ session: ChatSession,
        _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        let room = try checkMember(of: name, session)
        if room.rank(of: id).contains(.roomOperator) || !faults.shouldInject(.membersSetModes) {
            try checkOperator(id, of: room)
        }
        var made: [RoomChange] = []
        for change in changes {
            if let change = apply(change, to: name, by: session, now) { made.append(change) }
        }
        guard !made.isEmpty else { return }
        effects.append(
            .broadcast(
                room.members, except: nil,
                .changed(chat: room.name, person: session.person, made)))
    }

    /// Applies a change and returns it; nil if it has no effect.
    private mutating func apply(
        _ change: RoomChange, to name: RoomName, by session: ChatSession, _ now: Int64
    ) -> RoomChange? {
        guard var room = chats.removeValue(forKey: name) else { return nil }
        defer { chats[name] = room }
        switch change {
        case .flag(let flag, let isSet):
            guard room.flags.contains(flag) != isSet else { return nil }
            room.flags.formSymmetricDifference(flag)
        case .key(let key):
            guard room.key != key else { return nil }
            room.key = key
        case .limit(let count):
            guard room.membersMax != count else { return nil }
            room.membersMax = count
        case .mask(let list, let mask, let isSet):
            let listed = room.masks(list)
            let index = listed.firstIndex { rules.names.key($0.mask) == rules.names.key(mask) }
            guard (index == nil) == isSet, !isSet || listed.count < rules.masksMax else {
                return nil
            }
            if let index {
                return .mask(list, room.masks[list, default: []].remove(at: index).mask, false)
            }
            room.masks[list, default: []].append(
                ChatRoom.ListedMask(
                    mask: mask, setter: session.nickname.bytes, time: now + rules.wallClockOffset))
        case .rank(let rank, let nickname, let isSet):
            guard let holder = holder(of: nickname), let other = connections[holder],
                other.chats.contains(name), room.rank(of: holder).contains(rank) != isSet
            else { return nil }
            if isSet || !faults.shouldInject(.ranksKept) {
                room.ranks[holder, default: []].formSymmetricDifference(rank)
            }
            return .rank(rank, nickname: other.nickname.bytes, isSet)
        }
        return change
    }

    @discardableResult
    func checkMember(of name: RoomName, _ session: ChatSession) throws(Refusal) -> ChatRoom {
        guard let room = chats[name] else { throw .noSuchChat }
        guard session.chats.contains(name) else {
            throw Refusal(.notInRoom, "not in that chat")
        }
        return room
    }

    private func checkOperator(_ id: ClientID, of room: ChatRoom) throws(Refusal) {
        guard room.rank(of: id).contains(.roomOperator) else {
            throw Refusal(.needsRoomOperator, "only the chat's operators may do that")
        }
    }
}

extension Refusal {
    static let noSuchChat = Refusal(.noSuchRoom, "no such chat")
    static let noSuchNickname = Refusal(.noSuchName, "no such nickname")
}
