import ChatModel
import LineProtocol

extension IRCAdapter {
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
            if let session = context.service.session(id) {
                try context.attempt(.rename(to: wanted), from: id)
                return reportRename(from: session.nickname.bytes, id, &context)
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

    /// Logs the client in once its nickname and user name are known and no negotiation is in
    /// progress.
    func register(_ id: ClientID, _ context: inout RequestContext) {
        guard context.service.session(id) == nil, let slot = slots[id], !slot.isNegotiating,
            let nickname = slot.nickname, let user = slot.user
        else { return }
        var host = context.service.address(of: id)
        if host.isEmpty || host.first == 0x3A { host = Array("localhost".utf8) }
        let profile = Profile(account: user.name, host: host, realName: user.realName)
        abortAuthentication(id, &context)
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

    /// Appends the lines that follow a login: server identity, supported features, user counts and
    /// the message of the day.
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
                "server": .text(server), "version": .text(Self.version),
                "userModes": .text(IRCUserMode.allCases.map(\.rawValue)),
                "channelModes": .text("Ibeiklmnostv"),
            ], to: &line)
        appendFeatures(id, service, &line)
        appendUserCounts(id, service, &line)
        appendMotd(id, service, &line)
    }
}

extension [UInt8] {
    /// Returns at most `bytesMax` bytes, ending at a character boundary.
    func letters(_ bytesMax: Int) -> [UInt8] {
        guard count > bytesMax else { return self }
        var kept = Array(prefix(bytesMax))
        kept.removeIncompleteCharacter()
        return kept
    }
}
