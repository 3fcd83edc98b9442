import ChatModel
package import LineProtocol

/// An adapter for IRC as specified by RFC 1459, RFC 2812 and modern.ircdocs.horse, with numerics,
/// two-command login, capabilities and modes. The service holds the state, and the dialect defines
/// the line format.
package final class IRCAdapter: ProtocolAdapter {
    static let serverName = Array("irc.linejudge.test".utf8)
    static let networkName = "Linejudge"
    static let version = "linejudge-1"
    package static let nicknameBytesMax = 30
    static let channelBytesMax = 50
    static let userNameBytesMax = 18
    static let realNameBytesMax = 128
    /// Maximum length of a topic, or of a reason in PART, QUIT, KICK or AWAY.
    static let reasonBytesMax = 300
    /// Maximum number of recipients of one message.
    static let targetsMax = 4

    let encoder: ReplyEncoder
    let names: NameRules
    let faults: FaultInjector
    private let verbs: [IRCVerb?]
    private let overflow: Framing.Overflow
    private let lineBytesMax: Int
    private let closesWrongPongs: Bool
    /// The accounts that clients can log in to.
    let accounts: [NameKey: (name: [UInt8], password: [UInt8])]
    /// The capabilities that clients can request.
    let offered: [IRCCapability]
    var slots = SlotTable<IRCClientState>()
    var monitors = MonitorTable()
    /// Number of clients whose capabilities change the lines they receive.
    var formCount = 0
    /// Number of messages so far, used to generate message IDs.
    var messageCount = 0
    var batchCount = 0

    package init(_ dialect: Dialect, _ rules: ChatRules, faults: FaultInjector) throws(ServerError)
    {
        encoder = ReplyEncoder(dialect, substitute: [0x2A], faults: faults)
        names = rules.names
        self.faults = faults
        var accounts: [NameKey: (name: [UInt8], password: [UInt8])] = [:]
        for (name, password) in rules.accounts {
            if let key = names.key(name) { accounts[key] = (name, password) }
        }
        self.accounts = accounts
        offered = IRCCapability.allCases.filter { capability in
            (capability != .sasl || !accounts.isEmpty)
                && (!capability.needsTags || dialect.syntax.fromServer.tags != nil)
        }
        overflow = dialect.framing.fromClient.overflow
        lineBytesMax = dialect.framing.fromServer.limits.lineBytesMax
        closesWrongPongs = dialect.policies["wrong-pong"] == "close"
        verbs = dialect.commands.signatures.map { signature in
            signature.direction.allows(.fromClient) ? IRCVerb(rawValue: signature.name) : nil
        }
        try encoder.require(client: IRCVerb.needed.map(\.rawValue))
        try encoder.require(server: Self.neededReplies)
    }

    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(bytesMax: nicknameBytesMax, folding: .rfc1459, alphabet: .irc)
            .decided(by: dialect)
        rules.presence = .peers
        rules.roomFlags = [.membersOnly, .topicLocked]
        rules.foundersAreOperators = true
        rules.anyLineKeepsAlive = true
        rules.pingsBeforeExpiry = true
        return rules
    }

    package func greet(_ id: ClientID, _ context: inout RequestContext) {
        slots[id] = IRCClientState()
    }

    package func forget(_ id: ClientID) {
        countForm(of: id, -1)
        monitors.removeAll(for: id)
        slots[id] = nil
    }

    package func receive(
        _ line: RequestLine, from id: ClientID, _ context: inout RequestContext
    ) {
        if let label = label(of: line, id),
            verb(of: line) != .authenticate || !faults.shouldInject(.authenticationUnlabelled)
        {
            let start = context.effects.count
            carryOut(line, from: id, &context)
            respond(label, since: start, id, &context)
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
        case .refuse: return reply("inputTooLong", id, &context, ["text": .text("Line too long")])
        }
        guard let speaker = speaker(of: line, id, context.service) else { return }
        guard let verb = verb(of: line) else {
            return receiveUnknown(line, id, &context)
        }
        guard verb.isEarly || context.service.session(id) != nil else {
            if context.closesEarly(id) { return }
            return reply("notRegistered", id, &context, ["text": .text("You have not registered")])
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

    func receiveUnknown(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        guard context.service.session(id) != nil else {
            return reply("notRegistered", id, &context, ["text": .text("You have not registered")])
        }
        // A numeric from a client is dropped (RFC 1459 §2.4).
        if line.verb.count == 3, line.verb.allSatisfy(ASCII.isDigit) { return }
        reply(
            "unknownCommand", id, &context,
            ["command": .text(line.verb), "text": .text("Unknown command")])
    }

    private func receiveIncomplete(
        _ verb: IRCVerb, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        switch verb {
        case .notice: break
        case .nick, .whois, .whowas:
            reply("noNicknameGiven", id, &context, ["text": .text("No nickname given")])
        case .ping, .pong: reply("noOrigin", id, &context, ["text": .text("No origin specified")])
        case .privmsg where line.text("target")?.isEmpty == false:
            reply("noTextToSend", id, &context, ["text": .text("No text to send")])
        case .privmsg:
            reply("noRecipient", id, &context, ["text": .text("No recipient given (PRIVMSG)")])
        case .chathistory where has(.chathistory, id):
            refuseHistory("NEED_MORE_PARAMS", line, id, &context)
        case .chathistory: receiveUnknown(line, id, &context)
        default: needMore(line, id, &context)
        }
    }

    func needMore(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        reply(
            "needMoreParameters", id, &context,
            ["command": .text(line.verb), "text": .text("Not enough parameters")])
    }

    private func receive(
        _ verb: IRCVerb, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        switch verb {
        case .cap: negotiate(line, id, &context)
        case .authenticate: authenticate(line, id, &context)
        case .pass: takePassword(line, id, &context)
        case .nick: takeNickname(line, id, &context)
        case .user: takeUser(line, id, &context)
        case .ping: context.ask(.ping(token: line.text("token") ?? []), from: id)
        case .pong: receivePong(line, id, &context)
        case .quit: quit(line, id, &context)
        case .join, .part, .topic, .names, .list, .invite, .kick:
            receiveChannelCommand(verb, line, id, &context)
        case .mode: receiveMode(line, id, &context)
        case .privmsg: sendText(line, .message, id, &context)
        case .notice: sendText(line, .notice, id, &context)
        case .tagmsg: sendTags(line, id, &context)
        case .setname: setRealName(line, id, &context)
        case .monitor: receiveMonitor(line, id, &context)
        case .chathistory: sendHistory(line, id, &context)
        case .away: setAway(line, id, &context)
        case .who, .whois, .whowas, .userhost, .ison: receiveUserQuery(verb, line, id, &context)
        case .motd, .lusers, .version, .stats, .links, .time, .admin, .info, .help:
            receiveServerQuery(verb, line, id, &context)
        case .oper: reply("noOperatorHost", id, &context, ["text": .text("No operators here")])
        case .kill, .rehash, .restart, .die, .wallops, .squit, .connect:
            reply("noPrivileges", id, &context, ["text": .text("Permission denied")])
        }
    }

    /// Handles a PONG. Any token is accepted, unless the dialect specifies otherwise.
    private func receivePong(
        _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        if line.text("token") != Self.serverName {
            if closesWrongPongs { return context.end(id, .protocolViolated) }
            if faults.shouldInject(.wrongPongsAsked) {
                reply("ping", id, &context, ["token": .text(Self.serverName)])
                return context.close(id, .protocolViolated)
            }
        }
        if !faults.shouldInject(.pongsIgnored) { context.service.keepAlive(id, context.now) }
    }

    // MARK: Answers

    func reply(
        _ name: String, _ id: ClientID, _ context: inout RequestContext,
        _ values: ReplyEncoder.Values = [:]
    ) {
        var line: [UInt8] = []
        append(name, id, context.service, values, to: &line)
        context.answer(id, line)
    }

    /// Appends an answer, truncated to the line limit.
    func append(
        _ name: String, _ id: ClientID, _ service: borrowing ChatService,
        _ values: ReplyEncoder.Values,
        to line: inout [UInt8]
    ) {
        let start = line.count
        do {
            try encoder.append(
                name, values,
                and: ["source": .text(Self.serverName), "client": .text(client(id, service))],
                to: &line)
        } catch {
            return
        }
        cut(&line, from: start)
    }

    /// Truncates an overlong line at a character boundary.
    func cut(_ line: inout [UInt8], from start: Int) {
        guard line.count - start > lineBytesMax else { return }
        var kept = Array(line[start..<(start + lineBytesMax - 2)])
        kept.removeIncompleteCharacter()
        line.replaceSubrange(start..., with: kept + [ASCII.cr, ASCII.lf])
    }

    /// Returns the client's name for use in answers: `*` if it has no nickname yet.
    func client(_ id: ClientID, _ service: borrowing ChatService) -> [UInt8] {
        service.session(id)?.nickname.bytes ?? slots[id]?.nickname ?? [0x2A]
    }

    func source(_ person: ChatUser) -> [UInt8] {
        var source = person.nickname
        source.reserveCapacity(source.count + person.account.count + person.host.count + 2)
        source.append(0x21)
        source.append(contentsOf: person.account)
        source.append(0x40)
        source.append(contentsOf: person.host)
        return source
    }
}

/// IRC-specific state of a client.
struct IRCClientState {
    var nickname: [UInt8]?
    var user: (name: [UInt8], realName: [UInt8])?
    var password: [UInt8] = []
    /// True while capabilities are being negotiated, which delays the login.
    var isNegotiating = false
    /// True if the client has requested capability values.
    var hasValues = false
    var capabilities = IRCCapabilities()
    /// Data of a SASL authentication in progress; nil if there is none.
    var saslData: [UInt8]?
    /// The account that the client is logged in to; nil if it is not.
    var account: [UInt8]?
    var modes: Set<IRCUserMode> = []
    var isInvisible: Bool { modes.contains(.invisible) }
    var isBot: Bool { modes.contains(.bot) }
}
