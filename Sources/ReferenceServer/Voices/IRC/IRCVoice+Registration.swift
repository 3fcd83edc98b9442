import ChatModel
import LineProtocol

extension IRCVoice {
    /// The capabilities that are offered.
    private static let capabilities = ["multi-prefix"]

    func negotiate(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let subcommand = String(decoding: line.text("subcommand") ?? [], as: UTF8.self)
        switch subcommand.uppercased() {
        case "LS":
            hold(id, stage.hall)
            answerCapabilities("LS", Self.capabilities.joined(separator: " "), id, &stage)
        case "LIST":
            let active = seats[id]?.capabilities.sorted() ?? []
            answerCapabilities("LIST", active.joined(separator: " "), id, &stage)
        case "REQ":
            hold(id, stage.hall)
            request(line.text("capabilities") ?? [], id, &stage)
        case "END":
            seats[id]?.isNegotiating = false
            register(id, &stage)
        default:
            reply(
                "invalidCapCommand", id, &stage,
                ["command": .text(subcommand), "text": .text("Invalid CAP command")])
        }
    }

    /// The login waits until the negotiation has ended.
    private func hold(_ id: ConnectionID, _ hall: borrowing ChatHall) {
        if hall.session(id) == nil { seats[id]?.isNegotiating = true }
    }

    /// Grants all that is asked for, or nothing.
    private func request(_ list: [UInt8], _ id: ConnectionID, _ stage: inout Stage) {
        let text = String(decoding: list, as: UTF8.self)
        let wanted = text.split(separator: " ")
        let isOffered = wanted.allSatisfy { word in
            Self.capabilities.contains(String(word.drop { $0 == "-" }))
        }
        for word in wanted where isOffered {
            if word.hasPrefix("-") {
                seats[id]?.capabilities.remove(String(word.dropFirst()))
            } else {
                seats[id]?.capabilities.insert(String(word))
            }
        }
        answerCapabilities(isOffered ? "ACK" : "NAK", text, id, &stage)
    }

    private func answerCapabilities(
        _ subcommand: String, _ list: String, _ id: ConnectionID, _ stage: inout Stage
    ) {
        reply(
            "capability", id, &stage,
            ["subcommand": .text(subcommand), "capabilities": .text(list)])
    }

    func takePassword(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        guard stage.hall.session(id) == nil else { return refuseSecondLogin(id, &stage) }
        seats[id]?.password = line.text("password") ?? []
    }

    private func refuseSecondLogin(_ id: ConnectionID, _ stage: inout Stage) {
        reply("alreadyRegistered", id, &stage, ["text": .text("You may not reregister")])
    }

    func takeNickname(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let wanted = line.text("nickname") ?? []
        guard !wanted.isEmpty else {
            return reply("noNicknameGiven", id, &stage, ["text": .text("No nickname given")])
        }
        do throws(Refusal) {
            guard stage.hall.session(id) == nil else {
                return try stage.attempt(.rename(to: wanted), from: id)
            }
            let nickname = try stage.hall.admit(wanted)
            if stage.hall.holder(of: wanted) != nil, !faults.isArmed(.nameTakenTwice) {
                throw Refusal(.nameInUse, "")
            }
            seats[id]?.nickname = nickname.bytes
            register(id, &stage)
        } catch {
            tell(error, about: wanted, id, &stage)
        }
    }

    func takeUser(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        guard stage.hall.session(id) == nil else { return refuseSecondLogin(id, &stage) }
        let forbidden: Set<UInt8> = [0x21, 0x40, 0x2A, 0x3A, 0x23]
        let name = (line.text("username") ?? []).filter { $0 > 0x20 && !forbidden.contains($0) }
        guard !name.isEmpty else { return needMore(line, id, &stage) }
        let realName = line.text("realname") ?? []
        seats[id]?.user = (
            Array(name.prefix(Self.userNameBytesMax)), realName.letters(Self.realNameBytesMax)
        )
        register(id, &stage)
    }

    /// Logs in once nickname and user are known and no negotiation is under way.
    private func register(_ id: ConnectionID, _ stage: inout Stage) {
        guard stage.hall.session(id) == nil, let seat = seats[id], !seat.isNegotiating,
            let nickname = seat.nickname, let user = seat.user
        else { return }
        var host = stage.hall.address(of: id)
        if host.isEmpty || host.first == 0x3A { host = Array("localhost".utf8) }
        let profile = Profile(account: user.name, host: host, realName: user.realName)
        do throws(Refusal) {
            try stage.attempt(
                .login(
                    nickname: nickname, password: seat.password, isVisitor: false,
                    profile: profile), from: id)
        } catch {
            tell(error, about: nickname, id, &stage)
            seats[id]?.nickname = nil
            if error.cause == .badPassword { stage.end(id, .protocolViolated) }
        }
    }

    func quit(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        guard stage.hall.session(id) != nil else { return stage.end(id, .loggedOut) }
        let reason = line.text("reason") ?? []
        stage.ask(.quit(reason: reason.letters(Self.reasonBytesMax)), from: id)
    }

    /// What follows a login: who we are, what we can, how many are here, the message of the day.
    func appendWelcome(_ id: ConnectionID, _ hall: borrowing ChatHall, _ line: inout [UInt8]) {
        guard let session = hall.session(id) else { return }
        let server = String(decoding: Self.serverName, as: UTF8.self)
        let greeting = Array("Welcome to the \(Self.networkName) Network, ".utf8)
        append(
            "welcome", id, hall, ["text": .text(greeting + source(session.person))], to: &line)
        append(
            "yourHost", id, hall,
            ["text": .text("Your host is \(server), running version \(Self.version)")], to: &line)
        append(
            "created", id, hall, ["text": .text("This server was created when it was started")],
            to: &line)
        append(
            "myInfo", id, hall,
            [
                "server": .text(server), "version": .text(Self.version), "userModes": .text("i"),
                "channelModes": .text("iklmnostv"),
            ], to: &line)
        append(
            "isupport", id, hall,
            [
                "tokens": .list(supported(hall.rules).map { .text($0) }),
                "text": .text("are supported by this server"),
            ], to: &line)
        appendUserCounts(id, hall, &line)
        appendMotd(id, hall, &line)
    }

    private func supported(_ rules: ChatRules) -> [String] {
        let mapping = names.folding == .exact ? "ascii" : names.folding.rawValue
        return [
            "AWAYLEN=\(Self.reasonBytesMax)", "CASEMAPPING=\(mapping)",
            "CHANLIMIT=#&:\(rules.chatsPerSessionMax)", "CHANMODES=,k,l,imnst",
            "CHANNELLEN=\(Self.channelBytesMax)", "CHANTYPES=#&", "KICKLEN=\(Self.reasonBytesMax)",
            "MODES=4", "NETWORK=\(Self.networkName)", "NICKLEN=\(names.bytesMax)", "PREFIX=(ov)@+",
            "TOPICLEN=\(Self.reasonBytesMax)",
        ]
    }
}

extension [UInt8] {
    /// The first bytes, so many at most, cut on a letter.
    func letters(_ bytesMax: Int) -> [UInt8] {
        guard count > bytesMax else { return self }
        var kept = Array(prefix(bytesMax))
        kept.removeIncompleteLetter()
        return kept
    }
}
