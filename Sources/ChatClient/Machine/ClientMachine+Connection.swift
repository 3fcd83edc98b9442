import ChatModel

extension ClientMachine {
    // MARK: Connection events

    /// Handles a new connection by sending the login.
    mutating func connected(
        as account: ChatAccount, at now: Int64, _ actions: inout [ClientAction]
    ) {
        guard case .connecting = phase else { return }
        reader = CommandReader(codec.map) { [warnings] in warnings.list.append($0) }
        phase = .loggingIn(deadline: now + options.answerWithinMax)
        let login = LiveChat.Login(
            nickname: account.name, password: account.password, visitor: account.isVisitor)
        do {
            actions.append(.write(try codec.line(login).bytes))
        } catch {
            actions.append(.emit(.ended(reason: "\(error)")))
            stop(.failure(error), &actions)
        }
    }

    mutating func connectFailed(
        _ reason: String, at now: Int64, _ actions: inout [ClientAction]
    ) {
        guard case .connecting = phase else { return }
        guard loginRequest == nil else {
            return stop(.failure(.notConnected(reason: reason)), &actions)
        }
        retry(reason, at: now, &actions)
    }

    mutating func disconnected(
        _ reason: String, at now: Int64, _ actions: inout [ClientAction]
    ) {
        switch phase {
        case .idle, .waiting: return
        case .connecting: connectFailed(reason, at: now, &actions)
        case .loggingIn where loginRequest != nil:
            stop(.failure(.connectionLost(reason: reason)), &actions)
        case .loggingOut(let id, _):
            failPending(.connectionLost(reason: reason), &actions)
            stop(.success(ChatAnswer()), &actions)
            actions.append(.emit(.ended(reason: reason)))
            actions.append(.finish(id, .success(ChatAnswer())))
        case .loggingIn, .online:
            failPending(.connectionLost(reason: reason), &actions)
            retry(reason, at: now, &actions)
        }
    }

    /// Schedules the next connection attempt, or gives up after the last one allowed.
    mutating func retry(_ reason: String, at now: Int64, _ actions: inout [ClientAction]) {
        attemptCount += 1
        pingAt = .max
        guard attemptCount <= options.reconnect.attemptsMax else {
            actions.append(.emit(.ended(reason: reason)))
            return stop(.failure(.connectionLost(reason: reason)), &actions)
        }
        let delay = options.reconnect.delay(attemptCount, &random)
        phase = .waiting(until: now + delay)
        actions.append(.close)
        actions.append(.emit(.connectionLost(reason: reason, retryAfter: delay)))
    }

    // MARK: Time

    mutating func passTime(to now: Int64, _ actions: inout [ClientAction]) {
        guard let deadline, deadline <= now else { return }
        switch phase {
        case .idle: return
        case .connecting:
            let time = 2 * options.connectWithinMax / 1_000_000
            connectFailed("could not connect within \(time) ms", at: now, &actions)
        case .waiting:
            guard let account else { return stop(.failure(.closed), &actions) }
            connect(account, at: now, &actions)
        case .loggingIn, .loggingOut: disconnected(silence, at: now, &actions)
        case .online:
            if let first = pending.first, first.deadline <= now {
                return disconnected(silence, at: now, &actions)
            }
            if pingAt <= now { enqueue([], "", .own, now, &actions) }
        }
    }

    private var silence: String {
        "the server did not answer within \(options.answerWithinMax / 1_000_000) ms"
    }
}
