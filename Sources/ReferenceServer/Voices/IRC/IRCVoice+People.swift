import ChatModel
import LineProtocol

extension IRCVoice {
    func hearPeople(
        _ verb: IRCVerb, _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) {
        switch verb {
        case .who: who(line, id, &stage)
        case .whois:
            for nickname in line.list("nicknames").prefix(Self.targetsMax) {
                whois(nickname, id, &stage)
            }
        case .whowas:
            for nickname in line.list("nicknames").prefix(Self.targetsMax) {
                reply(
                    "wasNoSuchNick", id, &stage,
                    ["nickname": .text(nickname), "text": .text("There was no such nickname")])
                reply(
                    "endOfWhowas", id, &stage,
                    ["nickname": .text(nickname), "text": .text("End of WHOWAS")])
            }
        case .userhost: userhost(line, id, &stage)
        default: ison(line, id, &stage)
        }
    }

    private func who(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let mask = line.text("mask") ?? [0x2A]
        if isChannel(mask) {
            if let name = room(mask), let room = stage.hall.room(name) {
                let isInside = room.members.contains(id)
                for member in room.members
                where isInside || seats[member]?.isInvisible != true {
                    showWho(member, room, id, &stage)
                }
            }
        } else if let holder = stage.hall.holder(of: mask) {
            showWho(holder, nil, id, &stage)
        } else if mask == [0x2A] || mask == [0x30] {
            for other in stage.hall.present where isVisible(other, to: id, stage.hall) {
                showWho(other, nil, id, &stage)
            }
        }
        reply("endOfWho", id, &stage, ["mask": .text(mask), "text": .text("End of WHO list")])
    }

    /// Whether a list of everybody shows `other`.
    private func isVisible(
        _ other: ConnectionID, to id: ConnectionID, _ hall: borrowing ChatHall
    ) -> Bool {
        guard seats[other]?.isInvisible == true, other != id else { return true }
        guard let one = hall.session(id), let two = hall.session(other) else { return false }
        return hall.sharesRoom(one, with: two)
    }

    private func showWho(
        _ other: ConnectionID, _ room: ChatRoom?, _ id: ConnectionID, _ stage: inout Stage
    ) {
        guard let session = stage.hall.session(other) else { return }
        var flags: [UInt8] = [session.away == nil ? 0x48 : 0x47]
        if let room { flags += prefix(room.rank(of: other), for: id) }
        reply(
            "whoReply", id, &stage,
            [
                "channel": .text(room?.name.bytes ?? [0x2A]),
                "username": .text(session.profile.account), "host": .text(session.profile.host),
                "server": .text(Self.serverName), "nickname": .text(session.nickname.bytes),
                "flags": .text(flags),
                "hopsAndRealname": .text([0x30, ASCII.blank] + session.profile.realName),
            ])
    }

    private func whois(_ nickname: [UInt8], _ id: ConnectionID, _ stage: inout Stage) {
        defer {
            reply(
                "endOfWhois", id, &stage,
                ["nickname": .text(nickname), "text": .text("End of WHOIS list")])
        }
        guard let holder = stage.hall.holder(of: nickname),
            let session = stage.hall.session(holder)
        else { return tell(.noSuchNickname, about: nickname, id, &stage) }
        let name = ArgumentValue.text(session.nickname.bytes)
        reply(
            "whoisUser", id, &stage,
            [
                "nickname": name, "username": .text(session.profile.account),
                "host": .text(session.profile.host), "star": .text("*"),
                "realname": .text(session.profile.realName),
            ])
        showChannels(of: holder, session, id, &stage)
        reply(
            "whoisServer", id, &stage,
            [
                "nickname": name, "server": .text(Self.serverName),
                "info": .text("The reference server of Linejudge"),
            ])
        if let away = session.away {
            reply("isAway", id, &stage, ["nickname": name, "text": .text(away)])
        }
        reply(
            "whoisIdle", id, &stage,
            [
                "nickname": name,
                "seconds": .int((stage.now - session.spokeAt) / 1_000_000_000),
                "signon": .time(session.since), "text": .text("seconds idle, signon time"),
            ])
    }

    private func showChannels(
        of other: ConnectionID, _ session: ChatSession, _ id: ConnectionID,
        _ stage: inout Stage
    ) {
        let shown = session.chats.compactMap { name -> ArgumentValue? in
            guard let room = stage.hall.room(name),
                !room.flags.contains(.secret) || room.members.contains(id)
            else { return nil }
            return .text(prefix(room.rank(of: other), for: id) + room.name.bytes)
        }
        guard !shown.isEmpty else { return }
        reply(
            "whoisChannels", id, &stage,
            ["nickname": .text(session.nickname.bytes), "channels": .list(shown)])
    }

    private func userhost(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let replies = line.list("nicknames").prefix(5).compactMap { name -> ArgumentValue? in
            guard let holder = stage.hall.holder(of: name),
                let session = stage.hall.session(holder)
            else { return nil }
            let sign: [UInt8] = session.away == nil ? [0x3D, 0x2B] : [0x3D, 0x2D]
            return .text(
                session.nickname.bytes + sign + session.profile.account + [0x40]
                    + session.profile.host)
        }
        reply("userhosts", id, &stage, ["replies": .list(replies)])
    }

    private func ison(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        // Clients may send all nicknames as one trailing argument.
        let asked = line.list("nicknames").flatMap { $0.split(separator: ASCII.blank) }
        let online = asked.compactMap { name -> ArgumentValue? in
            guard let holder = stage.hall.holder(of: Array(name)) else { return nil }
            return stage.hall.session(holder).map { .text($0.nickname.bytes) }
        }
        reply("online", id, &stage, ["nicknames": .list(online)])
    }
}
