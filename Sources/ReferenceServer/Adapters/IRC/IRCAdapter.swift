import ChatModel
package import LineProtocol

/// An adapter for IRC as specified by RFC 1459, RFC 2812 and modern.ircdocs.horse, with numerics,
/// two-command login, capabilities and modes. The service holds the state, and the dialect defines
/// the line format.
package final class IRCAdapter: ProtocolAdapter {
    private let clients: IRCClients
    private let replies: IRCReplies
    private let notices: IRCNoticeEncoder
    private let login: IRCLogin
    private let channels: IRCChannelCommands
    private let modes: IRCModeCommand
    private let users: IRCUserQueries
    private let information: IRCServerInformation
    private let history: IRCHistory
    private var messages: IRCMessages
    private var monitor: IRCMonitor
    private var batches: IRCBatches

    private let faults: FaultInjector
    private let verbs: [IRCVerb?]
    private let overflow: Framing.Overflow
    private let closesWrongPongs: Bool

    package init(_ dialect: Dialect, _ rules: ChatRules, faults: FaultInjector) throws(ServerError)
    {
        self.faults = faults
        clients = IRCClients(faults)
        let encoder = ReplyEncoder(dialect, substitute: [0x2A], faults: faults)
        let ircRules = IRCRules(names: rules.names)
        replies = IRCReplies(encoder, clients, faults)
        login = IRCLogin(replies, clients, rules, faults)
        channels = IRCChannelCommands(replies: replies, clients: clients, rules: ircRules)
        modes = IRCModeCommand(replies: replies, clients: clients, rules: ircRules)
        users = IRCUserQueries(replies: replies, clients: clients, rules: ircRules)
        information = IRCServerInformation(
            replies: replies, names: rules.names,
            offersHistory: login.offered.contains(.chathistory))
        notices = IRCNoticeEncoder(replies: replies, clients: clients, information: information)
        history = IRCHistory(replies: replies, clients: clients, notices: notices, rules: ircRules)
        messages = IRCMessages(notices, ircRules)
        monitor = IRCMonitor(replies, rules.names)
        batches = IRCBatches(notices)
        overflow = dialect.framing.fromClient.overflow
        closesWrongPongs = dialect.policies["wrong-pong"] == "close"
        verbs = dialect.commands.signatures.map { signature in
            signature.direction.allows(.fromClient) ? IRCVerb(rawValue: signature.name) : nil
        }
        try encoder.require(client: IRCVerb.needed.map(\.rawValue))
        try encoder.require(server: IRCReplies.needed)
    }

    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(
            bytesMax: IRCRules.nicknameBytesMax, folding: .rfc1459, alphabet: .irc
        ).decided(by: dialect)
        rules.presence = .peers
        rules.roomFlags = [.membersOnly, .topicLocked]
        rules.foundersAreOperators = true
        rules.anyLineKeepsAlive = true
        rules.pingsBeforeExpiry = true
        return rules
    }

    package func greet(_ id: ClientID, _ context: inout RequestContext) {
        clients[id] = IRCClientState()
    }

    package func forget(_ id: ClientID) {
        monitor.forget(id)
        clients[id] = nil
    }

    package func receive(
        _ line: RequestLine, from id: ClientID, _ context: inout RequestContext
    ) {
        if line.tags != nil, clients.has(.labeledResponse, id), clients.has(.batch, id),
            let label = IRCClientTags(line, replies.encoder.dialect, faults).label,
            verb(of: line) != .authenticate || !faults.shouldInject(.authenticationUnlabelled)
        {
            let start = context.effects.count
            carryOut(line, from: id, &context)
            batches.respond(label, since: start, to: id, &context)
        } else {
            carryOut(line, from: id, &context)
        }
    }

    private func verb(of line: RequestLine) -> IRCVerb? {
        line.message.command.flatMap { verbs[$0] }
    }

    private func carryOut(
        _ line: RequestLine, from id: ClientID, _ context: inout RequestContext
    ) {
        // Lines whose tags exceed the limit are refused, regardless of the overflow policy.
        let hasLongTags =
            if case .tagsOverLimit = line.frame.issue {
                !faults.shouldInject(.longTagsAccepted)
            } else {
                false
            }
        switch line.verdict(hasLongTags ? .reject : overflow, open: .truncate) {
        case .carryOut: break
        case .nothing: return
        case .end(let departure): return context.end(id, departure)
        case .refuse: return replies.send("inputTooLong", to: id, &context, text: "Line too long")
        }
        guard let speaker = speaker(of: line, id, context.service) else { return }
        guard let verb = verb(of: line) else { return replies.unknownCommand(line, id, &context) }
        guard verb.isEarly || context.service.session(id) != nil else {
            if context.closesEarly(id) { return }
            return replies.notRegistered(id, &context)
        }
        if line.intolerable != nil { return receiveIncomplete(verb, line, id, &context) }
        receive(verb, line, speaker, &context)
    }

    /// Returns the client to treat as the sender of a line; nil if the source prefix is not the
    /// client's own.
    private func speaker(
        of line: RequestLine, _ id: ClientID, _ service: borrowing ChatService
    ) -> ClientID? {
        guard let source = line.source else { return id }
        let nickname = Array(source.prefix { $0 != 0x21 && $0 != 0x40 })
        guard let holder = service.holder(of: nickname), holder != id else {
            return service.holder(of: nickname) == id ? id : nil
        }
        return faults.shouldInject(.forgedSource) ? holder : nil
    }

    private func receiveIncomplete(
        _ verb: IRCVerb, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        switch verb {
        case .notice: break
        case .nick, .whois, .whowas:
            replies.send("noNicknameGiven", to: id, &context, text: "No nickname given")
        case .ping, .pong: replies.send("noOrigin", to: id, &context, text: "No origin specified")
        case .privmsg where line.text("target")?.isEmpty == false:
            replies.send("noTextToSend", to: id, &context, text: "No text to send")
        case .privmsg:
            replies.send("noRecipient", to: id, &context, text: "No recipient given (PRIVMSG)")
        case .chathistory where clients.has(.chathistory, id):
            history.reject("NEED_MORE_PARAMS", line, id, &context)
        case .chathistory: replies.unknownCommand(line, id, &context)
        default: replies.needMore(line, id, &context)
        }
    }

    private func receive(
        _ verb: IRCVerb, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        switch verb {
        case .cap: login.negotiate(line, id, &context)
        case .authenticate: login.authenticate(line, id, &context)
        case .pass: login.takePassword(line, id, &context)
        case .nick: changeNickname(line, id, &context)
        case .user: login.takeUser(line, id, &context)
        case .ping: context.ask(.ping(token: line.text("token") ?? []), from: id)
        case .pong: receivePong(line, id, &context)
        case .quit: login.quit(line, id, &context)
        case .join, .part, .topic, .names, .list, .invite, .kick:
            channels.receive(verb, line, id, &context)
        case .mode: modes.receive(line, id, &context)
        case .privmsg: messages.sendText(line, .message, id, &context)
        case .notice: messages.sendText(line, .notice, id, &context)
        case .tagmsg: messages.sendTags(line, id, &context)
        case .setname: setRealName(line, id, &context)
        case .monitor: monitor.receive(line, id, &context)
        case .chathistory: history.send(line, to: id, &context, &batches)
        case .away: setAway(line, id, &context)
        case .who, .whois, .whowas, .userhost, .ison: users.receive(verb, line, id, &context)
        case .motd, .lusers, .version, .stats, .links, .time, .admin, .info, .help:
            information.receive(verb, line, id, &context)
        case .oper: replies.send("noOperatorHost", to: id, &context, text: "No operators here")
        case .kill, .rehash, .restart, .die, .wallops, .squit, .connect:
            replies.send("noPrivileges", to: id, &context, text: "Permission denied")
        }
    }

    private func changeNickname(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        let old = context.service.session(id)?.nickname.bytes
        login.takeNickname(line, id, &context)
        if let old { monitor.reportRename(from: old, id, &context) }
    }

    /// Handles a PONG. Any token is accepted, unless the dialect specifies otherwise.
    private func receivePong(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        if line.text("token") != IRCRules.serverName {
            if closesWrongPongs { return context.end(id, .protocolViolated) }
            if faults.shouldInject(.wrongPongsAsked) {
                replies.send("ping", to: id, &context, ["token": .text(IRCRules.serverName)])
                return context.close(id, .protocolViolated)
            }
        }
        if !faults.shouldInject(.pongsIgnored) { context.service.keepAlive(id, context.now) }
    }

    // MARK: User status

    private func setRealName(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let name = line.text("realname") ?? []
        guard name.count <= IRCRules.realNameBytesMax else {
            return replies.send(
                "fail", to: id, &context,
                [
                    "command": .text("SETNAME"), "code": .text("INVALID_REALNAME"),
                    "description": .text("The real name is too long"),
                ])
        }
        context.service.setRealName(name, id, &context.effects)
    }

    private func setAway(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let text = line.text("text") ?? []
        context.ask(.away(text.isEmpty ? nil : text.letters(IRCRules.reasonBytesMax)), from: id)
        if text.isEmpty {
            replies.send("noLongerAway", to: id, &context, text: "You are no longer away")
        } else {
            replies.send("nowAway", to: id, &context, text: "You have been marked as away")
        }
    }

    // MARK: Notices

    package func observe(_ note: ChatNote, _ context: inout RequestContext) {
        monitor.observe(note, &context)
    }

    package var hasForms: Bool { clients.hasForms }

    package func form(of id: ClientID) -> Int { clients.form(of: id) }

    package func encode(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        try notices.encode(notice, to: id, service, &line)
    }
}
