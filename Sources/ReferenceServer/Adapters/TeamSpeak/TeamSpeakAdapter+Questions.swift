import ChatModel
package import LineProtocol

extension TeamSpeakAdapter {
    func hearQuestion(
        _ verb: TeamSpeakVerb, _ line: RequestLine, _ id: ConnectionID,
        _ context: inout RequestContext
    ) {
        switch verb {
        case .version:
            answer(
                [
                    words.line(
                        "row",
                        [
                            "version": .text("3.13.7"), "build": .int(1),
                            "platform": .text("Linejudge"),
                        ])
                ], id, &context)
        case .whoAmI: tellSelf(id, &context)
        case .hostInfo: answer([counts()], id, &context)
        case .clientList: answer(clients(matching: [], context.service), id, &context)
        case .clientFind:
            answer(clients(matching: line.text("pattern") ?? [], context.service), id, &context)
        case .channelList: answer(channels(context.service), id, &context)
        default: status(.ok, id, &context)
        }
    }

    /// Answers with rows and a status line; with no row that is an error of its own.
    private func answer(_ rows: [[UInt8]], _ id: ConnectionID, _ context: inout RequestContext) {
        guard !rows.isEmpty else { return status(.emptyResult, id, &context) }
        let terminator = words.dialect.framing.fromServer.terminator.bytes
        let separator = words.dialect.syntax.keyValue?.rowSeparator ?? ASCII.pipe
        let lines = rows.map { $0.dropLast(terminator.count) }
        context.answer(id, Array(lines.joined(separator: [separator])) + terminator)
        status(.ok, id, &context)
    }

    private func tellSelf(_ id: ConnectionID, _ context: inout RequestContext) {
        guard let session = context.service.session(id) else { return }
        let row = words.line(
            "row",
            [
                "virtualserver_id": .int(Self.virtualServer),
                "client_id": .int(session.identifier),
                "client_nickname": .text(session.nickname.bytes),
                "client_database_id": .int(session.identifier),
            ])
        answer([row], id, &context)
    }

    /// Who is there; only those in whose nicknames `pattern` stands, whatever its case.
    private func clients(matching pattern: [UInt8], _ service: borrowing ChatService) -> [[UInt8]] {
        let rules = NameRules(folding: .ascii)
        let wanted = Self.folded(pattern, rules)
        let sessions = service.present.compactMap { service.session($0) }
            .filter { Self.folded($0.nickname.bytes, rules).contains(wanted) }
            .sorted { $0.identifier < $1.identifier }
        return sessions.map { session in
            words.line(
                "row",
                [
                    "clid": .int(session.identifier),
                    "cid": pattern.isEmpty ? .int(session.chats.first?.number ?? 0) : .absent,
                    "client_database_id": pattern.isEmpty ? .int(session.identifier) : .absent,
                    "client_nickname": .text(session.nickname.bytes),
                    "client_type": pattern.isEmpty ? .int(1) : .absent,
                ])
        }
    }

    private static func folded(_ bytes: [UInt8], _ rules: NameRules) -> [UInt8] {
        if case .bytes(let folded) = rules.key(bytes) { folded } else { bytes }
    }

    private func channels(_ service: borrowing ChatService) -> [[UInt8]] {
        service.rooms.map(\.name.number).sorted().map { number in
            words.line(
                "row", ["cid": .int(number), "channel_name": .text("Channel \(number)")])
        }
    }

    /// `hostinfo` counts the faults that were committed.
    private func counts() -> [UInt8] {
        let assignment = words.dialect.syntax.keyValue?.assignment ?? ASCII.equals
        var fields = [Array("instance_uptime".utf8) + [assignment, ASCII.zero]]
        for (fault, count) in faults.counts {
            fields.append(
                Array("fault-\(fault.rawValue)".utf8) + [assignment] + Array(String(count).utf8))
        }
        return Array(fields.joined(separator: [ASCII.blank]))
            + words.dialect.framing.fromServer.terminator.bytes
    }
}

extension TeamSpeakAdapter {
    package var choosesHearers: Bool { true }

    /// Notifications are for those who registered for them.
    package func hears(_ id: ConnectionID, _ notice: ChatNotice) -> Bool {
        let events = slots[id]?.events ?? []
        return switch notice {
        case .privateMessage: events.contains("textprivate")
        case .message: events.contains("textchannel")
        case .operatorLoggedIn, .operatorLoggedOut, .visitorArrived, .visitorLeft:
            events.contains("server")
        case .joined, .left: events.contains("channel")
        default: true
        }
    }

    package func say(
        _ notice: ChatNotice, to id: ConnectionID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .privateMessage(_, let text, let sender, _):
            let target = id.flatMap { service.session($0)?.identifier }
            try sayText(1, target, text, sender, service, &line)
        case .message(let record, let chat):
            try sayText(2, chat.number, record.text, record.sender, service, &line)
        case .joined(let chat, let person) where service.holder(of: person.nickname) != id:
            try words.append(
                "clientMoved",
                [
                    "ctid": .int(chat.number), "reasonid": .int(0),
                    "clid": .int(identifier(of: person, service)),
                ], to: &line)
        case .operatorLoggedIn(let identifier, let nickname):
            try words.append(
                "clientEnterView",
                [
                    "cfid": .int(0), "ctid": .int(Self.defaultChannel.number), "reasonid": .int(0),
                    "clid": .int(identifier), "client_nickname": .text(nickname),
                ], to: &line)
        case .operatorLoggedOut(let identifier, _, let reason):
            try words.append(
                "clientLeftView",
                [
                    "cfid": .int(Self.defaultChannel.number), "ctid": .int(0), "reasonid": .int(8),
                    "reasonmsg": .text(reason), "clid": .int(identifier),
                ], to: &line)
        case .refused(_, let refusal): try sayStatus(TeamSpeakStatus(refusal.cause), &line)
        default: break
        }
    }

    private func sayStatus(
        _ status: TeamSpeakStatus, _ line: inout [UInt8]
    ) throws(EncodingError) {
        try words.append(
            "error", ["id": .int(status.rawValue), "msg": .text(status.message)], to: &line)
    }

    private func sayText(
        _ mode: Int64, _ target: Int64?, _ text: [UInt8], _ sender: Person,
        _ service: borrowing ChatService, _ line: inout [UInt8]
    ) throws(EncodingError) {
        try words.append(
            "textMessage",
            [
                "targetmode": .int(mode), "msg": .text(text),
                "target": target.map { .int($0) } ?? .absent,
                "invokerid": .int(identifier(of: sender, service)),
                "invokername": .text(sender.nickname),
            ], to: &line)
    }

    private func identifier(of person: Person, _ service: borrowing ChatService) -> Int64 {
        service.holder(of: person.nickname).flatMap { service.session($0)?.identifier } ?? 0
    }
}
