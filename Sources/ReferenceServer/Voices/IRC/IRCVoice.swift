import ChatModel
package import LineProtocol

/// Internet Relay Chat as RFC 1459, RFC 2812 and modern.ircdocs.horse have it: numerics, the login in two
/// commands, capabilities, modes. What happens is the hall's; what it looks like stands in the dialect.
package final class IRCVoice: Voice {
    static let serverName = Array("irc.linejudge.test".utf8)
    static let networkName = "Linejudge"
    static let version = "linejudge-1"
    package static let nicknameBytesMax = 30
    static let channelBytesMax = 50
    static let userNameBytesMax = 18
    static let realNameBytesMax = 128
    /// Topics, and reasons for parting, quitting, kicking and being away.
    static let reasonBytesMax = 300
    /// How many receivers one message may have.
    static let targetsMax = 4

    let words: Wording
    let names: NameRules
    let faults: FaultInjector
    private let verbs: [IRCVerb?]
    private let overflow: Framing.Overflow
    private let lineBytesMax: Int
    private let closesWrongPongs: Bool
    var seats = SeatTable<IRCSeat>()

    package init(_ dialect: Dialect, _ rules: ChatRules, faults: FaultInjector) throws(ServerError)
    {
        words = Wording(dialect)
        names = rules.names
        self.faults = faults
        overflow = dialect.framing.fromClient.overflow
        lineBytesMax = dialect.framing.fromServer.limits.lineBytesMax
        closesWrongPongs = dialect.policies["wrong-pong"] == "close"
        verbs = dialect.commands.signatures.map { signature in
            signature.direction.allows(.fromClient) ? IRCVerb(rawValue: signature.name) : nil
        }
        try words.require(client: IRCVerb.needed.map(\.rawValue))
        try words.require(server: Self.neededReplies)
    }

    /// How the hall behaves where this is spoken.
    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(bytesMax: nicknameBytesMax, folding: .rfc1459, alphabet: .irc)
            .decided(by: dialect)
        rules.presence = .peers
        rules.roomFlags = [.membersOnly, .topicLocked]
        rules.foundersAreOperators = true
        rules.anyLineKeepsAlive = true
        rules.asksBeforeExpiry = true
        return rules
    }

    package func greet(_ id: ConnectionID, _ stage: inout Stage) { seats[id] = IRCSeat() }

    package func forget(_ id: ConnectionID) { seats[id] = nil }

    package func hear(_ line: HeardLine, from id: ConnectionID, _ stage: inout Stage) {
        switch line.verdict(overflow, open: .truncate) {
        case .carryOut: break
        case .nothing: return
        case .end(let departure): return stage.end(id, departure)
        case .refuse: return reply("inputTooLong", id, &stage, ["text": .text("Line too long")])
        }
        guard let speaker = speaker(of: line, id, stage.hall) else { return }
        guard let verb = line.message.command.flatMap({ verbs[$0] }) else {
            return hearUnknown(line, id, &stage)
        }
        guard verb.isEarly || stage.hall.session(id) != nil else {
            if stage.closesEarly(id) { return }
            return reply("notRegistered", id, &stage, ["text": .text("You have not registered")])
        }
        if line.intolerable != nil { return hearIncomplete(verb, line, id, &stage) }
        hear(verb, line, speaker, &stage)
    }

    /// Whose the line is: the connection's, unless it carries another's source; then nobody's.
    private func speaker(
        of line: HeardLine, _ id: ConnectionID, _ hall: borrowing ChatHall
    ) -> ConnectionID? {
        guard let source = line.source else { return id }
        let nickname = Array(source.prefix { $0 != 0x21 && $0 != 0x40 })
        guard let holder = hall.holder(of: nickname), holder != id else {
            return hall.holder(of: nickname) == id ? id : nil
        }
        return faults.strikes(.forgedSource) ? holder : nil
    }

    private func hearUnknown(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        guard stage.hall.session(id) != nil else {
            return reply("notRegistered", id, &stage, ["text": .text("You have not registered")])
        }
        // A numeric from a client is dropped (RFC 1459 §2.4).
        if line.verb.count == 3, line.verb.allSatisfy(ASCII.isDigit) { return }
        reply(
            "unknownCommand", id, &stage,
            ["command": .text(line.verb), "text": .text("Unknown command")])
    }

    /// A command with too few arguments.
    private func hearIncomplete(
        _ verb: IRCVerb, _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) {
        switch verb {
        case .notice: break
        case .nick, .whois, .whowas:
            reply("noNicknameGiven", id, &stage, ["text": .text("No nickname given")])
        case .ping, .pong: reply("noOrigin", id, &stage, ["text": .text("No origin specified")])
        case .privmsg where line.text("target")?.isEmpty == false:
            reply("noTextToSend", id, &stage, ["text": .text("No text to send")])
        case .privmsg:
            reply("noRecipient", id, &stage, ["text": .text("No recipient given (PRIVMSG)")])
        default: needMore(line, id, &stage)
        }
    }

    func needMore(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        reply(
            "needMoreParameters", id, &stage,
            ["command": .text(line.verb), "text": .text("Not enough parameters")])
    }

    private func hear(
        _ verb: IRCVerb, _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) {
        switch verb {
        case .cap: negotiate(line, id, &stage)
        case .authenticate:
            reply("saslFailed", id, &stage, ["text": .text("SASL is not offered")])
        case .pass: takePassword(line, id, &stage)
        case .nick: takeNickname(line, id, &stage)
        case .user: takeUser(line, id, &stage)
        case .ping: stage.ask(.ping(token: line.text("token") ?? []), from: id)
        case .pong: hearPong(line, id, &stage)
        case .quit: quit(line, id, &stage)
        case .join, .part, .topic, .names, .list, .invite, .kick:
            hearChannel(verb, line, id, &stage)
        case .mode: hearMode(line, id, &stage)
        case .privmsg: talk(line, .talk, id, &stage)
        case .notice: talk(line, .notice, id, &stage)
        case .away: setAway(line, id, &stage)
        case .who, .whois, .whowas, .userhost, .ison: hearPeople(verb, line, id, &stage)
        case .motd, .lusers, .version, .stats, .links, .time, .admin, .info, .help:
            hearServer(verb, line, id, &stage)
        case .oper: reply("noOperatorHost", id, &stage, ["text": .text("No operators here")])
        case .kill, .rehash, .restart, .die, .wallops, .squit, .connect:
            reply("noPrivileges", id, &stage, ["text": .text("Permission denied")])
        }
    }

    /// An answer to the server's question. Another word than the server's is one as well, unless the dialect says
    /// otherwise.
    private func hearPong(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        if line.text("token") != Self.serverName {
            if closesWrongPongs { return stage.end(id, .protocolViolated) }
            if faults.strikes(.wrongPongsAsked) {
                reply("ping", id, &stage, ["token": .text(Self.serverName)])
                return stage.close(id, .protocolViolated)
            }
        }
        if !faults.strikes(.pongsIgnored) { stage.hall.keepAlive(id, stage.now) }
    }

    // MARK: Words

    /// Answers with a numeric or another command of the server's.
    func reply(
        _ name: String, _ id: ConnectionID, _ stage: inout Stage, _ values: Wording.Values = [:]
    ) {
        var line: [UInt8] = []
        append(name, id, stage.hall, values, to: &line)
        stage.answer(id, line)
    }

    /// Appends such an answer, cut to the longest line there may be.
    func append(
        _ name: String, _ id: ConnectionID, _ hall: borrowing ChatHall, _ values: Wording.Values,
        to line: inout [UInt8]
    ) {
        let start = line.count
        do {
            try words.append(
                name, values,
                and: ["source": .text(Self.serverName), "client": .text(client(id, hall))],
                to: &line)
        } catch {
            return
        }
        cut(&line, from: start)
    }

    /// Cuts a line that is too long, on a letter where it has letters.
    func cut(_ line: inout [UInt8], from start: Int) {
        guard line.count - start > lineBytesMax else { return }
        var kept = Array(line[start..<(start + lineBytesMax - 2)])
        kept.removeIncompleteLetter()
        line.replaceSubrange(start..., with: kept + [ASCII.cr, ASCII.lf])
    }

    /// What a client is called in answers: `*` before it has a nickname.
    func client(_ id: ConnectionID, _ hall: borrowing ChatHall) -> [UInt8] {
        hall.session(id)?.nickname.bytes ?? seats[id]?.nickname ?? [0x2A]
    }

    /// `nickname!user@host`
    func source(_ person: Person) -> [UInt8] {
        var source = person.nickname
        source.reserveCapacity(source.count + person.account.count + person.host.count + 2)
        source.append(0x21)
        source.append(contentsOf: person.account)
        source.append(0x40)
        source.append(contentsOf: person.host)
        return source
    }
}

/// What a connection has told before its login, and what only IRC wants to know of it.
struct IRCSeat {
    var nickname: [UInt8]?
    var user: (name: [UInt8], realName: [UInt8])?
    var password: [UInt8] = []
    /// Whether capabilities are being negotiated, so that the login waits.
    var isNegotiating = false
    var capabilities: Set<String> = []
    var isInvisible = false
}
