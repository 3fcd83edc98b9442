import LineProtocol

extension IRCAdapter {
    /// Maximum number of changes with a parameter in one MODE command.
    private static let changesMax = 4
    private static let flags: [(letter: UInt8, flag: RoomFlags)] = [
        (0x69, .inviteOnly), (0x6D, .moderated), (0x6E, .membersOnly), (0x73, .secret),
        (0x74, .topicLocked),
    ]

    func receiveMode(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let target = line.text("target") ?? []
        if isChannel(target) {
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
            return refuse(.noSuchNickname, about: target, id, &context)
        }
        guard holder == id else {
            return reply(
                "usersDontMatch", id, &context,
                ["text": .text("Cannot change mode for other users")])
        }
        guard let modes = line.text("modes") else {
            let set = IRCUserMode.allCases.filter { slots[id]?.modes.contains($0) == true }
            return reply(
                "userModeIs", id, &context, ["modes": .text([0x2B] + set.map(\.rawValue))])
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
                    reply("unknownUserMode", id, &context, ["text": .text("Unknown MODE flag")])
                    continue
                }
                guard slots[id]?.modes.contains(mode) != isSet else { continue }
                if isSet { slots[id]?.modes.insert(mode) } else { slots[id]?.modes.remove(mode) }
                let nickname = client(id, context.service)
                reply(
                    "modeChanged", id, &context,
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
        guard let name = room(channel), let room = context.service.room(name) else {
            return refuse(.noSuchChat, about: channel, id, &context)
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
        if room.rank(of: id).contains(.roomOperator), faults.shouldInject(.modesWithoutEffect),
            let person = context.service.session(id)?.person
        {
            return context.effects.append(
                .broadcast(
                    room.members, except: nil, .changed(chat: name, person: person, changes)))
        }
        do throws(Refusal) {
            try context.attempt(.change(chat: name, changes), from: id)
        } catch {
            refuse(error, about: channel, id, &context)
        }
    }

    private func showModes(of room: ChatRoom, _ id: ClientID, _ context: inout RequestContext) {
        var letters: [UInt8] = [0x2B]
        var parameters: [ArgumentValue] = []
        for (letter, flag) in Self.flags where room.flags.contains(flag) { letters.append(letter) }
        if room.membersMax > 0 {
            letters.append(0x6C)
            parameters.append(.text(String(room.membersMax)))
        }
        if !room.key.isEmpty {
            letters.append(0x6B)
            parameters.append(.text(room.members.contains(id) ? room.key : [0x2A]))
        }
        reply(
            "channelModeIs", id, &context,
            [
                "channel": .text(room.name.bytes), "modes": .text(letters),
                "parameters": .list(parameters),
            ])
        reply(
            "channelCreated", id, &context,
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
                    refuse(.noSuchNickname, about: nickname, id, &context)
                    continue
                }
                guard holder.map({ room.members.contains($0) }) == true else {
                    refuseAbsent(nickname, room, id, &context)
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
                } else if let flag = Self.flags.first(where: { $0.letter == letter })?.flag {
                    changes.append(.flag(flag, isSet))
                } else {
                    reply(
                        "unknownMode", id, &context,
                        ["mode": .text([letter]), "text": .text("is unknown mode char to me")])
                }
            }
        }
        return changes
    }

    private func refuseAbsent(
        _ nickname: [UInt8], _ room: ChatRoom, _ id: ClientID, _ context: inout RequestContext
    ) {
        reply(
            "userNotInChannel", id, &context,
            [
                "nickname": .text(nickname), "channel": .text(room.name.bytes),
                "text": .text("They aren't on that channel"),
            ])
    }

    func spelling(of changes: [RoomChange]) -> (modes: [UInt8], parameters: [ArgumentValue]) {
        var modes: [UInt8] = []
        var parameters: [ArgumentValue] = []
        var sign: UInt8 = 0
        func add(_ letter: UInt8, _ isSet: Bool) {
            let wanted: UInt8 = isSet ? 0x2B : 0x2D
            if sign != wanted { modes.append(wanted) }
            sign = wanted
            modes.append(letter)
        }
        for change in changes {
            switch change {
            case .flag(let flag, let isSet):
                add(Self.flags.first { $0.flag == flag }?.letter ?? 0x3F, isSet)
            case .rank(let rank, let nickname, let isSet):
                add(rank == .roomOperator ? 0x6F : 0x76, isSet)
                parameters.append(.text(nickname))
            case .key(let key):
                add(0x6B, !key.isEmpty)
                parameters.append(.text(key.isEmpty ? [0x2A] : key))
            case .mask(let list, let mask, let isSet):
                add(list.letter, isSet)
                parameters.append(.text(mask))
            case .limit(let count):
                add(0x6C, count > 0)
                if count > 0 { parameters.append(.text(String(count))) }
            }
        }
        return (modes, parameters)
    }
}
