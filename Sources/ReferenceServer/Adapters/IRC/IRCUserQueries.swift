import ChatModel
import LineProtocol

/// The commands that ask about users: WHO, WHOIS, WHOWAS, USERHOST and ISON.
struct IRCUserQueries {
    let replies: IRCReplies
    let clients: IRCClients
    let rules: IRCRules

    func receive(
        _ verb: IRCVerb, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        switch verb {
        case .who: who(line, id, &context)
        case .whois:
            for nickname in line.list("nicknames").prefix(IRCRules.targetsMax) {
                whois(nickname, id, &context)
            }
        case .whowas:
            for nickname in line.list("nicknames").prefix(IRCRules.targetsMax) {
                replies.send(
                    "wasNoSuchNick", to: id, &context,
                    ["nickname": .text(nickname)], text: "There was no such nickname")
                replies.send(
                    "endOfWhowas", to: id, &context,
                    ["nickname": .text(nickname)], text: "End of WHOWAS")
            }
        case .userhost: userhost(line, id, &context)
        default: ison(line, id, &context)
        }
    }

    private func who(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let mask = line.text("mask") ?? [0x2A]
        let query = line.text("fields").flatMap { WhoxQuery($0) }
        if rules.isChannel(mask) {
            if let name = rules.channel(mask), let room = context.service.room(name) {
                let isInside = room.members.contains(id)
                for member in room.members
                where isInside || clients[member]?.isInvisible != true {
                    showWho(member, room, query, id, &context)
                }
            }
        } else if let holder = context.service.holder(of: mask) {
            showWho(holder, nil, query, id, &context)
        } else if mask == [0x2A] || mask == [0x30] {
            for other in context.service.present where isVisible(other, to: id, context.service) {
                showWho(other, nil, query, id, &context)
            }
        }
        replies.send("endOfWho", to: id, &context, ["mask": .text(mask)], text: "End of WHO list")
    }

    /// Returns whether `other` is visible to `id` in a list of all users.
    private func isVisible(
        _ other: ClientID, to id: ClientID, _ service: borrowing ChatService
    ) -> Bool {
        guard clients[other]?.isInvisible == true, other != id else { return true }
        guard let one = service.session(id), let two = service.session(other) else { return false }
        return service.sharesRoom(one, with: two)
    }

    private func showWho(
        _ other: ClientID, _ room: ChatRoom?, _ query: WhoxQuery?, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        guard let session = context.service.session(other) else { return }
        var flags: [UInt8] = [session.away == nil ? 0x48 : 0x47]
        if let room { flags += clients.prefix(room.rank(of: other), for: id) }
        if clients[other]?.isBot == true { flags.append(0x42) }
        if let query {
            let fields = query.fields.map { field -> ArgumentValue in
                let value: [UInt8] =
                    switch field {
                    case .token: query.token
                    case .channel: room?.name.bytes ?? [0x2A]
                    case .userName: session.profile.account
                    case .address, .host: session.profile.host
                    case .server: IRCRules.serverName
                    case .nickname: session.nickname.bytes
                    case .flags: flags
                    case .hopCount: [ASCII.zero]
                    case .idleSeconds: Array(String(idleSeconds(session, context.now)).utf8)
                    case .account: clients[other]?.account ?? [ASCII.zero]
                    case .operatorLevel: Array("n/a".utf8)
                    case .realName: session.profile.realName
                    }
                return .text(value)
            }
            return replies.send("whoxReply", to: id, &context, ["fields": .list(fields)])
        }
        replies.send(
            "whoReply", to: id, &context,
            [
                "channel": .text(room?.name.bytes ?? [0x2A]),
                "username": .text(session.profile.account), "host": .text(session.profile.host),
                "server": .text(IRCRules.serverName), "nickname": .text(session.nickname.bytes),
                "flags": .text(flags),
                "hopsAndRealname": .text([0x30, ASCII.space] + session.profile.realName),
            ])
    }

    private func idleSeconds(_ session: ChatSession, _ now: Int64) -> Int64 {
        (now - session.lastMessageAt) / 1_000_000_000
    }

    private func whois(_ nickname: [UInt8], _ id: ClientID, _ context: inout RequestContext) {
        defer {
            replies.send(
                "endOfWhois", to: id, &context,
                ["nickname": .text(nickname)], text: "End of WHOIS list")
        }
        guard let holder = context.service.holder(of: nickname),
            let session = context.service.session(holder)
        else { return replies.refuse(.noSuchNickname, about: nickname, id, &context) }
        let name = ArgumentValue.text(session.nickname.bytes)
        replies.send(
            "whoisUser", to: id, &context,
            [
                "nickname": name, "username": .text(session.profile.account),
                "host": .text(session.profile.host), "star": .text("*"),
                "realname": .text(session.profile.realName),
            ])
        showChannels(of: holder, session, id, &context)
        replies.send(
            "whoisServer", to: id, &context,
            [
                "nickname": name, "server": .text(IRCRules.serverName),
                "info": .text("The reference server of Linejudge"),
            ])
        if let account = clients[holder]?.account {
            replies.send(
                "whoisAccount", to: id, &context,
                ["nickname": name, "account": .text(account)], text: "is logged in as")
        }
        if clients[holder]?.isBot == true {
            replies.send(
                "whoisBot", to: id, &context,
                ["nickname": name], text: "is a bot on \(IRCRules.networkName)")
        }
        if let away = session.away {
            replies.send("isAway", to: id, &context, ["nickname": name, "text": .text(away)])
        }
        replies.send(
            "whoisIdle", to: id, &context,
            [
                "nickname": name,
                "seconds": .int(idleSeconds(session, context.now)),
                "signon": .time(session.since),
            ], text: "seconds idle, signon time")
    }

    private func showChannels(
        of other: ClientID, _ session: ChatSession, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        let shown = session.chats.compactMap { name -> [UInt8]? in
            guard let room = context.service.room(name),
                !room.flags.contains(.secret) || room.members.contains(id)
            else { return nil }
            return clients.prefix(room.rank(of: other), for: id) + room.name.bytes
        }
        for channels in replies.lines(of: shown) {
            replies.send(
                "whoisChannels", to: id, &context,
                ["nickname": .text(session.nickname.bytes), "channels": .list(channels)])
        }
    }

    private func userhost(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let hosts = line.list("nicknames").prefix(5).compactMap { name -> ArgumentValue? in
            guard let holder = context.service.holder(of: name),
                let session = context.service.session(holder)
            else { return nil }
            let sign: [UInt8] = session.away == nil ? [0x3D, 0x2B] : [0x3D, 0x2D]
            return .text(
                session.nickname.bytes + sign + session.profile.account + [0x40]
                    + session.profile.host)
        }
        replies.send("userhosts", to: id, &context, ["replies": .list(hosts)])
    }

    private func ison(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        // Clients may send all nicknames in a single trailing argument.
        let requested = line.list("nicknames").flatMap { $0.split(separator: ASCII.space) }
        let online = requested.compactMap { name -> ArgumentValue? in
            guard let holder = context.service.holder(of: Array(name)) else { return nil }
            return context.service.session(holder).map { .text($0.nickname.bytes) }
        }
        replies.send("online", to: id, &context, ["nicknames": .list(online)])
    }
}
