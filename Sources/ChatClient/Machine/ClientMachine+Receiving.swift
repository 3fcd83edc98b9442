import ChatModel

extension ClientMachine {
    /// Processes received bytes.
    ///
    /// - Parameter wallClock: the time in nanoseconds since 1970.
    mutating func received(
        _ bytes: Span<UInt8>, at now: Int64, wallClock: Int64, _ actions: inout [ClientAction]
    ) {
        reader.append(bytes)
        while true {
            do {
                guard let incoming = try reader.next() else { break }
                take(incoming, at: now, wallClock, &actions)
            } catch {
                actions.append(.warn(error.description))
            }
            for warning in warnings.list { actions.append(.warn(warning.description)) }
            warnings.list.removeAll()
        }
    }

    private mutating func take(
        _ incoming: ChatCodec.Incoming, at now: Int64, _ wallClock: Int64,
        _ actions: inout [ClientAction]
    ) {
        switch incoming {
        case .loggedIn(let answer): loggedIn(answer, at: now, &actions)
        case .refused(let refusal): refused(ChatRefusal(refusal), at: now, &actions)
        case .pong(let pong): pongReceived(pong.token, wallClock, &actions)
        case .listed(let person):
            guard let first = pending.first, first.answer.people.count < Self.answerElementsMax
            else { return }
            pending[0].answer.people.append(ChatPerson(person))
        case .record(let record): answer(message(record))
        case .contentRecord(let record): message(record).map { answer($0) }
        case .listEnd, .historyEnd: return
        case .loggedOut(let reason): loggedOut(reason, at: now, &actions)
        case .message(let received): actions.append(.emit(.message(message(received, wallClock))))
        case .content(let content):
            guard let message = message(content, wallClock) else {
                return actions.append(.warn("ignored content of unknown type \(content.type)"))
            }
            actions.append(.emit(.message(message)))
        case .opened(let opened):
            if !pending.isEmpty { pending[0].answer.opened.append(opened) }
            let scene = Scene(named: opened.scene) ?? Scene(opened.scene)
            actions.append(
                .emit(.opened(chat: opened.conference, scene: scene, members: opened.members)))
        case .privateMessage(let received):
            actions.append(.emit(.message(message(received, wallClock))))
        case .event(let event): actions.append(.emit(event))
        }
    }

    /// Adds a record to the history request in progress.
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
        // Publish the session before completing the login request, so that the caller can find it.
        actions.append(.emit(.loggedIn(session)))
        if let id = loginRequest {
            actions.append(.finish(id, .success(ChatAnswer(session: session))))
        }
        loginRequest = nil
        if options.requestsUserList, codec.canAskWho { ask(LiveChat.Who(), at: now, &actions) }
        for chat in chats.sorted() { ask(LiveChat.Join(chat: chat), at: now, &actions) }
    }

    /// Sends a request on behalf of the machine itself.
    private mutating func ask(
        _ command: some ChatCommand, at now: Int64, _ actions: inout [ClientAction]
    ) {
        do {
            let line = try codec.line(command)
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
                // The server has not yet noticed that the old connection is gone.
                return retry(refusal.description, at: now, &actions)
            }
            if loginRequest == nil { actions.append(.emit(.ended(reason: refusal.description))) }
            return stop(.failure(.refused(refusal)), &actions)
        }
        guard let first = pending.first, first.refusal == nil, first.wireName == refusal.command
        else { return actions.append(.emit(.refused(refusal))) }
        pending[0].refusal = refusal
        if case .own = first.kind { actions.append(.emit(.refused(refusal))) }
    }

    /// Handles a pong, which shows that all requests before its ping have been processed.
    private mutating func pongReceived(
        _ token: String, _ wallClock: Int64, _ actions: inout [ClientAction]
    ) {
        guard let index = pending.firstIndex(where: { $0.token == token }) else { return }
        // If the server skipped a pong, this one also completes the requests before it.
        for request in pending[...index] { settle(request, wallClock, &actions) }
        pending.removeSubrange(...index)
    }

    private mutating func settle(
        _ request: PendingRequest, _ wallClock: Int64, _ actions: inout [ClientAction]
    ) {
        guard let id = request.id else {
            let people = request.answer.people
            if !people.isEmpty { actions.append(.emit(.present(people))) }
            return
        }
        if let refusal = request.refusal {
            return actions.append(.finish(id, .failure(.refused(refusal))))
        }
        if case .message(_, let own) = request.kind, case .online(let session) = phase {
            ownMessageCount += 1
            let number = ChatMessage.ID(
                login: loginCount, chat: own.chat, number: -ownMessageCount)
            let message = ChatMessage(
                id: number, time: wallClock, sender: session.nickname, content: own.content,
                isHidden: own.isHidden, isOwn: true)
            actions.append(.emit(.message(message)))
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

    private func message(_ received: LiveChat.DidReceive, _ wallClock: Int64) -> ChatMessage {
        ChatMessage(
            id: ChatMessage.ID(
                login: loginCount, chat: received.conference, number: received.identifier),
            time: wallClock, sender: received.sender, content: .text(received.text),
            isHidden: received.hidden)
    }

    private func message(_ received: LiveChat.DidReceivePrivate, _ wallClock: Int64) -> ChatMessage
    {
        ChatMessage(
            id: ChatMessage.ID(login: loginCount, chat: nil, number: received.identifier),
            time: wallClock, sender: received.sender, content: .text(received.text))
    }

    private func message(_ content: LiveChat.Content, _ wallClock: Int64) -> ChatMessage? {
        MessageContent(type: content.type, format: content.format, data: content.data).map {
            ChatMessage(
                id: ChatMessage.ID(
                    login: loginCount, chat: content.conference, number: content.identifier),
                time: wallClock, sender: content.sender, content: $0)
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
