import ChatModel
import LineProtocol

extension IRCAdapter {
    func hearChannel(
        _ verb: IRCVerb, _ line: RequestLine, _ id: ConnectionID, _ context: inout RequestContext
    ) {
        switch verb {
        case .join: join(line, id, &context)
        case .part: part(line, id, &context)
        case .topic: topic(line, id, &context)
        case .names: listNames(line, id, &context)
        case .list: listChannels(line, id, &context)
        case .invite: invite(line, id, &context)
        default: kick(line, id, &context)
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

    private func join(_ line: RequestLine, _ id: ConnectionID, _ context: inout RequestContext) {
        let channels = line.list("channels")
        if channels == [[0x30]] { return leaveAll(id, &context) }
        let keys = line.list("keys")
        for (place, channel) in channels.enumerated() {
            guard let room = room(channel) else {
                tell(Refusal(.badRoomName, ""), about: channel, id, &context)
                continue
            }
            let wasInside = context.service.session(id)?.chats.contains(room) == true
            if wasInside { continue }
            do throws(Refusal) {
                let key = place < keys.count ? keys[place] : []
                try context.attempt(.join(chat: room, key: key), from: id)
                showTopic(of: room, id, &context, tellsNone: false)
                showNames(of: room, id, &context)
            } catch {
                tell(error, about: channel, id, &context)
            }
        }
    }

    private func leaveAll(_ id: ConnectionID, _ context: inout RequestContext) {
        for chat in context.service.session(id)?.chats ?? [] {
            context.ask(.leave(chat: chat), from: id)
        }
    }

    private func part(_ line: RequestLine, _ id: ConnectionID, _ context: inout RequestContext) {
        let reason = (line.text("reason") ?? []).letters(Self.reasonBytesMax)
        for channel in line.list("channels") {
            carryOut(channel, id, &context) { .leave(chat: $0, reason: reason) }
        }
    }

    /// Asks for something in a channel and answers a refusal.
    private func carryOut(
        _ channel: [UInt8], _ id: ConnectionID, _ context: inout RequestContext,
        _ request: (RoomName) -> ChatRequest
    ) {
        do throws(Refusal) {
            guard let room = room(channel) else { throw Refusal.noSuchChat }
            try context.attempt(request(room), from: id)
        } catch {
            tell(error, about: channel, id, &context)
        }
    }

    private func topic(_ line: RequestLine, _ id: ConnectionID, _ context: inout RequestContext) {
        let channel = line.text("channel") ?? []
        if let text = line.text("topic") {
            let topic = text.letters(Self.reasonBytesMax)
            return carryOut(channel, id, &context) { .topic(chat: $0, topic) }
        }
        guard let room = room(channel), context.service.room(room) != nil else {
            return tell(.noSuchChat, about: channel, id, &context)
        }
        showTopic(of: room, id, &context, tellsNone: true)
    }

    private func showTopic(
        of name: RoomName, _ id: ConnectionID, _ context: inout RequestContext, tellsNone: Bool
    ) {
        guard let room = context.service.room(name) else { return }
        let channel = ArgumentValue.text(room.name.bytes)
        guard let topic = room.topic else {
            if tellsNone {
                reply(
                    "noTopic", id, &context,
                    ["channel": channel, "text": .text("No topic is set")])
            }
            return
        }
        reply("topicIs", id, &context, ["channel": channel, "topic": .text(topic.text)])
        reply(
            "topicSetBy", id, &context,
            [
                "channel": channel, "nickname": .text(topic.setter.nickname),
                "time": .time(topic.time),
            ])
    }

    private func listNames(_ line: RequestLine, _ id: ConnectionID, _ context: inout RequestContext)
    {
        for channel in line.list("channels") {
            if let room = room(channel), context.service.room(room) != nil {
                showNames(of: room, id, &context)
            } else {
                endNames(of: channel, id, &context)
            }
        }
        if line.list("channels").isEmpty { endNames(of: [0x2A], id, &context) }
    }

    private func endNames(of channel: [UInt8], _ id: ConnectionID, _ context: inout RequestContext)
    {
        reply(
            "endOfNames", id, &context,
            ["channel": .text(channel), "text": .text("End of NAMES list")])
    }

    /// Shows who is in a channel, in as many lines as it takes.
    private func showNames(of name: RoomName, _ id: ConnectionID, _ context: inout RequestContext) {
        guard let room = context.service.room(name) else { return }
        let isInside = room.members.contains(id)
        var shown: [ArgumentValue] = []
        var bytes = 0
        for member in room.members {
            guard let session = context.service.session(member) else { continue }
            if !isInside, slots[member]?.isInvisible == true { continue }
            let entry = prefix(room.rank(of: member), for: id) + session.nickname.bytes
            if bytes + entry.count + 1 > Self.namesBytesMax {
                answerNames(shown, room, id, &context)
                (shown, bytes) = ([], 0)
            }
            shown.append(.text(entry))
            bytes += entry.count + 1
        }
        if !shown.isEmpty { answerNames(shown, room, id, &context) }
        endNames(of: room.name.bytes, id, &context)
    }

    /// With server name, nickname and channel a line of names stays under 512 bytes.
    private static let namesBytesMax = 380

    private func answerNames(
        _ names: [ArgumentValue], _ room: ChatRoom, _ id: ConnectionID,
        _ context: inout RequestContext
    ) {
        let symbol = room.flags.contains(.secret) ? "@" : "="
        reply(
            "namesReply", id, &context,
            ["symbol": .text(symbol), "channel": .text(room.name.bytes), "names": .list(names)])
    }

    /// The marks before a nickname: the highest, or all for who asked for that.
    func prefix(_ rank: RoomRank, for id: ConnectionID) -> [UInt8] {
        var marks: [UInt8] = []
        if rank.contains(.roomOperator) { marks.append(0x40) }
        if rank.contains(.voiced) { marks.append(0x2B) }
        let wantsAll = slots[id]?.capabilities.contains("multi-prefix") == true
        return wantsAll ? marks : Array(marks.prefix(1))
    }

    private func listChannels(
        _ line: RequestLine, _ id: ConnectionID, _ context: inout RequestContext
    ) {
        let wanted = Set(line.list("channels").compactMap { room($0) })
        reply(
            "listStart", id, &context, ["channel": .text("Channel"), "text": .text("Users  Name")])
        for room in context.service.rooms
        where (wanted.isEmpty || wanted.contains(room.name))
            && (!room.flags.contains(.secret) || room.members.contains(id))
        {
            reply(
                "listed", id, &context,
                [
                    "channel": .text(room.name.bytes), "members": .int(Int64(room.members.count)),
                    "topic": .text(room.topic?.text ?? []),
                ])
        }
        reply("listEnd", id, &context, ["text": .text("End of LIST")])
    }

    private func invite(_ line: RequestLine, _ id: ConnectionID, _ context: inout RequestContext) {
        guard let nickname = line.text("nickname"), let channel = line.text("channel") else {
            return needMore(line, id, &context)
        }
        do throws(Refusal) {
            guard let room = room(channel) else { throw Refusal.noSuchChat }
            try context.attempt(.invite(chat: room, nickname: nickname), from: id)
            reply(
                "inviting", id, &context, ["nickname": .text(nickname), "channel": .text(channel)])
        } catch {
            let isOfName = error.cause == .noSuchName || error.cause == .inRoomAlready
            guard error.cause != .inRoomAlready else {
                return reply(
                    "userOnChannel", id, &context,
                    [
                        "nickname": .text(nickname), "channel": .text(channel),
                        "text": .text("is already on channel"),
                    ])
            }
            tell(error, about: isOfName ? nickname : channel, id, &context)
        }
    }

    private func kick(_ line: RequestLine, _ id: ConnectionID, _ context: inout RequestContext) {
        let channel = line.text("channel") ?? []
        let reason = (line.text("reason") ?? client(id, context.service)).letters(
            Self.reasonBytesMax)
        for user in line.list("users") {
            do throws(Refusal) {
                guard let room = room(channel) else { throw Refusal.noSuchChat }
                try context.attempt(
                    .kick(chat: room, nickname: user, reason: reason), from: id)
            } catch {
                let isAbsent =
                    error.cause == .noSuchName && context.service.holder(of: user) != nil
                guard !isAbsent else {
                    reply(
                        "userNotInChannel", id, &context,
                        [
                            "nickname": .text(user), "channel": .text(channel),
                            "text": .text("They aren't on that channel"),
                        ])
                    continue
                }
                tell(error, about: error.cause == .noSuchName ? user : channel, id, &context)
            }
        }
    }
}
