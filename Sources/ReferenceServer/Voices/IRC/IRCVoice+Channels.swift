import ChatModel
import LineProtocol

extension IRCVoice {
    func hearChannel(
        _ verb: IRCVerb, _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) {
        switch verb {
        case .join: join(line, id, &stage)
        case .part: part(line, id, &stage)
        case .topic: topic(line, id, &stage)
        case .names: listNames(line, id, &stage)
        case .list: listChannels(line, id, &stage)
        case .invite: invite(line, id, &stage)
        default: kick(line, id, &stage)
        }
    }

    /// The room that a channel's name means; nil if no channel can have it.
    func room(_ channel: [UInt8]) -> RoomName? {
        guard let first = channel.first, first == 0x23 || first == 0x26,
            (2...Self.channelBytesMax).contains(channel.count),
            !channel.contains(where: { $0 <= 0x20 || $0 == 0x2C })
        else { return nil }
        return RoomName(channel, names)
    }

    /// Whether somebody wants to write to a channel, and not to a nickname.
    func isChannel(_ target: [UInt8]) -> Bool { target.first == 0x23 || target.first == 0x26 }

    private func join(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let channels = line.list("channels")
        if channels == [[0x30]] { return leaveAll(id, &stage) }
        let keys = line.list("keys")
        for (place, channel) in channels.enumerated() {
            guard let room = room(channel) else {
                tell(Refusal(.badRoomName, ""), about: channel, id, &stage)
                continue
            }
            let wasInside = stage.hall.session(id)?.chats.contains(room) == true
            if wasInside { continue }
            do throws(Refusal) {
                let key = place < keys.count ? keys[place] : []
                try stage.attempt(.join(chat: room, key: key), from: id)
                showTopic(of: room, id, &stage, tellsNone: false)
                showNames(of: room, id, &stage)
            } catch {
                tell(error, about: channel, id, &stage)
            }
        }
    }

    private func leaveAll(_ id: ConnectionID, _ stage: inout Stage) {
        for chat in stage.hall.session(id)?.chats ?? [] {
            stage.ask(.leave(chat: chat), from: id)
        }
    }

    private func part(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let reason = (line.text("reason") ?? []).letters(Self.reasonBytesMax)
        for channel in line.list("channels") {
            carryOut(channel, id, &stage) { .leave(chat: $0, reason: reason) }
        }
    }

    /// Asks for something in a channel and answers a refusal.
    private func carryOut(
        _ channel: [UInt8], _ id: ConnectionID, _ stage: inout Stage,
        _ request: (RoomName) -> ChatRequest
    ) {
        do throws(Refusal) {
            guard let room = room(channel) else { throw Refusal.noSuchChat }
            try stage.attempt(request(room), from: id)
        } catch {
            tell(error, about: channel, id, &stage)
        }
    }

    private func topic(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let channel = line.text("channel") ?? []
        if let text = line.text("topic") {
            let topic = text.letters(Self.reasonBytesMax)
            return carryOut(channel, id, &stage) { .topic(chat: $0, topic) }
        }
        guard let room = room(channel), stage.hall.room(room) != nil else {
            return tell(.noSuchChat, about: channel, id, &stage)
        }
        showTopic(of: room, id, &stage, tellsNone: true)
    }

    private func showTopic(
        of name: RoomName, _ id: ConnectionID, _ stage: inout Stage, tellsNone: Bool
    ) {
        guard let room = stage.hall.room(name) else { return }
        let channel = ArgumentValue.text(room.name.bytes)
        guard let topic = room.topic else {
            if tellsNone {
                reply(
                    "noTopic", id, &stage,
                    ["channel": channel, "text": .text("No topic is set")])
            }
            return
        }
        reply("topicIs", id, &stage, ["channel": channel, "topic": .text(topic.text)])
        reply(
            "topicSetBy", id, &stage,
            [
                "channel": channel, "nickname": .text(topic.setter.nickname),
                "time": .time(topic.time),
            ])
    }

    private func listNames(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        for channel in line.list("channels") {
            if let room = room(channel), stage.hall.room(room) != nil {
                showNames(of: room, id, &stage)
            } else {
                endNames(of: channel, id, &stage)
            }
        }
        if line.list("channels").isEmpty { endNames(of: [0x2A], id, &stage) }
    }

