import ChatModel
package import LineProtocol

extension TeamSpeakAdapter {
    func receiveQuery(
        _ verb: TeamSpeakVerb, _ line: RequestLine, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        switch verb {
        case .version:
            answer(
                [
                    encoder.line(
                        "row",
                        [
                            "version": .text("3.13.7"), "build": .int(1),
                            "platform": .text("Linejudge"),
                        ])
                ], id, &context)
        case .whoAmI: answerWhoAmI(id, &context)
        case .hostInfo: answer([counts()], id, &context)
        case .clientList: answer(clients(matching: [], context.service), id, &context)
        case .clientFind:
            answer(clients(matching: line.text("pattern") ?? [], context.service), id, &context)
        case .channelList: answer(channels(context.service), id, &context)
        default: status(.ok, id, &context)
        }
    }

    /// Answers with rows and a status line, or only with an error status if there are no rows.
    private func answer(_ rows: [[UInt8]], _ id: ClientID, _ context: inout RequestContext) {
        guard !rows.isEmpty else { return status(.emptyResult, id, &context) }
        let terminator = encoder.dialect.framing.fromServer.terminator.bytes
        let separator = encoder.dialect.syntax.fromServer.keyValue?.rowSeparator ?? ASCII.pipe
        let lines = rows.map { $0.dropLast(terminator.count) }
        context.answer(id, Array(lines.joined(separator: [separator])) + terminator)
        status(.ok, id, &context)
    }

    private func answerWhoAmI(_ id: ClientID, _ context: inout RequestContext) {
        guard let session = context.service.session(id) else { return }
        let row = encoder.line(
            "row",
            [
                "virtualserver_id": .int(Self.virtualServer),
                "client_id": .int(session.identifier),
                "client_nickname": .text(session.nickname.bytes),
                "client_database_id": .int(session.identifier),
            ])
        answer([row], id, &context)
    }

    /// Returns a row for each client whose nickname contains `pattern`, ignoring case.
    private func clients(matching pattern: [UInt8], _ service: borrowing ChatService) -> [[UInt8]] {
        let rules = NameRules(folding: .ascii)
        let wanted = Self.folded(pattern, rules)
        let sessions = service.present.compactMap { service.session($0) }
            .filter { Self.folded($0.nickname.bytes, rules).contains(wanted) }
            .sorted { $0.identifier < $1.identifier }
        return sessions.map { session in
            encoder.line(
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
            encoder.line(
                "row", ["cid": .int(number), "channel_name": .text("Channel \(number)")])
        }
    }

    /// Returns the `hostinfo` row, including the number of times each fault was injected.
    private func counts() -> [UInt8] {
        let assignment = encoder.dialect.syntax.fromServer.keyValue?.assignment ?? ASCII.equals
        var fields = [Array("instance_uptime".utf8) + [assignment, ASCII.zero]]
        for (fault, count) in faults.counts {
            fields.append(
                Array("fault-\(fault.rawValue)".utf8) + [assignment] + Array(String(count).utf8))
        }
        return Array(fields.joined(separator: [ASCII.space]))
            + encoder.dialect.framing.fromServer.terminator.bytes
    }
}

extension TeamSpeakAdapter {
    package var filtersReceivers: Bool { true }

    /// Returns whether a client receives a notice. Clients are notified only of events they have
    /// registered for.
    package func receives(_ id: ClientID, _ notice: ChatNotice) -> Bool {
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

    package func encode(
        _ notice: ChatNotice, to id: ClientID?, _ service: borrowing ChatService,
        _ line: inout [UInt8]
    ) throws(EncodingError) {
        switch notice {
        case .privateMessage(_, let text, let sender, _, _):
            let target = id.flatMap { service.session($0)?.identifier }
            try encodeText(1, target, text, sender, service, &line)
        case .message(let record, let chat):
            try encodeText(2, chat.number, record.text, record.sender, service, &line)
        case .joined(let chat, let person) where service.holder(of: person.nickname) != id:
            try encoder.append(
                "clientMoved",
                [
                    "ctid": .int(chat.number), "reasonid": .int(0),
                    "clid": .int(identifier(of: person, service)),
                ], to: &line)
        case .operatorLoggedIn(let identifier, let nickname):
            try encoder.append(
                "clientEnterView",
                [
                    "cfid": .int(0), "ctid": .int(Self.defaultChannel.number), "reasonid": .int(0),
                    "clid": .int(identifier), "client_nickname": .text(nickname),
                ], to: &line)
        case .operatorLoggedOut(let identifier, _, let reason):
            try encoder.append(
                "clientLeftView",
                [
                    "cfid": .int(Self.defaultChannel.number), "ctid": .int(0), "reasonid": .int(8),
                    "reasonmsg": .text(reason), "clid": .int(identifier),
                ], to: &line)
        case .refused(_, let refusal): try encodeStatus(TeamSpeakStatus(refusal.cause), &line)
        default: break
        }
    }

    private func encodeStatus(
        _ status: TeamSpeakStatus, _ line: inout [UInt8]
    ) throws(EncodingError) {
        try encoder.append(
            "error", ["id": .int(status.rawValue), "msg": .text(status.message)], to: &line)
    }

    private func encodeText(
        _ mode: Int64, _ target: Int64?, _ text: [UInt8], _ sender: ChatUser,
        _ service: borrowing ChatService, _ line: inout [UInt8]
    ) throws(EncodingError) {
        try encoder.append(
            "textMessage",
            [
                "targetmode": .int(mode), "msg": .text(text),
                "target": target.map { .int($0) } ?? .absent,
                "invokerid": .int(identifier(of: sender, service)),
                "invokername": .text(sender.nickname),
            ], to: &line)
    }

    private func identifier(of person: ChatUser, _ service: borrowing ChatService) -> Int64 {
        service.holder(of: person.nickname).flatMap { service.session($0)?.identifier } ?? 0
    }
}
