package import ChatModel

/// What a login gives.
struct LoginRequest {
    var nickname: [UInt8]
    var password: [UInt8]
    var isVisitor: Bool
    var profile: Profile
}

extension ChatService {
    /// Answers a ping and keeps the session alive. Nothing else does, unless the rules say so: one who
    /// talks but does not ping expires too.
    mutating func ping(
        _ token: [UInt8], _ id: ConnectionID, _ now: Int64, _ effects: inout [ChatEffect]
    ) {
        keepAlive(id, now)
        effects.append(.answer(id, .pong(token: token)))
    }

    /// Puts the end of the session off.
    package mutating func keepAlive(_ id: ConnectionID, _ now: Int64) {
        guard rules.expiresAfter != nil, connections[id] != nil,
            !faults.strikes(.keepaliveIgnored)
        else { return }
        connections[id]?.isAsked = false
        startWaiting(id, now)
    }

    /// Sets when the session ends without a sign of life, or is asked for one.
    private mutating func startWaiting(_ id: ConnectionID, _ now: Int64) {
        guard let expiresAfter = rules.expiresAfter else { return }
        let wait = rules.asksBeforeExpiry ? expiresAfter / 2 : expiresAfter
        sessions.touch(id.slot, deadline: now + wait)
    }

    mutating func logIn(
        _ id: ConnectionID, _ request: LoginRequest, _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        guard connections[id] == nil else {
            throw Refusal(.alreadyLoggedIn, "already logged in")
        }
        let nickname = try admit(request.nickname)
        if let required = rules.password, required != request.password {
            throw Refusal(.badPassword, "wrong password")
        }
        if let holder = holders[nickname] { try makeRoom(holder, &effects) }
        let notice = begin(nickname, request, id, now)
        let identifier = identifierLast
        effects.append(
            .note(
                .loggedIn(
                    id, identifier: identifier, nickname: nickname.bytes,
                    isVisitor: request.isVisitor)))
        effects.append(
            .answer(id, .loggedIn(identifier: identifier, nickname: nickname.bytes)))
        announce(notice, isVisitor: request.isVisitor, except: id, &effects)
    }

    /// The name as one that may be used.
    package func admit(_ name: [UInt8]) throws(Refusal) -> Nickname {
        do {
            var nickname = try Nickname(name, rules.names)
            if faults.isArmed(.namesExact), nickname.key != .bytes(nickname.bytes),
                holders[nickname] != nil, faults.strikes(.namesExact)
            {
                nickname = Nickname(unchecked: nickname.bytes, NameRules(folding: .exact))
            }
            return nickname
        } catch {
            let names = rules.names
            if name.count > names.bytesMax, faults.strikes(.longNameCut) {
                return Nickname(unchecked: Array(name.prefix(names.bytesMax)), names)
            }
            if !name.isEmpty, name.count <= names.bytesMax, faults.strikes(.badNameTaken) {
                return Nickname(unchecked: name, names)
            }
            throw Refusal(.badName, error.description)
        }
    }

    /// The name is in use: either nobody else may have it, or who has it goes.
    private mutating func makeRoom(
        _ holder: ConnectionID, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        if faults.strikes(.nameTakenTwice) { return }
        guard rules.secondLogin == .replace else {
            throw Refusal(.nameInUse, "the nickname is in use")
        }
        end(holder, .replaced, &effects)
    }

    /// Gives the connection a session and returns what others are told.
    private mutating func begin(
        _ nickname: Nickname, _ request: LoginRequest, _ id: ConnectionID, _ now: Int64
    ) -> ChatNotice {
        identifierLast += 1
        holders.give(nickname, to: id)
        let isVisitor = request.isVisitor
        connections[id] = ChatSession(
            identifier: identifierLast, nickname: nickname, isVisitor: isVisitor,
            profile: request.profile, since: now + rules.wallClockOffset, spokeAt: now,
            place: isVisitor ? visitors.count : operators.count)
        if isVisitor { visitors.append(id) } else { operators.append(id) }
        unnamed.remove(id.slot)
        startWaiting(id, now)
        return isVisitor
            ? .visitorArrived(identifier: identifierLast, nickname: nickname.bytes)
            : .operatorLoggedIn(identifier: identifierLast, nickname: nickname.bytes)
    }

