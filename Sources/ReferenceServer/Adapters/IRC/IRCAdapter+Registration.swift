import ChatModel
import LineProtocol

extension IRCAdapter {
    private static let capabilities = ["multi-prefix"]

    func negotiate(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let subcommand = String(decoding: line.text("subcommand") ?? [], as: UTF8.self)
        switch subcommand.uppercased() {
        case "LS":
            hold(id, context.service)
            answerCapabilities("LS", Self.capabilities.joined(separator: " "), id, &context)
        case "LIST":
            let active = slots[id]?.capabilities.sorted() ?? []
            answerCapabilities("LIST", active.joined(separator: " "), id, &context)
        case "REQ":
            hold(id, context.service)
            request(line.text("capabilities") ?? [], id, &context)
        case "END":
            slots[id]?.isNegotiating = false
            register(id, &context)
        default:
            reply(
                "invalidCapCommand", id, &context,
                ["command": .text(subcommand), "text": .text("Invalid CAP command")])
        }
    }

    /// Delays the login until the negotiation has ended.
    private func hold(_ id: ClientID, _ service: borrowing ChatService) {
        if service.session(id) == nil { slots[id]?.isNegotiating = true }
    }

    /// Grants either all requested capabilities or none.
    private func request(_ list: [UInt8], _ id: ClientID, _ context: inout RequestContext) {
        let text = String(decoding: list, as: UTF8.self)
        let wanted = text.split(separator: " ")
        let isOffered = wanted.allSatisfy { word in
            Self.capabilities.contains(String(word.drop { $0 == "-" }))
        }
        for word in wanted where isOffered {
            if word.hasPrefix("-") {
                slots[id]?.capabilities.remove(String(word.dropFirst()))
            } else {
                slots[id]?.capabilities.insert(String(word))
            }
        }
        answerCapabilities(isOffered ? "ACK" : "NAK", text, id, &context)
    }

    private func answerCapabilities(
        _ subcommand: String, _ list: String, _ id: ClientID, _ context: inout RequestContext
    ) {
        reply(
            "capability", id, &context,
            ["subcommand": .text(subcommand), "capabilities": .text(list)])
    }

    func takePassword(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard context.service.session(id) == nil else { return refuseSecondLogin(id, &context) }
        slots[id]?.password = line.text("password") ?? []
    }

    private func refuseSecondLogin(_ id: ClientID, _ context: inout RequestContext) {
        reply("alreadyRegistered", id, &context, ["text": .text("You may not reregister")])
    }

    func takeNickname(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let wanted = line.text("nickname") ?? []
        guard !wanted.isEmpty else {
            return reply("noNicknameGiven", id, &context, ["text": .text("No nickname given")])
        }
        do throws(Refusal) {
            guard context.service.session(id) == nil else {
                return try context.attempt(.rename(to: wanted), from: id)
            }
            let nickname = try context.service.admit(wanted)
            if let holder = context.service.holder(of: wanted), !faults.isArmed(.nameTakenTwice),
                !faults.isArmed(.namesExact)
                    || context.service.session(holder)?.nickname.bytes == wanted
            {
                throw Refusal(.nameInUse, "")
            }
            slots[id]?.nickname = nickname.bytes
            register(id, &context)
        } catch {
            refuse(error, about: wanted, id, &context)
        }
    }

    func takeUser(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard context.service.session(id) == nil else { return refuseSecondLogin(id, &context) }
        let forbidden: Set<UInt8> = [0x21, 0x40, 0x2A, 0x3A, 0x23]
        let name = (line.text("username") ?? []).filter { $0 > 0x20 && !forbidden.contains($0) }
        guard !name.isEmpty else { return needMore(line, id, &context) }
        let realName = line.text("realname") ?? []
        slots[id]?.user = (
            Array(name.prefix(Self.userNameBytesMax)), realName.letters(Self.realNameBytesMax)
        )
        register(id, &context)
    }

    /// Logs the client in once its nickname and user are known and no negotiation is in progress.
    private func register(_ id: ClientID, _ context: inout RequestContext) {
        guard context.service.session(id) == nil, let slot = slots[id], !slot.isNegotiating,
            let nickname = slot.nickname, let user = slot.user
        else { return }
        var host = context.service.address(of: id)
        if host.isEmpty || host.first == 0x3A { host = Array("localhost".utf8) }
        let profile = Profile(account: user.name, host: host, realName: user.realName)
        do throws(Refusal) {
            try context.attempt(
                .login(
                    nickname: nickname, password: slot.password, isVisitor: false,
                    profile: profile), from: id)
        } catch {
            refuse(error, about: nickname, id, &context)
            slots[id]?.nickname = nil
            if error.cause == .badPassword { context.end(id, .protocolViolated) }
        }
    }

    func quit(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard context.service.session(id) != nil else { return context.end(id, .loggedOut) }
        let reason = line.text("reason") ?? []
        context.ask(.quit(reason: reason.letters(Self.reasonBytesMax)), from: id)
    }

    /// Appends the lines after a login: server identity, supported features, user counts and the
    /// message of the day.
    func appendWelcome(_ id: ClientID, _ service: borrowing ChatService, _ line: inout [UInt8]) {
        guard let session = service.session(id) else { return }
        let server = String(decoding: Self.serverName, as: UTF8.self)
        let greeting = Array("Welcome to the \(Self.networkName) Network, ".utf8)
        append(
            "welcome", id, service, ["text": .text(greeting + source(session.person))], to: &line)
        append(
            "yourHost", id, service,
            ["text": .text("Your host is \(server), running version \(Self.version)")], to: &line)
        append(
            "created", id, service, ["text": .text("This server was created when it was started")],
            to: &line)
        append(
            "myInfo", id, service,
            [
                "server": .text(server), "version": .text(Self.version), "userModes": .text("i"),
                "channelModes": .text("iklmnostv"),
            ], to: &line)
        append(
            "isupport", id, service,
            [
                "tokens": .list(supported(service.rules).map { .text($0) }),
                "text": .text("are supported by this server"),
            ], to: &line)
        appendUserCounts(id, service, &line)
        appendMotd(id, service, &line)
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
    /// Returns at most `bytesMax` bytes, cut at a character boundary.
    func letters(_ bytesMax: Int) -> [UInt8] {
        guard count > bytesMax else { return self }
        var kept = Array(prefix(bytesMax))
        kept.removeIncompleteLetter()
        return kept
    }
}
