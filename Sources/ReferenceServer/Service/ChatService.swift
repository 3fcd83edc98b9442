import ChatModel

/// The chat service: who is here, which rooms there are, who is told what.
///
/// It has no sockets and no clock. Each event comes with the time, in nanoseconds of any steady clock,
/// and appends its effects in order to a list that the caller carries out before the next event. The same
/// events at the same times have the same effects. It is never copied: that would double all of it at the
/// next event.
package struct ChatService: ~Copyable, Sendable {
    package let rules: ChatRules
    /// What it does wrong on demand.
    let faults: FaultInjector
    var connections = ConnectionTable()
    var holders = NicknameTable<ConnectionID>()
    /// How many connections there are from each address, where that is limited.
    var addresses: [[UInt8]: Int] = [:]
    var operators: [ConnectionID] = []
    var visitors: [ConnectionID] = []
    var chats: [RoomName: ChatRoom] = [:]
    var identifierLast: Int64 = 0
    var privateMessageLast: Int64 = 0
    /// The chats that were opened with a scene.
    var openScenes: [RoomName: OpenScene] = [:]
    /// Where the same members always meet.
    var meetings: [Set<ConnectionID>: RoomName] = [:]
    var openedNumberLast = openedNumberFirst - 1
    /// No chat has been quiet for too long before.
    var quietDeadline = Int64.max
    /// Connections without a login, by when they have to have one.
    var unnamed = DeadlineList()
    /// Sessions, by when they end without a ping.
    var sessions = DeadlineList()

    package init(rules: ChatRules = ChatRules(), faults: FaultInjector = .none) {
        self.rules = rules
        self.faults = faults
    }

    /// When ``passTime(to:_:)`` has something to do next; nil: not before another event.
    package var nextDeadline: Int64? {
        let quiet = quietDeadline == .max ? nil : quietDeadline
        let deadlines = [unnamed.earliest?.deadline, sessions.earliest?.deadline, quiet]
        return deadlines.compactMap(\.self).min()
    }

    /// A client has connected. Nil: there are too many, and it is to be told so and closed.
    package mutating func connect(
        at now: Int64, from address: [UInt8] = []
    ) -> ConnectionID? {
        guard connections.count < rules.connectionsMax else { return nil }
        if let most = rules.connectionsPerAddressMax {
            guard addresses[address, default: 0] < most else { return nil }
            addresses[address, default: 0] += 1
        }
        let id = connections.open(from: address)
        if let loginWithin = rules.loginWithin {
            unnamed.touch(id.slot, deadline: now + loginWithin)
        }
        return id
    }

    /// What a client is told that ``connect(at:from:)`` has no place for.
    package static let full = ChatNotice.refused(
        .connection, Refusal(.tooMany, "too many connections"))

    /// Whether the connection may send a line now, or has sent too many.
    package mutating func admitLine(from id: ConnectionID, at now: Int64) -> Bool {
        guard let limit = rules.rate else { return true }
        return connections.takeToken(id, limit, at: now)
    }

    /// A client asks for something. What is refused is answered with a notice.
    package mutating func receive(
        _ request: ChatRequest, from id: ConnectionID, at now: Int64, _ effects: inout [ChatEffect]
    ) {
        guard connections.isOpen(id) else { return }
        do {
            try carryOut(request, from: id, at: now, &effects)
        } catch {
            effects.append(.answer(id, .refused(request.command, error)))
        }
    }

    /// A client asks for something, and the caller has its own words for refusals.
    package mutating func carryOut(
        _ request: ChatRequest, from id: ConnectionID, at now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        do {
            try carryOut(request, id, now, &effects)
        } catch {
            effects.append(.note(.refused(id, request.command, error)))
            throw error
        }
    }

    private mutating func carryOut(
        _ request: ChatRequest, _ id: ConnectionID, _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        switch request {
        case .unreadable(_, let refusal):
            throw refusal
        case .ping(let token):
            ping(token, id, now, &effects)
        case .login(let nickname, let password, let isVisitor, let profile):
            guard connections.isOpen(id) else { return }
            let request = LoginRequest(
                nickname: nickname, password: password, isVisitor: isVisitor, profile: profile)
            try logIn(id, request, now, &effects)
        default:
            guard let session = connections[id] else {
                if closesEarly(id, &effects) { return }
                throw Refusal(.notLoggedIn, "not logged in")
            }
            if rules.anyLineKeepsAlive { keepAlive(id, now) }
            try carryOut(request, id, session, now, &effects)
        }
    }

    /// Ends a connection for a command before its login, where that fault strikes.
    mutating func closesEarly(_ id: ConnectionID, _ effects: inout [ChatEffect]) -> Bool {
        guard faults.strikes(.earlyCommandsClose) else { return false }
        effects.append(.close(id))
        depart(id, .protocolViolated, &effects)
        return true
    }

    /// Requests that need a session.
    private mutating func carryOut(
        _ request: ChatRequest, _ id: ConnectionID, _ session: ChatSession, _ now: Int64,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        switch request {
        case .login, .ping, .unreadable: break
        case .logout: logOut(id, .loggedOut, &effects)
        case .quit(let reason): logOut(id, .quit(reason), &effects)
        case .rename(let name): try rename(to: name, id, session, &effects)
        case .away(let text): setAway(text, id, session, &effects)
        case .join(let chat, let key): try join(chat, key, id, session, now, &effects)
        case .leave(let chat, let reason): try leave(chat, reason, id, session, &effects)
        case .say(let from, let chat, let text, let isHidden, let kind):
            let speaker = try speaker(from, id, session)
            try say(
                ChatText(text: text, isHidden: isHidden, kind: kind), in: chat, speaker.id,
                speaker.session, now, &effects)
        case .sayPrivately(let to, let text, let kind):
            try sayPrivately(text, to: to, kind, id, session, now, &effects)
        case .open(let scene, let members):
            try open(scene, with: members, id, session, now, &effects)
        case .show(let chat, let type, let format, let data):
            try say(
                ChatText(text: data, content: type, format: format), in: chat, id, session, now,
                &effects)
        case .runAction(let chat, let action):
            try runAction(action, in: chat, id, session, &effects)
        case .who(let chat): try who(chat, id, &effects)
        case .history(let chat, let count):
            try history(of: chat, count: count, id, session, now, &effects)
        case .topic(let chat, let text): try setTopic(text, of: chat, id, session, now, &effects)
        case .kick(let chat, let nickname, let reason):
            try kick(nickname, from: chat, reason, id, session, &effects)
        case .invite(let chat, let nickname):
            try invite(nickname, to: chat, id, session, &effects)
        case .change(let chat, let changes):
            try change(chat, changes, id, session, &effects)
        }
    }

    /// The connection has ended on the peer's side.
    package mutating func disconnect(_ id: ConnectionID, _ effects: inout [ChatEffect]) {
        depart(id, .disconnected, &effects)
    }

    /// The connection is to be ended from this side, with a last line.
    package mutating func end(
        _ id: ConnectionID, _ departure: DisconnectReason, _ effects: inout [ChatEffect]
    ) {
        guard connections.isOpen(id) else { return }
        if connections[id] != nil {
            effects.append(.answer(id, .loggedOut(departure)))
        } else {
            let (command, cause) = departure.refusal
            effects.append(.answer(id, .refused(command, Refusal(cause, departure.reason))))
        }
        effects.append(.close(id))
        depart(id, departure, &effects)
    }

    /// Ends what is due: sessions without a ping, connections without a login, quiet chats.
    package mutating func passTime(to now: Int64, _ effects: inout [ChatEffect]) {
        while let due = sessions.earliest, due.deadline <= now {
            sessions.remove(due.slot)
            guard let id = connections.connection(in: due.slot) else { continue }
            expire(id, now, &effects)
        }
        while let due = unnamed.earliest, due.deadline <= now {
            unnamed.remove(due.slot)
            guard let id = connections.connection(in: due.slot) else { continue }
            end(id, .loginTooLate, &effects)
        }
        endQuietChats(now, &effects)
    }

    /// The server ends: everybody is told, nobody is told about the others.
    package mutating func close(_ effects: inout [ChatEffect]) {
        let all = connections.all
        let notice = ChatNotice.goingDown(seconds: 0, reason: DisconnectReason.serverEnds.reason)
        effects.append(.tell(all, except: nil, notice))
        for id in all {
            effects.append(.close(id))
            if let session = connections[id] {
                effects.append(.note(.loggedOut(id, session, .serverEnds)))
            } else {
                effects.append(.note(.leftUnnamed(id, .serverEnds)))
            }
        }
        self = ChatService(rules: rules, faults: faults)
    }
}
