import ChatModel
import LineProtocol

/// The welcome after a login, and the commands that ask about the server, such as MOTD and LUSERS.
struct IRCServerInformation {
    let replies: IRCReplies
    let names: NameRules
    /// True if clients can request the history of channels.
    let offersHistory: Bool

    /// Appends the lines that follow a login: server identity, supported features, user counts and
    /// the message of the day.
    func appendWelcome(_ id: ClientID, _ service: borrowing ChatService, _ line: inout [UInt8]) {
        guard let session = service.session(id) else { return }
        let server = String(decoding: IRCRules.serverName, as: UTF8.self)
        let greeting = Array("Welcome to the \(IRCRules.networkName) Network, ".utf8)
        replies.append(
            "welcome", for: id, service, ["text": .text(greeting + session.person.hostmask)],
            to: &line)
        replies.append(
            "yourHost", for: id, service,
            text: "Your host is \(server), running version \(IRCRules.version)", to: &line)
        replies.append(
            "created", for: id, service, text: "This server was created when it was started",
            to: &line)
        replies.append(
            "myInfo", for: id, service,
            [
                "server": .text(server), "version": .text(IRCRules.version),
                "userModes": .text(IRCUserMode.allCases.map(\.rawValue)),
                "channelModes": .text("Ibeiklmnostv"),
            ], to: &line)
        appendFeatures(id, service, &line)
        appendUserCounts(id, service, &line)
        appendMotd(id, service, &line)
    }

    private static let motd = [
        "This is the reference server of Linejudge.",
        "It follows the protocol, except for injected faults.",
    ]

    func receive(
        _ verb: IRCVerb, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        var lines: [UInt8] = []
        switch verb {
        case .motd: appendMotd(id, context.service, &lines)
        case .lusers: appendUserCounts(id, context.service, &lines)
        case .version:
            replies.send(
                "versionIs", to: id, &context,
                [
                    "version": .text(IRCRules.version), "server": .text(IRCRules.serverName),
                    "comments": .text("reference server"),
                ])
        case .stats: stats(line, id, &context)
        case .links:
            replies.send("endOfLinks", to: id, &context, ["mask": .text("*")], text: "End of LINKS")
        case .time:
            replies.send(
                "timeIs", to: id, &context,
                [
                    "server": .text(IRCRules.serverName),
                    "text": .text(TimestampText.text(context.wallTime)),
                ])
        case .admin:
            replies.send(
                "noAdminInfo", to: id, &context,
                ["server": .text(IRCRules.serverName)], text: "No administrative info")
        case .info:
            for text in Self.motd {
                replies.send("infoLine", to: id, &context, ["text": .text(text)])
            }
            replies.send("endOfInfo", to: id, &context, text: "End of INFO list")
        default:
            replies.send(
                "helpNotFound", to: id, &context,
                ["subject": .text(line.text("subject") ?? [0x2A])], text: "No help on that")
        }
        context.answer(id, lines)
    }

    private func appendMotd(_ id: ClientID, _ service: borrowing ChatService, _ line: inout [UInt8])
    {
        let server = String(decoding: IRCRules.serverName, as: UTF8.self)
        replies.append(
            "motdStart", for: id, service, text: "- \(server) Message of the day -", to: &line)
        for text in Self.motd {
            replies.append("motdLine", for: id, service, text: "- \(text)", to: &line)
        }
        replies.append("endOfMotd", for: id, service, text: "End of MOTD", to: &line)
    }

    private func appendUserCounts(
        _ id: ClientID, _ service: borrowing ChatService, _ line: inout [UInt8]
    ) {
        let users = service.sessionCount
        replies.append(
            "lusersClient", for: id, service,
            text: "There are \(users) users and 0 invisible on 1 servers", to: &line)
        replies.append(
            "lusersUnknown", for: id, service,
            ["count": .int(Int64(service.connectionCount - users))], text: "unknown connection(s)",
            to: &line)
        replies.append(
            "lusersChannels", for: id, service,
            ["count": .int(Int64(service.chatCount))], text: "channels formed", to: &line)
        replies.append(
            "lusersMe", for: id, service, text: "I have \(users) clients and 0 servers", to: &line)
    }

    /// Answers STATS. `STATS f` reports how often each fault was injected.
    private func stats(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let query = line.text("query") ?? [0x2A]
        if query == [0x66] {
            for (fault, count) in replies.faults.counts {
                replies.send(
                    "statsCommands", to: id, &context,
                    ["command": .text(fault.rawValue), "count": .text(String(count))])
            }
        }
        replies.send(
            "endOfStats", to: id, &context, ["query": .text(query)], text: "End of STATS report")
    }

    // MARK: Features

    /// Maximum tokens per line. With the client name and the text added, a line has at most 15
    /// arguments.
    private static let tokensPerLine = 13

    /// Appends the lines that list the supported features.
    private func appendFeatures(
        _ id: ClientID, _ service: borrowing ChatService, _ line: inout [UInt8]
    ) {
        var rest = features(service.rules)[...]
        while !rest.isEmpty {
            replies.append(
                "isupport", for: id, service,
                ["tokens": .list(rest.prefix(Self.tokensPerLine).map { .text($0) })],
                text: "are supported by this server", to: &line)
            rest = rest.dropFirst(Self.tokensPerLine)
        }
    }

    private func features(_ rules: ChatRules) -> [String] {
        let mapping = names.folding == .exact ? "ascii" : names.folding.rawValue
        let history = ["CHATHISTORY=\(IRCHistory.messagesMax)", "MSGREFTYPES=msgid,timestamp"]
        return [
            "AWAYLEN=\(IRCRules.reasonBytesMax)", "BOT=B", "CASEMAPPING=\(mapping)",
            "CHANLIMIT=#&:\(rules.chatsPerSessionMax)", "CHANMODES=beI,k,l,imnst",
            "CHANNELLEN=\(IRCRules.channelBytesMax)", "CHANTYPES=#&", "EXCEPTS", "INVEX",
            "KICKLEN=\(IRCRules.reasonBytesMax)",
            "MAXLIST=beI:\(rules.masksMax)", "MODES=4", "MONITOR=\(MonitorTable.targetsMax)",
            "NAMELEN=\(IRCRules.realNameBytesMax)", "NETWORK=\(IRCRules.networkName)",
            "NICKLEN=\(names.bytesMax)", "PREFIX=(ov)@+", "TOPICLEN=\(IRCRules.reasonBytesMax)",
            "WHOX",
        ] + (offersHistory ? history : [])
    }
}

/// A formatter for human-readable timestamps.
enum TimestampText {
    /// Returns the time in RFC 3339 format, in UTC without fractional seconds.
    static func text(_ nanoseconds: Int64) -> String {
        let bytes = ValueConversion.bytes(
            .time(nanoseconds / 1_000_000_000 * 1_000_000_000), .time(.rfc3339))
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
