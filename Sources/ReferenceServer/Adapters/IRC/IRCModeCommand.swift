import LineProtocol

/// The MODE command, for users and channels.
struct IRCModeCommand {
    let replies: IRCReplies
    let clients: IRCClients
    let rules: IRCRules

    /// Maximum number of changes with a parameter in one MODE command.
    private static let changesMax = 4

    func receive(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let target = line.text("target") ?? []
        if rules.isChannel(target) {
            receiveChannelMode(target, line, id, &context)
        } else {
            receiveUserMode(target, line, id, &context)
        }
    }

    // MARK: User modes

    private func receiveUserMode(
        _ target: [UInt8], _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        guard let holder = context.service.holder(of: target) else {
            return replies.refuse(.noSuchNickname, about: target, id, &context)
        }
        guard holder == id else {
            return replies.send(
                "usersDontMatch", to: id, &context, text: "Cannot change mode for other users")
        }
        guard let modes = line.text("modes") else {
            let set = IRCUserMode.allCases.filter { clients[id]?.modes.contains($0) == true }
            return replies.send(
                "userModeIs", to: id, &context, ["modes": .text([0x2B] + set.map(\.rawValue))])
        }
        changeUserModes(modes, id, &context)
    }

    private func changeUserModes(
        _ modes: [UInt8], _ id: ClientID, _ context: inout RequestContext
    ) {
        var isSet = true
        for letter in modes {
            switch letter {
            case 0x2B: isSet = true
            case 0x2D: isSet = false
            default:
                guard let mode = IRCUserMode(rawValue: letter) else {
                    replies.send("unknownUserMode", to: id, &context, text: "Unknown MODE flag")
                    continue
                }
                guard clients[id]?.modes.contains(mode) != isSet else { continue }
                if isSet {
                    clients[id]?.modes.insert(mode)
                } else {
                    clients[id]?.modes.remove(mode)
                }
                let nickname = clients.name(of: id, context.service)
                replies.send(
                    "modeChanged", to: id, &context,
                    [
                        "source": .text(nickname), "target": .text(nickname),
                        "modes": .text([isSet ? 0x2B : 0x2D, letter]),
                    ])
            }
        }
    }

    // MARK: Channel modes

    private func receiveChannelMode(
        _ channel: [UInt8], _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        guard let name = rules.channel(channel), let room = context.service.room(name) else {
            return replies.refuse(.noSuchChat, about: channel, id, &context)
        }
        guard let modes = line.text("modes") else { return showModes(of: room, id, &context) }
        let parameters = line.list("parameters")
        if parameters.isEmpty, modes.count == 1 || modes.count == 2 && modes[0] == 0x2B,
            let list = modes.last.flatMap(ChatRoom.MaskList.init(letter:))
        {
            return showMasks(list, of: room, id, &context)
        }
        let changes = read(modes, parameters, in: room, id, &context)
        guard !changes.isEmpty else { return }
        if room.rank(of: id).contains(.roomOperator),
            replies.faults.shouldInject(.modesWithoutEffect),
            let person = context.service.session(id)?.person
        {
            return context.effects.append(
                .broadcast(
                    room.members, except: nil, .changed(chat: name, person: person, changes)))
        }
        do throws(Refusal) {
            try context.attempt(.change(chat: name, changes), from: id)
        } catch {
            replies.refuse(error, about: channel, id, &context)
        }
    }

    private func showModes(of room: ChatRoom, _ id: ClientID, _ context: inout RequestContext) {
        var letters: [UInt8] = [0x2B]
        var parameters: [ArgumentValue] = []
        for (letter, flag) in IRCChannelModes.flags where room.flags.contains(flag) {
            letters.append(letter)
        }
        if room.membersMax > 0 {
            letters.append(0x6C)
            parameters.append(.text(String(room.membersMax)))
        }
        if !room.key.isEmpty {
            letters.append(0x6B)
            parameters.append(.text(room.members.contains(id) ? room.key : [0x2A]))
        }
        replies.send(
            "channelModeIs", to: id, &context,
            [
                "channel": .text(room.name.bytes), "modes": .text(letters),
                "parameters": .list(parameters),
            ])
        replies.send(
            "channelCreated", to: id, &context,
            ["channel": .text(room.name.bytes), "time": .time(room.since)])
    }

