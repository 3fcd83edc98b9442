import ChatModel
import LineProtocol

/// The commands that precede and change a login: PASS, NICK, USER, CAP, AUTHENTICATE and QUIT.
struct IRCLogin {
    let replies: IRCReplies
    let clients: IRCClients
    let names: NameRules
    let faults: FaultInjector
    /// The accounts that clients can log in to.
    let accounts: [NameKey: (name: [UInt8], password: [UInt8])]
    /// The capabilities that clients can request.
    let offered: [IRCCapability]

    init(_ replies: IRCReplies, _ clients: IRCClients, _ rules: ChatRules, _ faults: FaultInjector)
    {
        self.replies = replies
        self.clients = clients
        self.faults = faults
        names = rules.names
        var accounts: [NameKey: (name: [UInt8], password: [UInt8])] = [:]
        for (name, password) in rules.accounts {
            if let key = names.key(name) { accounts[key] = (name, password) }
        }
        self.accounts = accounts
        let hasTags = replies.encoder.dialect.syntax.fromServer.tags != nil
        offered = IRCCapability.allCases.filter { capability in
            (capability != .sasl || !accounts.isEmpty) && (!capability.needsTags || hasTags)
        }
    }

    func takePassword(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard context.service.session(id) == nil else { return refuseSecondLogin(id, &context) }
        clients[id]?.password = line.text("password") ?? []
    }

    private func refuseSecondLogin(_ id: ClientID, _ context: inout RequestContext) {
        replies.send("alreadyRegistered", to: id, &context, text: "You may not reregister")
    }

    func takeNickname(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let wanted = line.text("nickname") ?? []
        guard !wanted.isEmpty else {
            return replies.send("noNicknameGiven", to: id, &context, text: "No nickname given")
        }
        do throws(Refusal) {
            if context.service.session(id) != nil {
                return try context.attempt(.rename(to: wanted), from: id)
            }
            let nickname = try context.service.admit(wanted)
            if let holder = context.service.holder(of: wanted), !faults.isArmed(.nameTakenTwice),
                !faults.isArmed(.namesExact)
                    || context.service.session(holder)?.nickname.bytes == wanted
            {
                throw Refusal(.nameInUse, "")
            }
            clients[id]?.nickname = nickname.bytes
            register(id, &context)
        } catch {
            replies.refuse(error, about: wanted, id, &context)
        }
    }

    func takeUser(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard context.service.session(id) == nil else { return refuseSecondLogin(id, &context) }
        let forbidden: Set<UInt8> = [0x21, 0x40, 0x2A, 0x3A, 0x23]
        let name = (line.text("username") ?? []).filter { $0 > 0x20 && !forbidden.contains($0) }
        guard !name.isEmpty else { return replies.needMore(line, id, &context) }
        let realName = line.text("realname") ?? []
        clients[id]?.user = (
            Array(name.prefix(IRCRules.userNameBytesMax)),
            realName.letters(IRCRules.realNameBytesMax)
        )
        register(id, &context)
    }

    /// Logs the client in once its nickname and user name are known and no negotiation is in
    /// progress.
    func register(_ id: ClientID, _ context: inout RequestContext) {
        guard context.service.session(id) == nil, let slot = clients[id], !slot.isNegotiating,
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
            replies.refuse(error, about: nickname, id, &context)
            clients[id]?.nickname = nil
            if error.cause == .badPassword { context.end(id, .protocolViolated) }
        }
    }

    func quit(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard context.service.session(id) != nil else { return context.end(id, .loggedOut) }
        let reason = line.text("reason") ?? []
        context.ask(.quit(reason: reason.letters(IRCRules.reasonBytesMax)), from: id)
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
