extension ChatHall {
    /// Answers a ping and keeps the session alive. Nothing else does: one who talks but does not ping
    /// expires too.
    mutating func ping(
        _ token: [UInt8], _ id: ConnectionID, _ now: Int64, _ effects: inout [ChatEffect]
    ) {
        if connections[id] != nil, let expiresAfter = rules.expiresAfter {
            sessions.touch(id.slot, deadline: now + expiresAfter)
        }
        effects.append(.answer(id, .pong(token: token)))
    }

    mutating func logIn(
        _ id: ConnectionID, _ nickname: [UInt8], _ password: [UInt8], isVisitor: Bool,
        _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        guard connections[id] == nil else { throw Refusal(.conflict, "already logged in") }
        let nickname = try Nickname(nickname, bytesMax: rules.nicknameBytesMax)
        if let required = rules.password, required != password {
            throw Refusal(.badCredentials, "wrong password")
        }
        guard holders[nickname.key] == nil else {
            throw Refusal(.conflict, "the nickname is in use")
        }
        let notice = begin(nickname, isVisitor: isVisitor, id, now)
        let identifier = identifierLast
        effects.append(
            .note(
                .loggedIn(
                    id, identifier: identifier, nickname: nickname.bytes, isVisitor: isVisitor)))
        effects.append(
            .answer(id, .loggedIn(identifier: identifier, nickname: nickname.bytes)))
        announce(notice, isVisitor: isVisitor, except: id, &effects)
    }

    /// Gives the connection a session and returns what others are told.
    private mutating func begin(
        _ nickname: Nickname, isVisitor: Bool, _ id: ConnectionID, _ now: Int64
    ) -> ChatNotice {
        identifierLast += 1
        holders[nickname.key] = id
        connections[id] = ChatSession(
            identifier: identifierLast, nickname: nickname, isVisitor: isVisitor,
            place: isVisitor ? visitors.count : operators.count)
        if isVisitor { visitors.append(id) } else { operators.append(id) }
        unnamed.remove(id.slot)
        if let expiresAfter = rules.expiresAfter {
            sessions.touch(id.slot, deadline: now + expiresAfter)
        }
        return isVisitor
            ? .visitorArrived(identifier: identifierLast, nickname: nickname.bytes)
            : .operatorLoggedIn(identifier: identifierLast, nickname: nickname.bytes)
    }

    /// Forgets the connection and tells who should know: those in its chats that it left them, all
    /// others as ``announce(_:isVisitor:except:_:)`` has it. Each is told once, however it went.
    mutating func depart(
        _ id: ConnectionID, _ departure: Departure, _ effects: inout [ChatEffect]
    ) {
        guard connections.isOpen(id) else { return }
        unnamed.remove(id.slot)
        guard let session = connections[id] else {
            connections.close(id)
            effects.append(.note(.leftUnnamed(id, departure)))
            return
        }
        for chat in session.chats { takeOut(id, session, of: chat, &effects) }
        forget(id, session)
        effects.append(.note(.loggedOut(id, session, departure)))
        let (identifier, nickname) = (session.identifier, session.nickname.bytes)
        let notice: ChatNotice =
            session.isVisitor
            ? .visitorLeft(identifier: identifier, nickname: nickname, reason: departure.reason)
            : .operatorLoggedOut(
                identifier: identifier, nickname: nickname, reason: departure.reason)
        announce(notice, isVisitor: session.isVisitor, except: nil, &effects)
    }

    private mutating func forget(_ id: ConnectionID, _ session: ChatSession) {
        sessions.remove(id.slot)
        holders[session.nickname.key] = nil
        let moved =
            session.isVisitor
            ? visitors.takeOut(session.place) : operators.takeOut(session.place)
        if let moved { connections[moved]?.place = session.place }
        connections.close(id)
    }

    /// Tells of an operator to everybody, of a visitor to the operators.
    private func announce(
        _ notice: ChatNotice, isVisitor: Bool, except id: ConnectionID?,
        _ effects: inout [ChatEffect]
    ) {
        guard rules.announcesPresence else { return }
        effects.append(.tell(operators, except: id, notice))
        if !isVisitor { effects.append(.tell(visitors, except: id, notice)) }
    }
}

extension [ConnectionID] {
    /// Removes the one at `place` and puts the last there, which is returned; nil if it was the last.
    fileprivate mutating func takeOut(_ place: Int) -> ConnectionID? {
        let last = removeLast()
        guard place < count else { return nil }
        self[place] = last
        return last
    }
}