    /// Parses the changes in a MODE command. Unknown changes are answered with a numeric.
    private func read(
        _ modes: [UInt8], _ parameters: [[UInt8]], in room: ChatRoom, _ id: ClientID,
        _ context: inout RequestContext
    ) -> [RoomChange] {
        var changes: [RoomChange] = []
        var rest = parameters.prefix(Self.changesMax)
        var isSet = true
        for letter in modes {
            switch letter {
            case 0x2B: isSet = true
            case 0x2D: isSet = false
            case 0x6F, 0x76:
                guard let nickname = rest.popFirst() else { continue }
                let holder = context.service.holder(of: nickname)
                guard holder != nil else {
                    replies.refuse(.noSuchNickname, about: nickname, id, &context)
                    continue
                }
                guard holder.map({ room.members.contains($0) }) == true else {
                    replies.userNotInChannel(nickname, room.name.bytes, to: id, &context)
                    continue
                }
                let rank: RoomRank = letter == 0x6F ? .roomOperator : .voiced
                changes.append(.rank(rank, nickname: nickname, isSet))
            case 0x6B:
                guard let key = rest.popFirst() else { continue }
                changes.append(.key(isSet ? key : []))
            case 0x6C:
                if !isSet { changes.append(.limit(0)) }
                guard isSet, let text = rest.popFirst() else { continue }
                let count = Int(String(decoding: text, as: UTF8.self)) ?? 0
                if count > 0 { changes.append(.limit(count)) }
            default:
                if let list = ChatRoom.MaskList(letter: letter) {
                    guard let mask = rest.popFirst(), !mask.isEmpty else { continue }
                    if isSet, room.masks(list).count >= context.service.rules.masksMax {
                        refuseMask(list, room, id, &context)
                        continue
                    }
                    changes.append(.mask(list, UserMask(completing: mask).bytes, isSet))
                } else if let flag = IRCChannelModes.flags.first(where: { $0.letter == letter })?
                    .flag
                {
                    changes.append(.flag(flag, isSet))
                } else {
                    replies.send(
                        "unknownMode", to: id, &context,
                        ["mode": .text([letter])], text: "is unknown mode char to me")
                }
            }
        }
        return changes
    }

    // MARK: Mask lists

    /// Lists the bans or exceptions of a channel. Any client may see them.
    private func showMasks(
        _ list: ChatRoom.MaskList, of room: ChatRoom, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        let (entry, end, title) = Self.replies(list)
        let channel = ArgumentValue.text(room.name.bytes)
        for listed in room.masks(list) {
            replies.send(
                entry, to: id, &context,
                [
                    "channel": channel, "mask": .text(listed.mask),
                    "details": .list([
                        .text(listed.setter), .text(String(listed.time / 1_000_000_000)),
                    ]),
                ])
        }
        replies.send(
            end, to: id, &context, ["channel": channel], text: "End of channel \(title) list")
    }

    /// Returns the replies that list masks, and the name of the list.
    private static func replies(
        _ list: ChatRoom.MaskList
    ) -> (entry: String, end: String, title: String) {
        switch list {
        case .bans: ("banMask", "endOfBanMasks", "ban")
        case .banExceptions: ("exceptionMask", "endOfExceptionMasks", "exception")
        case .inviteExceptions: ("inviteMask", "endOfInviteMasks", "invite exception")
        }
    }

    /// Reports that a mask cannot be added because the list is full.
    private func refuseMask(
        _ list: ChatRoom.MaskList, _ room: ChatRoom, _ id: ClientID, _ context: inout RequestContext
    ) {
        replies.send(
            "banListFull", to: id, &context,
            [
                "channel": .text(room.name.bytes), "mode": .text([list.letter]),
                "text": .text(list == .bans ? "Channel ban list is full" : "Channel list is full"),
            ])
    }
}
