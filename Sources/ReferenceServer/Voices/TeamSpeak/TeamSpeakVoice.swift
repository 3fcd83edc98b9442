import ChatModel
package import LineProtocol

/// TeamSpeak 3 ServerQuery: `key=value` fields, rows, a status line after each answer, notifications only
/// for those who asked for them. Each query client is in one channel at a time.
package final class TeamSpeakVoice: Voice {
    /// The one virtual server there is.
    static let virtualServer: Int64 = 1
    /// Where everybody starts.
    static let defaultChannel: RoomName = 1
    /// The most bytes of a text, a nickname; and the least of a nickname.
    static let textBytesMax = 8_192
    static let nicknameBytesMax = 64
    static let nicknameBytesMin = 3

    let words: Wording
    let faults: FaultInjector
    private let overflow: Framing.Overflow
    var seats = SeatTable<TeamSpeakSeat>()
    private var queryLast = 0

    package init(_ dialect: Dialect, faults: FaultInjector) throws(ServerError) {
        words = Wording(dialect)
        self.faults = faults
        overflow = dialect.framing.fromClient.overflow
        try words.require(client: ["use", "quit", "sendTextMessage", "clientList"])
        try words.require(server: ["greeting", "error", "textMessage", "row"])
    }

    /// How the hall behaves where this is spoken.
    package static func rules(_ dialect: Dialect) -> ChatRules {
        var rules = ChatRules(timing: dialect.timing)
        rules.names = NameRules(bytesMax: nicknameBytesMax, folding: .ascii).decided(by: dialect)
        rules.presence = .everybody
        rules.echoes = dialect.policies["echo"] == "sender"
        rules.anyLineKeepsAlive = true
        return rules
    }

    package func greet(_ id: ConnectionID, _ stage: inout Stage) {
        seats[id] = TeamSpeakSeat()
        let welcome = "Welcome to the reference server of Linejudge, which speaks ServerQuery."
        let words = welcome.split(separator: " ").map { ArgumentValue.text(String($0)) }
        stage.answer(
            id,
            self.words.line("greeting") + self.words.line("welcome", ["words": .list(words)]))
    }

    package func forget(_ id: ConnectionID) { seats[id] = nil }

    package func hear(_ line: HeardLine, from id: ConnectionID, _ stage: inout Stage) {
        switch line.verdict(overflow, open: .reject) {
        case .carryOut: break
        case .nothing: return
        case .end(let departure): return stage.end(id, departure)
        case .refuse: return status(.parameterSize, id, &stage)
        }
        stage.hall.keepAlive(id, stage.now)
        guard let signature = line.signature, let verb = TeamSpeakVerb(rawValue: signature.name)
        else { return status(.commandNotFound, id, &stage) }
        for issue in line.message.issues {
            switch issue {
            case .tooFew: return status(.parameterNotFound, id, &stage)
            case .invalidArgument: return status(.invalidParameter, id, &stage)
            case .badEscape: return status(.invalidParameter, id, &stage)
            case .tooMany, .unknownCommand: break
            }
        }
        guard verb.isEarly || stage.hall.session(id) != nil else {
            if stage.closesEarly(id) { return }
            return status(.invalidServer, id, &stage)
        }
        hear(verb, line, id, &stage)
    }

    /// Flood control refuses the line and says how long to wait; the connection stays.
    package func hearTooMuch(from id: ConnectionID, _ stage: inout Stage) {
        status(.flooding, id, &stage, extra: "please wait 1 seconds")
    }

    private func hear(
        _ verb: TeamSpeakVerb, _ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage
    ) {
        switch verb {
        case .login: logIn(line, id, &stage)
        case .logout: status(.ok, id, &stage)
        case .quit: quit(id, &stage)
        case .use: use(line, id, &stage)
        case .version, .whoAmI, .hostInfo, .clientList, .clientFind, .channelList, .help:
            hearQuestion(verb, line, id, &stage)
        case .serverNotifyRegister: register(line, id, &stage)
        case .serverNotifyUnregister:
            seats[id]?.events = []
            status(.ok, id, &stage)
        case .clientUpdate: update(line, id, &stage)
        case .clientMove: move(line, id, &stage)
        case .sendTextMessage: sendText(line, id, &stage)
        }
    }

    // MARK: Sessions

    private func logIn(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let password = line.text("client_login_password") ?? []
        if let wanted = stage.hall.rules.password, wanted != password {
            return status(.wrongPassword, id, &stage)
        }
        seats[id]?.password = password
        status(.ok, id, &stage)
    }

    private func quit(_ id: ConnectionID, _ stage: inout Stage) {
        status(.ok, id, &stage)
        stage.close(id, .loggedOut)
    }

    /// Selects the virtual server, which is how a query client comes to be there.
    private func use(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let server = line.number("sid") ?? Self.virtualServer
        guard server == Self.virtualServer else { return status(.invalidServer, id, &stage) }
        guard stage.hall.session(id) == nil else { return status(.ok, id, &stage) }
        queryLast += 1
        let nickname = line.text("client_nickname") ?? Array("query-\(queryLast)".utf8)
        do throws(Refusal) {
            try stage.attempt(
                .login(
                    nickname: nickname, password: seats[id]?.password ?? [], isVisitor: false),
                from: id)
            try stage.attempt(.join(chat: Self.defaultChannel), from: id)
            status(.ok, id, &stage)
        } catch {
            status(TeamSpeakStatus(error.cause), id, &stage)
        }
    }

    private func update(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        guard let nickname = line.text("client_nickname") else {
            return status(.ok, id, &stage)
        }
        guard nickname.count >= Self.nicknameBytesMin else {
            return status(.parameterSize, id, &stage)
        }
        attempt(.rename(to: nickname), id, &stage)
    }

    private func register(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let event = String(decoding: line.text("event") ?? [], as: UTF8.self)
        seats[id]?.events.insert(event)
        status(.ok, id, &stage)
    }

    // MARK: Talk

    private func move(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        guard let session = stage.hall.session(id),
            line.number("clid") == session.identifier || line.number("clid") == 0
        else { return status(.invalidClient, id, &stage) }
        let room = RoomName.number(line.number("cid") ?? 0)
        guard room.number > 0 else { return status(.invalidChannel, id, &stage) }
        if session.chats.contains(room) { return status(.alreadyInChannel, id, &stage) }
        for chat in session.chats { stage.ask(.leave(chat: chat), from: id) }
        attempt(.join(chat: room, key: line.text("cpw") ?? []), id, &stage)
    }

    private func sendText(_ line: HeardLine, _ id: ConnectionID, _ stage: inout Stage) {
        let text = line.text("msg") ?? []
        guard !text.isEmpty, text.count <= Self.textBytesMax else {
            return status(.parameterSize, id, &stage)
        }
        let target = line.number("target") ?? 0
        switch line.number("targetmode") {
        case 1:
            let receiver = stage.hall.present.first {
                stage.hall.session($0)?.identifier == target
            }
            guard let receiver, let session = stage.hall.session(receiver) else {
                return status(.invalidClient, id, &stage)
            }
            attempt(.sayPrivately(to: session.nickname.bytes, text: text), id, &stage)
        case 2:
            // Whatever the target: a text goes to the channel that one is in.
            guard let channel = stage.hall.session(id)?.chats.first else {
                return status(.invalidChannel, id, &stage)
            }
            attempt(.say(from: 0, chat: channel, text: text, isHidden: false), id, &stage)
        default: status(.invalidParameter, id, &stage)
        }
    }

    /// Asks the hall and answers with a status line.
    private func attempt(
        _ request: ChatRequest, _ id: ConnectionID, _ stage: inout Stage
    ) {
        do throws(Refusal) {
            try stage.attempt(request, from: id)
            status(.ok, id, &stage)
        } catch {
            status(TeamSpeakStatus(error.cause), id, &stage)
        }
    }

    /// The line that ends each answer.
    func status(
        _ status: TeamSpeakStatus, _ id: ConnectionID, _ stage: inout Stage, extra: String? = nil
    ) {
        stage.answer(
            id,
            words.line(
                "error",
                [
                    "id": .int(status.rawValue), "msg": .text(status.message),
                    "extra_msg": extra.map { .text($0) } ?? .absent,
                ]))
    }
}

/// What a query client has told beside what the hall knows.
struct TeamSpeakSeat {
    var password: [UInt8] = []
    /// What it wants to be notified of.
    var events: Set<String> = []
}
