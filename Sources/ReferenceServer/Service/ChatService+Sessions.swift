package import ChatModel

/// Credentials and profile that a client logs in with.
struct LoginRequest {
    var nickname: [UInt8]
    var password: [UInt8]
    var isVisitor: Bool
    var profile: Profile
}

extension ChatService {
    /// Answers a ping and keeps the session alive. Unless the rules specify otherwise, nothing else
    /// keeps it alive, so a client that sends messages but no pings expires.
    mutating func ping(
        _ token: [UInt8], _ id: ClientID, _ now: Int64, _ effects: inout [ChatEffect]
    ) {
        keepAlive(id, now)
        effects.append(.answer(id, .pong(token: token)))
    }

    /// Postpones the session's expiry.
    package mutating func keepAlive(_ id: ClientID, _ now: Int64) {
        guard rules.expiresAfter != nil, connections[id]?.keepAlive(faults) == true else { return }
        startWaiting(id, now)
    }

    /// Sets the time at which the session expires or is pinged if it stays silent.
    private mutating func startWaiting(_ id: ClientID, _ now: Int64) {
        guard let expiresAfter = rules.expiresAfter else { return }
        let wait = rules.pingsBeforeExpiry ? expiresAfter / 2 : expiresAfter
        sessions.touch(id.slot, deadline: now + wait)
    }