    mutating func rename(
        to name: [UInt8], _ id: ConnectionID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        let nickname = try admit(name)
        guard nickname.bytes != session.nickname.bytes else { return }
        if let holder = holders[nickname], holder != id {
            throw Refusal(.nameInUse, "the nickname is in use")
        }
        release(session.nickname, id)
        holders.give(nickname, to: id)
        connections[id]?.nickname = nickname
        let notice = ChatNotice.renamed(person: session.person, to: nickname.bytes)
        effects.append(.answer(id, notice))
        effects.append(.tell(peers(of: id, session), except: nil, notice))
    }

    mutating func setAway(
        _ text: [UInt8]?, _ id: ConnectionID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) {
        connections[id]?.away = text
        let notice = ChatNotice.awayChanged(person: session.person, text)
        switch rules.presence {
        case .everybody: effects.append(.tell(present, except: id, notice))
        case .peers: effects.append(.tell(peers(of: id, session), except: nil, notice))
        case .rooms: break
        }
    }

    mutating func logOut(
        _ id: ConnectionID, _ departure: DisconnectReason, _ effects: inout [ChatEffect]
    ) {
        effects.append(.answer(id, .loggedOut(departure)))
        effects.append(.close(id))
        depart(id, departure, &effects)
    }

    /// Ends a session that did not ping in time.
    mutating func expire(_ id: ConnectionID, _ now: Int64, _ effects: inout [ChatEffect]) {
        if rules.asksBeforeExpiry, connections[id]?.isAsked == false {
            connections[id]?.isAsked = true
            effects.append(.answer(id, .areYouThere))
            startWaiting(id, now)
        } else if let expiresAfter = rules.expiresAfter, faults.strikes(.lateExpiry) {
            sessions.touch(id.slot, deadline: now + 4 * expiresAfter)
        } else if faults.strikes(.expiryUntold) {
            effects.append(.close(id))
            depart(id, .expired, &effects)
        } else {
            end(id, .expired, &effects)
        }
    }

    /// Forgets the connection and tells who should know: those in its rooms that it left them, all
    /// others as ``announce(_:isVisitor:except:_:)`` has it. Each is told once, however it went.
    mutating func depart(
        _ id: ConnectionID, _ departure: DisconnectReason, _ effects: inout [ChatEffect]
    ) {
        guard connections.isOpen(id) else { return }
        unnamed.remove(id.slot)
        forgetAddress(of: id)
        guard let session = connections[id] else {
            connections.close(id)
            effects.append(.note(.leftUnnamed(id, departure)))
            return
        }
        if rules.presence == .peers {
            effects.append(
                .tell(
                    peers(of: id, session), except: nil,
                    .departed(person: session.person, departure)))
        }
        for chat in session.chats {
            takeOut(id, session, of: chat, telling: rules.presence != .peers, &effects)
        }
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

    private mutating func forgetAddress(of id: ConnectionID) {
        guard rules.connectionsPerAddressMax != nil else { return }
        let address = connections.address(of: id)
        guard let count = addresses[address] else { return }
        addresses[address] = count > 1 ? count - 1 : nil
    }

    private mutating func forget(_ id: ConnectionID, _ session: ChatSession) {
        sessions.remove(id.slot)
        release(session.nickname, id)
        let moved =
            session.isVisitor
            ? visitors.takeOut(session.place) : operators.takeOut(session.place)
        if let moved { connections[moved]?.place = session.place }
        connections.close(id)
    }

    private mutating func release(_ nickname: Nickname, _ id: ConnectionID) {
        if holders[nickname] == id { holders.free(nickname) }
    }

    /// Tells of an operator to everybody, of a visitor to the operators.
    private func announce(
        _ notice: ChatNotice, isVisitor: Bool, except id: ConnectionID?,
        _ effects: inout [ChatEffect]
    ) {
        guard rules.presence == .everybody else { return }
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
