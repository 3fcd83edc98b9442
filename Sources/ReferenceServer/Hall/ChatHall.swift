/// The chat service: who is here, which chats there are, who is told what.
///
/// It has no sockets and no clock. Each event comes with the time, in nanoseconds of any steady clock,
/// and appends its effects in order to a list that the caller carries out before the next event. The same
/// events at the same times have the same effects. It is never copied: that would double all of it at the
/// next event.
package struct ChatHall: ~Copyable, Sendable {
    package let rules: ChatRules
    var connections = ConnectionTable()
    var holders: [String: ConnectionID] = [:]
    var operators: [ConnectionID] = []
    var visitors: [ConnectionID] = []
    var chats: [Int64: Chat] = [:]
    var identifierLast: Int64 = 0
    var privateMessageLast: Int64 = 0
    /// Connections without a login, by when they have to have one.
    var unnamed = DeadlineList()
    /// Sessions, by when they end without a ping.
    var sessions = DeadlineList()

    package init(rules: ChatRules = ChatRules()) {
        self.rules = rules
    }

    /// How many connections there are, logged in or not.
    package var connectionCount: Int { connections.count }
    /// How many are logged in.
    package var sessionCount: Int { holders.count }
    package var chatCount: Int { chats.count }

    /// When ``passTime(to:_:)`` has something to do next; nil: not before another event.
    package var nextDeadline: Int64? {
        let deadlines = [unnamed.earliest?.deadline, sessions.earliest?.deadline]
        return deadlines.compactMap(\.self).min()
    }

    /// A client has connected. Nil: there are too many, and it is to be told so and closed.
    package mutating func connect(at now: Int64) -> ConnectionID? {
        guard connections.count < rules.connectionsMax else { return nil }
        let id = connections.open()
        if let loginWithin = rules.loginWithin {
            unnamed.touch(id.slot, deadline: now + loginWithin)
        }
        return id
    }

    /// What a client is told that ``connect(at:)`` has no place for.
    package static let full = ChatNotice.refused(
        .connection, Refusal(.tooMany, "too many connections"))

    /// A client asks for something.
    package mutating func receive(
        _ request: ChatRequest, from id: ConnectionID, at now: Int64, _ effects: inout [ChatEffect]
    ) {
        guard connections.isOpen(id) else { return }
        do {
            try carryOut(request, id, now, &effects)
        } catch {
            effects.append(.note(.refused(id, request.command, error)))
            effects.append(.answer(id, .refused(request.command, error)))
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
        case .login(let nickname, let password, let isVisitor):
            try logIn(id, nickname, password, isVisitor: isVisitor, now, &effects)
        default:
            guard let session = connections[id] else {
                throw Refusal(.notLoggedIn, "not logged in")
            }
            try carryOut(request, id, session, now, &effects)
        }
    }

    /// Requests that need a session.
    private mutating func carryOut(
        _ request: ChatRequest, _ id: ConnectionID, _ session: ChatSession, _ now: Int64,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        switch request {
        case .login, .ping, .unreadable:
            break
        case .logout:
            effects.append(.answer(id, .loggedOut(reason: Departure.loggedOut.reason)))
            effects.append(.close(id))
            depart(id, .loggedOut, &effects)
        case .join(let chat):
            try join(chat, id, session, &effects)
        case .leave(let chat):
            try leave(chat, id, session, &effects)
        case .say(let from, let chat, let text, let isHidden):
            try checkSender(from, session)
            try say(text, in: chat, isHidden: isHidden, id, session, now, &effects)
        case .sayPrivately(let to, let text):
            try sayPrivately(text, to: to, session, &effects)
        case .runAction(let chat, let action):
            try runAction(action, in: chat, id, session, &effects)
        case .who(let chat):
            try who(chat, id, &effects)
        case .history(let chat, let count):
            try history(of: chat, count: count, id, session, &effects)
        }
    }

    /// The connection has ended on the peer's side.
    package mutating func disconnect(_ id: ConnectionID, _ effects: inout [ChatEffect]) {
        depart(id, .disconnected, &effects)
    }

    /// The connection is to be ended from this side, with a last line.
    package mutating func end(
        _ id: ConnectionID, _ departure: Departure, _ effects: inout [ChatEffect]
    ) {
        guard connections.isOpen(id) else { return }
        if connections[id] != nil {
            effects.append(.answer(id, .loggedOut(reason: departure.reason)))
        } else {
            let (command, code) = departure.refusal
            effects.append(.answer(id, .refused(command, Refusal(code, departure.reason))))
        }
        effects.append(.close(id))
        depart(id, departure, &effects)
    }

    /// Ends what is due: sessions without a ping, connections without a login.
    package mutating func passTime(to now: Int64, _ effects: inout [ChatEffect]) {
        while let due = sessions.earliest, due.deadline <= now {
            sessions.remove(due.slot)
            guard let id = connections.connection(in: due.slot) else { continue }
            end(id, .expired, &effects)
        }
        while let due = unnamed.earliest, due.deadline <= now {
            unnamed.remove(due.slot)
            guard let id = connections.connection(in: due.slot) else { continue }
            end(id, .loginTooLate, &effects)
        }
    }

    /// The server ends: everybody is told, nobody is told about the others.
    package mutating func close(_ effects: inout [ChatEffect]) {
        let all = connections.all
        let notice = ChatNotice.goingDown(seconds: 0, reason: Departure.serverEnds.reason)
        effects.append(.tell(all, except: nil, notice))
        for id in all {
            effects.append(.close(id))
            if let session = connections[id] {
                effects.append(.note(.loggedOut(id, session, .serverEnds)))
            } else {
                effects.append(.note(.leftUnnamed(id, .serverEnds)))
            }
        }
        self = ChatHall(rules: rules)
    }
}

extension ChatRequest {
    /// The command that a refusal of the request names.
    var command: RefusedCommand {
        switch self {
        case .login: .verb(.login)
        case .logout: .verb(.logout)
        case .ping: .verb(.ping)
        case .say(_, _, _, let isHidden): .verb(isHidden ? .sendHidden : .sendMessage)
        case .join: .verb(.join)
        case .leave: .verb(.leave)
        case .sayPrivately: .verb(.sendPrivate)
        case .who: .verb(.who)
        case .history: .verb(.history)
        case .runAction: .verb(.runAction)
        case .unreadable(let command, _): command
        }
    }
}

extension ChatNote {
    static func loggedOut(
        _ id: ConnectionID, _ session: ChatSession, _ departure: Departure
    ) -> ChatNote {
        .loggedOut(
            id, identifier: session.identifier, nickname: session.nickname.bytes, departure)
    }
}
