import ChatModel

extension ClientMachine {
    /// Takes what was read.
    ///
    /// - Parameter wallClock: the time of day, in nanoseconds since 1970.
    mutating func received(
        _ bytes: Span<UInt8>, at now: Int64, wallClock: Int64, _ actions: inout [ClientAction]
    ) {
        reader.append(bytes)
        while true {
            do {
                guard let heard = try reader.next() else { break }
                take(heard, at: now, wallClock, &actions)
            } catch {
                actions.append(.warn(error.description))
            }
            for warning in warnings.list { actions.append(.warn(warning.description)) }
            warnings.list.removeAll()
        }
    }

    private mutating func take(
        _ heard: ChatWords.Heard, at now: Int64, _ wallClock: Int64,
        _ actions: inout [ClientAction]
    ) {
        switch heard {
        case .loggedIn(let answer): loggedIn(answer, at: now, &actions)
        case .refused(let refusal): refused(ChatRefusal(refusal), at: now, &actions)
        case .pong(let pong): fenced(pong.token, wallClock, &actions)
        case .listed(let person):
            guard let first = pending.first, first.answer.people.count < Self.answerElementsMax
            else { return }
            pending[0].answer.people.append(ChatPerson(person))
        case .record(let record): answer(message(record))
        case .contentRecord(let record): message(record).map { answer($0) }
        case .listEnd, .historyEnd: return
        case .loggedOut(let reason): loggedOut(reason, at: now, &actions)
        case .said(let said): actions.append(.tell(.message(message(said, wallClock))))
        case .shown(let shown):
            guard let message = message(shown, wallClock) else {
                return actions.append(.warn("a content of an unknown type: \(shown.type)"))
            }
            actions.append(.tell(.message(message)))
        case .opened(let opened):
            if !pending.isEmpty { pending[0].answer.opened.append(opened) }
            let scene = Scene(named: opened.scene) ?? Scene(opened.scene)
            actions.append(
                .tell(.opened(chat: opened.conference, scene: scene, members: opened.members)))
        case .saidPrivately(let said): actions.append(.tell(.message(message(said, wallClock))))
        case .event(let event): actions.append(.tell(event))
        }
    }

    /// One more record of the history that was asked for.
    private mutating func answer(_ record: ChatMessage) {
        guard let first = pending.first, first.answer.records.count < Self.answerElementsMax
        else { return }
        pending[0].answer.records.append(record)
    }

    private mutating func loggedIn(
        _ answer: LiveChat.LoggedIn, at now: Int64, _ actions: inout [ClientAction]
    ) {
        guard case .loggingIn = phase else { return }
        let session = ClientSession(identifier: answer.identifier, nickname: answer.nickname)
        phase = .online(session)
        loginCount += 1
        attemptCount = 0
        pingAt = now + options.pingInterval
        // Whoever has waited finds the session there.
        actions.append(.tell(.loggedIn(session)))
        if let id = loginRequest {
            actions.append(.finish(id, .success(ChatAnswer(session: session))))
        }
        loginRequest = nil
        if options.asksWhoIsHere, words.canAskWho { ask(LiveChat.Who(), at: now, &actions) }
        for chat in chats.sorted() { ask(LiveChat.Join(chat: chat), at: now, &actions) }
    }

    /// Sends a request that nobody but the machine waits for.
    private mutating func ask(
        _ command: some ChatCommand, at now: Int64, _ actions: inout [ClientAction]
    ) {
        do {
            let line = try words.line(command)
            enqueue(line.bytes, line.wireName, .own, now, &actions)
        } catch {
            actions.append(.warn(error.description))
        }
    }

    private mutating func refused(
        _ refusal: ChatRefusal, at now: Int64, _ actions: inout [ClientAction]
    ) {
        if case .loggingIn = phase {
            if loginRequest == nil, refusal.code == ChatRefusal.conflict {
                // The server does not know yet that the connection before is gone.
                return retry(refusal.description, at: now, &actions)
            }
            if loginRequest == nil { actions.append(.tell(.ended(reason: refusal.description))) }
            return stop(.failure(.refused(refusal)), &actions)
        }
        guard let first = pending.first, first.refusal == nil, first.wireName == refusal.command
        else { return actions.append(.tell(.refused(refusal))) }
        pending[0].refusal = refusal
        if case .own = first.kind { actions.append(.tell(.refused(refusal))) }
    }

