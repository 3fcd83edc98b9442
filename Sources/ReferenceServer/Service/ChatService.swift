import ChatModel

/// The protocol-independent chat logic. It manages sessions and rooms, and decides which clients to
/// notify of each change.
///
/// It has no sockets and no clock. Each event is passed in with its time, in nanoseconds on any
/// monotonic clock, and appends its effects to a list, which the caller executes before the next
/// event. The same events at the same times have the same effects. The service is noncopyable,
/// because the first event after a copy would duplicate all of its storage.
package struct ChatService: ~Copyable, Sendable {
    package let rules: ChatRules
    /// Decides whether faults occur.
    let faults: FaultInjector
    /// Time of the event that is being handled, in nanoseconds on the service's clock.
    package internal(set) var now: Int64 = 0
    var connections = ClientTable()
    var holders = NicknameTable<ClientID>()
    /// Number of connections from each address; counted only if the rules limit it.
    var addresses: [[UInt8]: Int] = [:]
    var operators: [ClientID] = []
    var visitors: [ClientID] = []
    var chats: [RoomName: ChatRoom] = [:]
    var identifierLast: Int64 = 0
    var privateMessageLast: Int64 = 0
    var scenes = SceneTable()
    /// Connections that have not logged in, ordered by login deadline.
    var awaitingLogin = DeadlineList()
    /// Sessions, ordered by expiry.
    var sessions = DeadlineList()

    package init(rules: ChatRules = ChatRules(), faults: FaultInjector = .none) {
        self.rules = rules
        self.faults = faults
    }

    /// Deadline for the next call to ``passTime(to:_:)``; nil if nothing is due until another event
    /// occurs.
    package var nextDeadline: Int64? {
        let quiet = scenes.idleDeadline == .max ? nil : scenes.idleDeadline
        let deadlines = [awaitingLogin.earliest?.deadline, sessions.earliest?.deadline, quiet]
        return deadlines.compactMap(\.self).min()
    }

    /// Accepts a connection. Returns nil if there are too many; the caller must then send ``full``
    /// and close the connection.
    package mutating func connect(
        at now: Int64, from address: [UInt8] = []
    ) -> ClientID? {
        guard connections.count < rules.connectionsMax else { return nil }
        if let most = rules.connectionsPerAddressMax {
            guard addresses[address, default: 0] < most else { return nil }
            addresses[address, default: 0] += 1
        }
        let id = connections.open(from: address)
        if let loginWithin = rules.loginWithin {
            awaitingLogin.touch(id.slot, deadline: now + loginWithin)
        }
        return id
    }

    /// The notice for a client whose connection ``connect(at:from:)`` did not accept.
    package static let full = ChatNotice.refused(
        .connection, Refusal(.tooMany, "too many connections"))

    /// Returns whether the rate limit allows another line from the connection.
    package mutating func admitLine(from id: ClientID, at now: Int64) -> Bool {
        guard let limit = rules.rate else { return true }
        return connections.takeToken(id, limit, at: now)
    }

    /// Executes a client's request. If the service refuses it, the client receives a notice.
    package mutating func receive(
        _ request: ChatRequest, from id: ClientID, at now: Int64, _ effects: inout [ChatEffect]
    ) {
        guard connections.isOpen(id) else { return }
        do {
            try carryOut(request, from: id, at: now, &effects)
        } catch {
            effects.append(.answer(id, .refused(request.command, error)))
        }
    }

    /// Executes a client's request, for callers that encode refusals themselves.
    ///
    /// - Throws: ``Refusal`` if the service refuses the request.
    package mutating func carryOut(
        _ request: ChatRequest, from id: ClientID, at now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        do {
            try carryOut(request, id, now, &effects)
        } catch {
            effects.append(.note(.refused(id, request.command, error)))
            throw error
        }
    }

    private mutating func carryOut(
        _ request: ChatRequest, _ id: ClientID, _ now: Int64, _ effects: inout [ChatEffect]
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

    /// Simulates a fault: closes a connection that sends a command before login. Returns whether
    /// the fault occurred.
    mutating func closesEarly(_ id: ClientID, _ effects: inout [ChatEffect]) -> Bool {
        guard faults.shouldInject(.earlyCommandsClose) else { return false }
        effects.append(.close(id))
        depart(id, .protocolViolated, &effects)
        return true
    }

    /// Executes a request that requires a session.
    private mutating func carryOut(
        _ request: ChatRequest, _ id: ClientID, _ session: ChatSession, _ now: Int64,
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
        case .say(let from, let chat, let text, let isHidden, let kind, let tags):
            let speaker = try speaker(from, id, session)
            try say(
                ChatText(text: text, isHidden: isHidden, kind: kind, tags: tags), in: chat,
                speaker.id, speaker.session, now, &effects)
        case .sayPrivately(let to, let text, let kind, let tags):
            try sayPrivately(
                ChatText(text: text, kind: kind, tags: tags), to: to, id, session, now, &effects)
        case .open(let scene, let members):
            try open(scene, with: members, id, session, now, &effects)
        case .sendContent(let chat, let type, let format, let data):
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
            try change(chat, changes, id, session, now, &effects)
        }
    }

    package mutating func disconnect(_ id: ClientID, _ effects: inout [ChatEffect]) {
        depart(id, .disconnected, &effects)
    }

    /// Ends a connection on the server's initiative, with a closing notice.
    package mutating func end(
        _ id: ClientID, _ departure: DisconnectReason, _ effects: inout [ChatEffect]
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

    /// Ends sessions whose ping is overdue, connections whose login is overdue, and chats that have
    /// been idle for too long.
    package mutating func passTime(to now: Int64, _ effects: inout [ChatEffect]) {
        while let due = sessions.earliest, due.deadline <= now {
            sessions.remove(due.slot)
            guard let id = connections.connection(in: due.slot) else { continue }
            expire(id, now, &effects)
        }
        while let due = awaitingLogin.earliest, due.deadline <= now {
            awaitingLogin.remove(due.slot)
            guard let id = connections.connection(in: due.slot) else { continue }
            end(id, .loginTooLate, &effects)
        }
        endQuietChats(now, &effects)
    }

    /// Shuts the service down. Every client is notified of the shutdown, but not of other clients'
    /// logouts.
    package mutating func close(_ effects: inout [ChatEffect]) {
        let all = connections.all
        let notice = ChatNotice.goingDown(seconds: 0, reason: DisconnectReason.serverEnds.reason)
        effects.append(.broadcast(all, except: nil, notice))
        for id in all {
            effects.append(.close(id))
            if let session = connections[id] {
                effects.append(.note(.loggedOut(id, session, .serverEnds)))
            } else {
                effects.append(.note(.leftWithoutLogin(id, .serverEnds)))
            }
        }
        self = ChatService(rules: rules, faults: faults)
    }
}