    private func endNames(of channel: [UInt8], _ id: ConnectionID, _ stage: inout Stage) {
        reply(
            "endOfNames", id, &stage,
            ["channel": .text(channel), "text": .text("End of NAMES list")])
    }

    /// Shows who is in a channel, in as many lines as it takes.
    private func showNames(of name: RoomName, _ id: ConnectionID, _ stage: inout Stage) {
        guard let room = stage.hall.room(name) else { return }
        let isInside = room.members.contains(id)
        var shown: [ArgumentValue] = []
        var bytes = 0
        for member in room.members {
            guard let session = stage.hall.session(member) else { continue }
            if !isInside, seats[member]?.isInvisible == true { continue }
            let entry = prefix(room.rank(of: member), for: id) + session.nickname.bytes
            if bytes + entry.count + 1 > Self.namesBytesMax {
                answerNames(shown, room, id, &stage)
                (shown, bytes) = ([], 0)
            }
            shown.append(.text(entry))
            bytes += entry.count + 1
        }
        if !shown.isEmpty { answerNames(shown, room, id, &stage) }
        endNames(of: room.name.bytes, id, &stage)
    }

    /// With server name, nickname and channel a line of names stays under 512 bytes.
    private static let namesBytesMax = 380

    private func answerNames(
        _ names: [ArgumentValue], _ room: ChatRoom, _ id: ConnectionID, _ stage: inout Stage
    ) {
        let symbol = room.flags.contains(.secret) ? "@" : "="
        reply(
            "namesReply", id, &stage,
            ["symbol": .text(symbol), "channel": .text(room.name.bytes), "names": .list(names)])
    }

    /// The marks before a nickname: the highest, or all for who asked for that.
    func prefix(_ rank: RoomRank, for id: ConnectionID) -> [UInt8] {
        var marks: [UInt8] = []
        if rank.contains(.roomOperator) { marks.append(0x40) }
        if rank.contains(.voiced) { marks.append(0x2B) }
        let wantsAll = seats[id]?.capabilities.contains("multi-prefix") == true
        return wantsAll ? marks : Array(marks.prefix(1))
    }

    private func listChannels(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let wanted = Set(line.list("channels").compactMap { room($0) })
        reply(
            "listStart", id, &stage, ["channel": .text("Channel"), "text": .text("Users  Name")])
        for room in stage.hall.rooms
        where (wanted.isEmpty || wanted.contains(room.name))
            && (!room.flags.contains(.secret) || room.members.contains(id))
        {
            reply(
                "listed", id, &stage,
                [
                    "channel": .text(room.name.bytes), "members": .int(Int64(room.members.count)),
                    "topic": .text(room.topic?.text ?? []),
                ])
        }
        reply("listEnd", id, &stage, ["text": .text("End of LIST")])
    }

    private func invite(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        guard let nickname = line.text("nickname"), let channel = line.text("channel") else {
            return needMore(line, id, &stage)
        }
        do throws(Refusal) {
            guard let room = room(channel) else { throw Refusal.noSuchChat }
            try stage.attempt(.invite(chat: room, nickname: nickname), from: id)
            reply(
                "inviting", id, &stage, ["nickname": .text(nickname), "channel": .text(channel)])
        } catch {
            let isOfName = error.cause == .noSuchName || error.cause == .inRoomAlready
            guard error.cause != .inRoomAlready else {
                return reply(
                    "userOnChannel", id, &stage,
                    [
                        "nickname": .text(nickname), "channel": .text(channel),
                        "text": .text("is already on channel"),
                    ])
            }
            tell(error, about: isOfName ? nickname : channel, id, &stage)
        }
    }

    private func kick(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let channel = line.text("channel") ?? []
        let reason = (line.text("reason") ?? client(id, stage.hall)).letters(Self.reasonBytesMax)
        for user in line.list("users") {
            do throws(Refusal) {
                guard let room = room(channel) else { throw Refusal.noSuchChat }
                try stage.attempt(
                    .kick(chat: room, nickname: user, reason: reason), from: id)
            } catch {
                let isAbsent =
                    error.cause == .noSuchName && stage.hall.holder(of: user) != nil
                guard !isAbsent else {
                    reply(
                        "userNotInChannel", id, &stage,
                        [
                            "nickname": .text(user), "channel": .text(channel),
                            "text": .text("They aren't on that channel"),
                        ])
                    continue
                }
                tell(error, about: error.cause == .noSuchName ? user : channel, id, &stage)
            }
        }
    }
}