    /// The answer to a ping: what was sent before it has been dealt with.
    private mutating func fenced(
        _ token: String, _ wallClock: Int64, _ actions: inout [ClientAction]
    ) {
        guard let place = pending.firstIndex(where: { $0.token == token }) else { return }
        // Were a server to leave a ping unanswered, those before would be settled with this one.
        for request in pending[...place] { settle(request, wallClock, &actions) }
        pending.removeSubrange(...place)
    }

    private mutating func settle(
        _ request: PendingRequest, _ wallClock: Int64, _ actions: inout [ClientAction]
    ) {
        guard let id = request.id else {
            let people = request.answer.people
            if !people.isEmpty { actions.append(.tell(.present(people))) }
            return
        }
        if let refusal = request.refusal {
            return actions.append(.finish(id, .failure(.refused(refusal))))
        }
        if case .said(_, let said) = request.kind, case .online(let session) = phase {
            ownMessageCount += 1
            let number = ChatMessage.ID(
                login: loginCount, chat: said.chat, number: -ownMessageCount)
            let own = ChatMessage(
                id: number, time: wallClock, sender: session.nickname, content: said.content,
                isHidden: said.isHidden, isOwn: true)
            actions.append(.tell(.message(own)))
        }
        actions.append(.finish(id, .success(request.answer)))
    }

    private mutating func loggedOut(
        _ reason: String, at now: Int64, _ actions: inout [ClientAction]
    ) {
        switch phase {
        case .loggingOut: disconnected(reason, at: now, &actions)
        case .online:
            failPending(.connectionLost(reason: reason), &actions)
            retry(reason, at: now, &actions)
        default: return
        }
    }

    // MARK: Messages

    private func message(_ said: LiveChat.DidReceive, _ wallClock: Int64) -> ChatMessage {
        ChatMessage(
            id: ChatMessage.ID(login: loginCount, chat: said.conference, number: said.identifier),
            time: wallClock, sender: said.sender, content: .text(said.text),
            isHidden: said.hidden)
    }

    private func message(_ said: LiveChat.DidReceivePrivate, _ wallClock: Int64) -> ChatMessage {
        ChatMessage(
            id: ChatMessage.ID(login: loginCount, chat: nil, number: said.identifier),
            time: wallClock, sender: said.sender, content: .text(said.text))
    }

    private func message(_ shown: LiveChat.Content, _ wallClock: Int64) -> ChatMessage? {
        MessageContent(type: shown.type, format: shown.format, data: shown.data).map {
            ChatMessage(
                id: ChatMessage.ID(
                    login: loginCount, chat: shown.conference, number: shown.identifier),
                time: wallClock, sender: shown.sender, content: $0)
        }
    }

    private func message(_ record: LiveChat.ContentRecord) -> ChatMessage? {
        MessageContent(type: record.type, format: record.format, data: record.data).map {
            ChatMessage(
                id: ChatMessage.ID(
                    login: loginCount, chat: record.conference, number: record.identifier),
                time: record.time.nanoseconds, sender: record.sender, content: $0)
        }
    }

    private func message(_ record: LiveChat.Record) -> ChatMessage {
        ChatMessage(
            id: ChatMessage.ID(
                login: loginCount, chat: record.conference, number: record.identifier),
            time: record.time.nanoseconds, sender: record.sender,
            content: .text(record.text), isHidden: record.hidden)
    }
}

extension ChatPerson {
    init(_ listed: LiveChat.Listed) {
        self.init(id: listed.identifier, nickname: listed.nickname, isVisitor: listed.visitor)
    }
}

extension ChatRefusal {
    init(_ refused: LiveChat.Refused) {
        self.init(command: refused.command, code: refused.code, reason: refused.reason)
    }
}