    mutating func logIn(
        _ id: ClientID, _ request: LoginRequest, _ now: Int64, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        guard connections[id] == nil else {
            throw Refusal(.alreadyLoggedIn, "already logged in")
        }
        let nickname = try admit(request.nickname)
        if let required = rules.password, required != request.password {
            throw Refusal(.badPassword, "wrong password")
        }
        if let holder = holders[nickname] { try resolveNameConflict(holder, &effects) }
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

    /// Converts a name to a nickname.
    ///
    /// - Throws: ``Refusal`` if the name is not allowed.
    package func admit(_ name: [UInt8]) throws(Refusal) -> Nickname {
        do {
            return caseSensitive(try Nickname(name, rules.names))
        } catch {
            let names = rules.names
            if name.count > names.bytesMax, faults.shouldInject(.longNameCut) {
                return Nickname(unchecked: Array(name.prefix(names.bytesMax)), names)
            }
            if !name.isEmpty, name.count <= names.bytesMax, faults.shouldInject(.badNameTaken) {
                return Nickname(unchecked: name, names)
            }
            throw Refusal(.badName, error.description)
        }
    }

    /// Returns the nickname. If the name is in use in a different letter case and the `namesExact`
    /// fault occurs, returns a nickname that is equal only to the same bytes.
    private func caseSensitive(_ nickname: Nickname) -> Nickname {
        guard faults.isArmed(.namesExact) else { return nickname }
        let exact = Nickname(exactly: nickname.bytes)
        if holders[exact] != nil { return exact }
        guard let holder = holders[nickname],
            connections[holder]?.nickname.bytes != nickname.bytes, faults.shouldInject(.namesExact)
        else { return nickname }
        return exact
    }

    /// Resolves a login with a name that is in use: either throws a refusal, or ends the older
    /// session.
    private mutating func resolveNameConflict(
        _ holder: ClientID, _ effects: inout [ChatEffect]
    ) throws(Refusal) {
        if faults.shouldInject(.nameTakenTwice) { return }
        guard rules.secondLogin == .replace else {
            throw Refusal(.nameInUse, "the nickname is in use")
        }
        end(holder, .replaced, &effects)
    }

    /// Starts a session on the connection, and returns the notice for other clients.
    private mutating func begin(
        _ nickname: Nickname, _ request: LoginRequest, _ id: ClientID, _ now: Int64
    ) -> ChatNotice {
        identifierLast += 1
        holders.give(nickname, to: id)
        let isVisitor = request.isVisitor
        connections[id] = ChatSession(
            identifier: identifierLast, nickname: nickname, isVisitor: isVisitor,
            profile: request.profile, since: now + rules.wallClockOffset, lastMessageAt: now,
            index: isVisitor ? visitors.count : operators.count)
        if isVisitor { visitors.append(id) } else { operators.append(id) }
        awaitingLogin.remove(id.slot)
        startWaiting(id, now)
        return isVisitor
            ? .visitorArrived(identifier: identifierLast, nickname: nickname.bytes)
            : .operatorLoggedIn(identifier: identifierLast, nickname: nickname.bytes)
    }

    mutating func rename(
        to name: [UInt8], _ id: ClientID, _ session: ChatSession,
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
        effects.append(.broadcast(peers(of: id, session), except: nil, notice))
    }

    mutating func setAway(
        _ text: [UInt8]?, _ id: ClientID, _ session: ChatSession,
        _ effects: inout [ChatEffect]
    ) {
        connections[id]?.away = text
        let notice = ChatNotice.awayChanged(person: session.person, text)
        switch rules.presence {
        case .all: effects.append(.broadcast(present, except: id, notice))
        case .peers: effects.append(.broadcast(peers(of: id, session), except: nil, notice))
        case .rooms: break
        }
    }

    /// Changes a client's real name and notifies the members of its rooms.
    package mutating func setRealName(
        _ name: [UInt8], _ id: ClientID, _ effects: inout [ChatEffect]
    ) {
        guard let session = connections[id] else { return }
        connections[id]?.profile.realName = name
        effects.append(
            .broadcast(
                [id] + peers(of: id, session), except: nil,
                .realNameChanged(person: session.person, name)))
    }

    mutating func logOut(
        _ id: ClientID, _ departure: DisconnectReason, _ effects: inout [ChatEffect]
    ) {
        effects.append(.answer(id, .loggedOut(departure)))
        effects.append(.close(id))
        depart(id, departure, &effects)
    }

    /// Ends a session that did not ping in time, or first pings it if the rules require that.
    mutating func expire(_ id: ClientID, _ now: Int64, _ effects: inout [ChatEffect]) {
        if connections[id]?.isKeepaliveIgnored == true { faults.count(.keepaliveIgnored) }
        if rules.pingsBeforeExpiry, connections[id]?.isPinged == false {
            connections[id]?.isPinged = true
            effects.append(.answer(id, .keepalivePing))
            startWaiting(id, now)
        } else if let expiresAfter = rules.expiresAfter, faults.shouldInject(.lateExpiry) {
            sessions.touch(id.slot, deadline: now + 4 * expiresAfter)
        } else if faults.shouldInject(.silentExpiry) {
            effects.append(.close(id))
            depart(id, .expired, &effects)
        } else {
            end(id, .expired, &effects)
        }
    }

    /// Removes the connection and notifies other clients as ``ChatRules/Presence`` specifies.
    mutating func depart(
        _ id: ClientID, _ departure: DisconnectReason, _ effects: inout [ChatEffect]
    ) {
        guard connections.isOpen(id) else { return }
        awaitingLogin.remove(id.slot)
        forgetAddress(of: id)
        guard let session = connections[id] else {
            connections.close(id)
            effects.append(.note(.leftWithoutLogin(id, departure)))
            return
        }
        if rules.presence == .peers {
            effects.append(
                .broadcast(
                    peers(of: id, session), except: nil,
                    .departed(person: session.person, departure)))
        }
        for chat in session.chats {
            removeMember(id, session, of: chat, notifying: rules.presence != .peers, &effects)
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

    private mutating func forgetAddress(of id: ClientID) {
        guard rules.connectionsPerAddressMax != nil else { return }
        let address = connections.address(of: id)
        guard let count = addresses[address] else { return }
        addresses[address] = count > 1 ? count - 1 : nil
    }

    private mutating func forget(_ id: ClientID, _ session: ChatSession) {
        sessions.remove(id.slot)
        release(session.nickname, id)
        let moved =
            session.isVisitor
            ? visitors.swapRemove(session.index) : operators.swapRemove(session.index)
        if let moved { connections[moved]?.index = session.index }
        connections.close(id)
    }

    private mutating func release(_ nickname: Nickname, _ id: ClientID) {
        if holders[nickname] == id { holders.free(nickname) }
    }

    /// Sends a presence notice: about an operator to all sessions, about a visitor only to
    /// operators.
    private func announce(
        _ notice: ChatNotice, isVisitor: Bool, except id: ClientID?,
        _ effects: inout [ChatEffect]
    ) {
        guard rules.presence == .all else { return }
        effects.append(.broadcast(operators, except: id, notice))
        if !isVisitor { effects.append(.broadcast(visitors, except: id, notice)) }
    }
}

extension [ClientID] {
    /// Removes the element at `index` and moves the last element there. Returns the moved element;
    /// nil if the last element was removed.
    fileprivate mutating func swapRemove(_ index: Int) -> ClientID? {
        let last = removeLast()
        guard index < count else { return nil }
        self[index] = last
        return last
    }
}
