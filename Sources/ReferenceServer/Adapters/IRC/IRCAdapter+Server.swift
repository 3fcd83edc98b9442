import LineProtocol

extension IRCAdapter {
    private static let motd = [
        "This is the reference server of Linejudge.",
        "It follows the protocol, except for injected faults.",
    ]

    func receiveServerQuery(
        _ verb: IRCVerb, _ line: RequestLine, _ id: ClientID, _ context: inout RequestContext
    ) {
        var lines: [UInt8] = []
        switch verb {
        case .motd: appendMotd(id, context.service, &lines)
        case .lusers: appendUserCounts(id, context.service, &lines)
        case .version:
            reply(
                "versionIs", id, &context,
                [
                    "version": .text(Self.version), "server": .text(Self.serverName),
                    "comments": .text("reference server"),
                ])
        case .stats: stats(line, id, &context)
        case .links:
            reply("endOfLinks", id, &context, ["mask": .text("*"), "text": .text("End of LINKS")])
        case .time:
            reply(
                "timeIs", id, &context,
                [
                    "server": .text(Self.serverName),
                    "text": .text(TimestampText.text(context.wallTime)),
                ])
        case .admin:
            reply(
                "noAdminInfo", id, &context,
                ["server": .text(Self.serverName), "text": .text("No administrative info")])
        case .info:
            for text in Self.motd { reply("infoLine", id, &context, ["text": .text(text)]) }
            reply("endOfInfo", id, &context, ["text": .text("End of INFO list")])
        default:
            reply(
                "helpNotFound", id, &context,
                [
                    "subject": .text(line.text("subject") ?? [0x2A]),
                    "text": .text("No help on that"),
                ])
        }
        context.answer(id, lines)
    }

    func appendMotd(_ id: ClientID, _ service: borrowing ChatService, _ line: inout [UInt8]) {
        let server = String(decoding: Self.serverName, as: UTF8.self)
        append(
            "motdStart", id, service, ["text": .text("- \(server) Message of the day -")], to: &line
        )
        for text in Self.motd {
            append("motdLine", id, service, ["text": .text("- \(text)")], to: &line)
        }
        append("endOfMotd", id, service, ["text": .text("End of MOTD")], to: &line)
    }

    func appendUserCounts(
        _ id: ClientID, _ service: borrowing ChatService, _ line: inout [UInt8]
    ) {
        let users = service.sessionCount
        append(
            "lusersClient", id, service,
            ["text": .text("There are \(users) users and 0 invisible on 1 servers")], to: &line)
        append(
            "lusersUnknown", id, service,
            [
                "count": .int(Int64(service.connectionCount - users)),
                "text": .text("unknown connection(s)"),
            ], to: &line)
        append(
            "lusersChannels", id, service,
            ["count": .int(Int64(service.chatCount)), "text": .text("channels formed")], to: &line)
        append(
            "lusersMe", id, service, ["text": .text("I have \(users) clients and 0 servers")],
            to: &line)
    }

    /// Answers STATS. `STATS f` reports how often each fault was injected.
    private func stats(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let query = line.text("query") ?? [0x2A]
        if query == [0x66] {
            for (fault, count) in faults.counts {
                reply(
                    "statsCommands", id, &context,
                    ["command": .text(fault.rawValue), "count": .text(String(count))])
            }
        }
        reply(
            "endOfStats", id, &context,
            ["query": .text(query), "text": .text("End of STATS report")])
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
