import ChatModel
package import LineProtocol

/// An adapter for TeamSpeak 3 ServerQuery: `key=value` fields, rows, a status line after each
/// answer, and notifications for clients that have registered for them. Each query client is in one
/// channel at a time.
package final class TeamSpeakAdapter: ProtocolAdapter {
    static let virtualServer: Int64 = 1
    /// The channel that clients enter when they log in.
    static let defaultChannel: RoomName = 1
    static let textBytesMax = 8_192
    static let nicknameBytesMax = 64
    static let nicknameBytesMin = 3

    let encoder: ReplyEncoder
    let faults: FaultInjector
    private let overflow: Framing.Overflow
    var slots = SlotTable<TeamSpeakClientState>()
    private var queryLast = 0

    package init(_ dialect: Dialect, faults: FaultInjector) throws(ServerError) {
        encoder = ReplyEncoder(dialect)
        self.faults = faults
        overflow = dialect.framing.fromClient.overflow
        try encoder.require(client: ["use", "quit", "sendTextMessage", "clientList"])
        try encoder.require(server: ["greeting", "error", "textMessage", "row"])
    }

    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(bytesMax: nicknameBytesMax, folding: .ascii).decided(by: dialect)
        rules.presence = .all
        rules.echoes = dialect.policies["echo"] == "sender"
        rules.anyLineKeepsAlive = true
        return rules
    }

    package func greet(_ id: ClientID, _ context: inout RequestContext) {
        slots[id] = TeamSpeakClientState()
        let welcome = "Welcome to the reference server of Linejudge, which speaks ServerQuery."
        let welcomeWords = welcome.split(separator: " ").map { ArgumentValue.text(String($0)) }
        context.answer(
            id,
            self.encoder.line("greeting")
                + self.encoder.line("welcome", ["words": .list(welcomeWords)]))
    }

    package func forget(_ id: ClientID) { slots[id] = nil }

    package func receive(
        _ line: RequestLine, from id: ClientID, _ context: inout RequestContext
    ) {
        switch line.verdict(overflow, open: .reject) {
        case .carryOut: break
        case .nothing: return
        case .end(let departure): return context.end(id, departure)
        case .refuse: return status(.parameterSize, id, &context)
        }
        context.service.keepAlive(id, context.now)
        guard let signature = line.signature, let verb = TeamSpeakVerb(rawValue: signature.name)
        else { return status(.commandNotFound, id, &context) }
        for issue in line.message.issues {
            switch issue {
            case .tooFew: return status(.parameterNotFound, id, &context)
            case .invalidArgument: return status(.invalidParameter, id, &context)
            case .badEscape: return status(.invalidParameter, id, &context)
            case .tooMany, .unknownCommand, .notJSON: break
            }
        }
        guard verb.isEarly || context.service.session(id) != nil else {
            if context.closesEarly(id) { return }
            return status(.invalidServer, id, &context)
        }
        receive(verb, line, id, &context)
    }

    /// Refuses the line and reports how long to wait. The connection stays open.
    package func receiveOverLimit(from id: ClientID, _ context: inout RequestContext) {
        status(.flooding, id, &context, extra: "please wait 1 second")
    }

    private func receive(
        _ verb: TeamSpeakVerb, _ line: RequestLine, _ id: ClientID,
        _ context: inout RequestContext
    ) {
        switch verb {
        case .login: logIn(line, id, &context)
        case .logout: status(.ok, id, &context)
        case .quit: quit(id, &context)
        case .use: use(line, id, &context)
        case .version, .whoAmI, .hostInfo, .clientList, .clientFind, .channelList, .help:
            receiveQuery(verb, line, id, &context)
        case .serverNotifyRegister: register(line, id, &context)
        case .serverNotifyUnregister:
            slots[id]?.events = []
            status(.ok, id, &context)
        case .clientUpdate: update(line, id, &context)
        case .clientMove: move(line, id, &context)
        case .sendTextMessage: sendText(line, id, &context)
        }
    }

    // MARK: Sessions

    private func logIn(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let password = line.text("client_login_password") ?? []
        if let wanted = context.service.rules.password, wanted != password {
            return status(.wrongPassword, id, &context)
        }
        slots[id]?.password = password
        status(.ok, id, &context)
    }

    private func quit(_ id: ClientID, _ context: inout RequestContext) {
        status(.ok, id, &context)
        context.close(id, .loggedOut)
    }

    /// Selects the virtual server, which logs the query client in.
    private func use(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let server = line.number("sid") ?? Self.virtualServer
        guard server == Self.virtualServer else { return status(.invalidServer, id, &context) }
        guard context.service.session(id) == nil else { return status(.ok, id, &context) }
        queryLast += 1
        let nickname = line.text("client_nickname") ?? Array("query-\(queryLast)".utf8)
        do throws(Refusal) {
            try context.attempt(
                .login(
                    nickname: nickname, password: slots[id]?.password ?? [], isVisitor: false),
                from: id)
            try context.attempt(.join(chat: Self.defaultChannel), from: id)
            status(.ok, id, &context)
        } catch {
            status(TeamSpeakStatus(error.cause), id, &context)
        }
    }

    private func update(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard let nickname = line.text("client_nickname") else {
            return status(.ok, id, &context)
        }
        guard nickname.count >= Self.nicknameBytesMin else {
            return status(.parameterSize, id, &context)
        }
        attempt(.rename(to: nickname), id, &context)
    }

    private func register(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let event = String(decoding: line.text("event") ?? [], as: UTF8.self)
        slots[id]?.events.insert(event)
        status(.ok, id, &context)
    }

    // MARK: Messages

    private func move(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        guard let session = context.service.session(id),
            line.number("clid") == session.identifier || line.number("clid") == 0
        else { return status(.invalidClient, id, &context) }
        let room = RoomName.number(line.number("cid") ?? 0)
        guard room.number > 0 else { return status(.invalidChannel, id, &context) }
        if session.chats.contains(room) { return status(.alreadyInChannel, id, &context) }
        for chat in session.chats { context.ask(.leave(chat: chat), from: id) }
        attempt(.join(chat: room, key: line.text("cpw") ?? []), id, &context)
    }

    private func sendText(_ line: RequestLine, _ id: ClientID, _ context: inout RequestContext) {
        let text = line.text("msg") ?? []
        guard !text.isEmpty, text.count <= Self.textBytesMax else {
            return status(.parameterSize, id, &context)
        }
        let target = line.number("target") ?? 0
        switch line.number("targetmode") {
        case 1:
            let receiver = context.service.present.first {
                context.service.session($0)?.identifier == target
            }
            guard let receiver, let session = context.service.session(receiver) else {
                return status(.invalidClient, id, &context)
            }
            attempt(.sayPrivately(to: session.nickname.bytes, text: text), id, &context)
        case 2:
            // The target is ignored: a message always goes to the sender's channel.
            guard let channel = context.service.session(id)?.chats.first else {
                return status(.invalidChannel, id, &context)
            }
            attempt(.say(from: 0, chat: channel, text: text, isHidden: false), id, &context)
        default: status(.invalidParameter, id, &context)
        }
    }

    /// Sends a request to the service and answers with a status line.
    private func attempt(
        _ request: ChatRequest, _ id: ClientID, _ context: inout RequestContext
    ) {
        do throws(Refusal) {
            try context.attempt(request, from: id)
            status(.ok, id, &context)
        } catch {
            status(TeamSpeakStatus(error.cause), id, &context)
        }
    }

    /// Sends the status line that ends an answer.
    func status(
        _ status: TeamSpeakStatus, _ id: ClientID, _ context: inout RequestContext,
        extra: String? = nil
    ) {
        context.answer(
            id,
            encoder.line(
                "error",
                [
                    "id": .int(status.rawValue), "msg": .text(status.message),
                    "extra_msg": extra.map { .text($0) } ?? .absent,
                ]))
    }
}

/// ServerQuery-specific state of a client.
struct TeamSpeakClientState {
    var password: [UInt8] = []
    /// Event types that the client has registered for.
    var events: Set<String> = []
}
