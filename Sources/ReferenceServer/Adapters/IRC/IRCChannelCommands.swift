import ChatModel
import LineProtocol

/// The commands for channels, except MODE: JOIN, PART, TOPIC, NAMES, LIST, INVITE and KICK.
struct IRCChannelCommands {
    let replies: IRCReplies
    let clients: IRCClients
    let rules: IRCRules

    func receive(
        _ verb: IRCVerb, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
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

    private func join(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let channels = line.list("channels")
        if channels == [[0x30]] { return leaveAll(id, &context) }
        let keys = line.list("keys")
        for (index, channel) in channels.enumerated() {
            guard let room = rules.channel(channel) else {
                replies.refuse(Refusal(.badRoomName, ""), about: channel, id, &context)
                continue
            }
            let wasInside = context.service.session(id)?.chats.contains(room) == true
            if wasInside { continue }
            do throws(Refusal) {
                let key = index < keys.count ? keys[index] : []
                try context.attempt(.join(chat: room, key: key), from: id)
                announceAway(in: room, id, &context)
                showTopic(of: room, id, &context, reportsNone: false)
                showNames(of: room, id, &context)
            } catch {
                replies.refuse(error, about: channel, id, &context)
            }
        }
    }

    /// Notifies a room's other members that a newly joined client is away.
    private func announceAway(
        in room: RoomName, _ id: ClientID, _ context: inout RequestContext
    ) {
        guard let session = context.service.session(id), let away = session.away,
            let members = context.service.room(room)?.members
        else { return }
        context.effects.append(
            .broadcast(members, except: id, .awayChanged(person: session.person, away)))
    }

    private func leaveAll(_ id: ClientID, _ context: inout RequestContext) {
        for chat in context.service.session(id)?.chats ?? [] {
            context.ask(.leave(chat: chat), from: id)
        }
    }

    private func part(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let reason = (line.text("reason") ?? []).letters(IRCRules.reasonBytesMax)
        for channel in line.list("channels") {
            carryOut(channel, id, &context) { .leave(chat: $0, reason: reason) }
        }
    }

    private func carryOut(
        _ channel: [UInt8], _ id: ClientID, _ context: inout RequestContext,
        _ request: (RoomName) -> ChatRequest
    ) {
        do throws(Refusal) {
            guard let room = rules.channel(channel) else { throw Refusal.noSuchChat }
            try context.attempt(request(room), from: id)
        } catch {
            replies.refuse(error, about: channel, id, &context)
        }
    }

    private func topic(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let channel = line.text("channel") ?? []
        if let text = line.text("topic") {
            let topic = text.letters(IRCRules.reasonBytesMax)
            return carryOut(channel, id, &context) { .topic(chat: $0, topic) }
        }
        guard let room = rules.channel(channel), context.service.room(room) != nil else {
            return replies.refuse(.noSuchChat, about: channel, id, &context)
        }
        showTopic(of: room, id, &context, reportsNone: true)
    }

    private func showTopic(
        of name: RoomName, _ id: ClientID, _ context: inout RequestContext, reportsNone: Bool
    ) {
        guard let room = context.service.room(name) else { return }
        let channel = ArgumentValue.text(room.name.bytes)
        guard let topic = room.topic else {
            if reportsNone {
                replies.send(
                    "noTopic", to: id, &context, ["channel": channel], text: "No topic is set")
            }
            return
        }
        replies.send("topicIs", to: id, &context, ["channel": channel, "topic": .text(topic.text)])
        replies.send(
            "topicSetBy", to: id, &context,
            [
                "channel": channel, "nickname": .text(topic.setter.nickname),
                "time": .time(topic.time),
            ])
    }

    private func listNames(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        for channel in line.list("channels") {
            if let room = rules.channel(channel), context.service.room(room) != nil {
                showNames(of: room, id, &context)
            } else {
                endNames(of: channel, id, &context)
            }
        }
        if line.list("channels").isEmpty { endNames(of: [0x2A], id, &context) }
    }

    private func endNames(of channel: [UInt8], _ id: ClientID, _ context: inout RequestContext) {
        replies.send(
            "endOfNames", to: id, &context, ["channel": .text(channel)], text: "End of NAMES list")
    }

    /// Lists the members of a channel, on several lines if necessary.
    private func showNames(of name: RoomName, _ id: ClientID, _ context: inout RequestContext) {
        guard let room = context.service.room(name) else { return }
        let isInside = room.members.contains(id)
        guard isInside || !room.flags.contains(.secret) else {
            return endNames(of: room.name.bytes, id, &context)
        }
        let entries = room.members.compactMap { member -> [UInt8]? in
            guard let session = context.service.session(member),
                isInside || clients[member]?.isInvisible != true
            else { return nil }
            let name =
                clients.has(.userhostInNames, id) ? session.person.hostmask : session.nickname.bytes
            return clients.prefix(room.rank(of: member), for: id) + name
        }
        for shown in replies.lines(of: entries) { answerNames(shown, room, id, &context) }
        endNames(of: room.name.bytes, id, &context)
    }

    private func answerNames(
        _ names: [ArgumentValue], _ room: ChatRoom, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        let symbol = room.flags.contains(.secret) ? "@" : "="
        replies.send(
            "namesReply", to: id, &context,
            ["symbol": .text(symbol), "channel": .text(room.name.bytes), "names": .list(names)])
    }

    private func listChannels(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        let wanted = Set(line.list("channels").compactMap { rules.channel($0) })
        replies.send(
            "listStart", to: id, &context, ["channel": .text("Channel")], text: "Users  Name")
        for room in context.service.rooms
        where (wanted.isEmpty || wanted.contains(room.name))
            && (!room.flags.contains(.secret) || room.members.contains(id)
                || replies.faults.shouldInject(.secretRoomsListed))
        {
            replies.send(
                "listed", to: id, &context,
                [
                    "channel": .text(room.name.bytes), "members": .int(Int64(room.members.count)),
                    "topic": .text(room.topic?.text ?? []),
                ])
        }
        replies.send("listEnd", to: id, &context, text: "End of LIST")
    }

    private func invite(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard let nickname = line.text("nickname"), let channel = line.text("channel") else {
            return replies.needMore(line, id, &context)
        }
        do throws(Refusal) {
            guard let room = rules.channel(channel) else { throw Refusal.noSuchChat }
            try context.attempt(.invite(chat: room, nickname: nickname), from: id)
            announceInvitation(of: nickname, to: room, id, &context)
            replies.send(
                "inviting", to: id, &context,
                ["nickname": .text(nickname), "channel": .text(channel)])
        } catch {
            let isOfName = error.cause == .noSuchName || error.cause == .inRoomAlready
            guard error.cause != .inRoomAlready else {
                return replies.send(
                    "userOnChannel", to: id, &context,
                    ["nickname": .text(nickname), "channel": .text(channel)],
                    text: "is already on channel")
            }
            replies.refuse(error, about: isOfName ? nickname : channel, id, &context)
        }
    }

    /// Notifies a room's other members of an invitation.
    private func announceInvitation(
        of nickname: [UInt8], to room: RoomName, _ id: ClientID, _ context: inout RequestContext
    ) {
        guard let session = context.service.session(id), let room = context.service.room(room)
        else { return }
        let guest = context.service.holder(of: nickname)
            .flatMap { context.service.session($0)?.nickname.bytes }
        context.effects.append(
            .broadcast(
                room.members, except: id,
                .guestInvited(
                    chat: room.name, person: session.person, guest: guest ?? nickname)))
    }

    private func kick(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let channel = line.text("channel") ?? []
        let reason = (line.text("reason") ?? clients.name(of: id, context.service)).letters(
            IRCRules.reasonBytesMax)
        for user in line.list("users") {
            do throws(Refusal) {
                guard let room = rules.channel(channel) else { throw Refusal.noSuchChat }
                try context.attempt(
                    .kick(chat: room, nickname: user, reason: reason), from: id)
            } catch {
                let isAbsent =
                    error.cause == .noSuchName && context.service.holder(of: user) != nil
                guard !isAbsent else {
                    replies.userNotInChannel(user, channel, to: id, &context)
                    continue
                }
                replies.refuse(
                    error, about: error.cause == .noSuchName ? user : channel, id, &context)
            }
        }
    }
}
