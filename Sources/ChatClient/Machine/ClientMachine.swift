import ChatModel
import LineProtocol

/// A client's session without sockets and clock: bytes, times and requests go in, actions come out.
///
/// A server answers in the order in which it is asked, but not each command: of `sendMessage` only a refusal
/// is heard. So behind every request goes a ping with a token of its own. What comes before its answer
/// belongs to the request; without a refusal, it was carried out.
struct ClientMachine {
    enum Phase: Equatable {
        case idle
        case connecting(deadline: Int64)
        /// The login is sent.
        case loggingIn(deadline: Int64)
        case online(ClientSession)
        case loggingOut(RequestID, deadline: Int64)
        /// The connection is lost; the next attempt comes at this time.
        case waiting(until: Int64)
    }

    /// How many people or records one answer may have; what is more is dropped.
    static let answerElementsMax = 65_536

    let words: ChatWords
    let options: ChatClientOptions
    var phase = Phase.idle
    /// Who is to be online.
    var account: ChatAccount?
    /// The request that waits for the first login; nil when it has been answered.
    var loginRequest: RequestID?
    /// Requests in the order in which they were sent.
    var pending: [PendingRequest] = []
    /// The chats that one is in, to be entered again after a loss.
    var chats: Set<Int> = []
    var reader: CommandReader<ChatWords.Heard>
    var tokenCount: UInt64 = 0
    var pingAt = Int64.max
    /// How many logins there have been.
    var loginCount = 0
    var ownMessageCount = 0
    /// Attempts since the last login.
    var attemptCount = 0
    var random: SeededRandom
    /// Warnings that the reader had, until they are told.
    let warnings = WarningBox()

    init(_ words: ChatWords, _ options: ChatClientOptions, seed: UInt64) {
        self.words = words
        self.options = options
        random = SeededRandom(seed: seed)
        let warnings = warnings
        reader = CommandReader(words.map) { warnings.list.append($0) }
    }

    /// When ``passTime(to:)`` is to be called at the latest.
    var deadline: Int64? {
        switch phase {
        case .idle: nil
        case .connecting(let deadline), .loggingIn(let deadline), .loggingOut(_, let deadline):
            deadline
        case .waiting(let until): until
        case .online: min(pingAt, pending.first?.deadline ?? .max)
        }
    }

    // MARK: Requests

    mutating func logIn(
        _ account: ChatAccount, _ id: RequestID, at now: Int64,
        _ actions: inout [ClientAction]
    ) {
        guard phase == .idle else {
            return actions.append(.finish(id, .failure(.alreadyLoggedIn)))
        }
        self.account = account
        loginRequest = id
        chats = []
        attemptCount = 0
        connect(account, at: now, &actions)
    }

    mutating func connect(
        _ account: ChatAccount, at now: Int64, _ actions: inout [ClientAction]
    ) {
        phase = .connecting(deadline: now + 2 * options.connectWithinMax)
        actions.append(.connect(account))
    }

    mutating func logOut(_ id: RequestID, at now: Int64, _ actions: inout [ClientAction]) {
        switch phase {
        case .online:
            send(LiveChat.Logout(), &actions)
            phase = .loggingOut(id, deadline: now + options.answerWithinMax)
        case .waiting, .connecting, .loggingIn:
            // The session that there was is over already.
            stop(.failure(.cancelled), &actions)
            actions.append(.tell(.ended(reason: "logged out")))
            actions.append(.finish(id, .success(ChatAnswer())))
        case .idle, .loggingOut:
            actions.append(.finish(id, .failure(.notLoggedIn)))
        }
    }

    /// Sends a line, with a fence behind it.
    mutating func request(
        _ line: OutgoingLine, _ kind: PendingRequest.Kind, at now: Int64,
        _ actions: inout [ClientAction]
    ) {
        guard case .online = phase else {
            if case .asked(let id) = kind { actions.append(.finish(id, .failure(absence))) }
            if case .said(let id, _) = kind { actions.append(.finish(id, .failure(absence))) }
            return
        }
        enqueue(line.bytes, line.wireName, kind, now, &actions)
    }

    /// Notes that one is to be in a chat, or no longer.
    mutating func note(chat: Int, isIn: Bool) {
        if isIn { chats.insert(chat) } else { chats.remove(chat) }
    }

    /// Nobody waits for the request any more. A login that is under way is given up.
    mutating func abandon(_ id: RequestID, _ actions: inout [ClientAction]) {
        if loginRequest == id { stop(.failure(.cancelled), &actions) }
    }

    /// Ends everything at once, without a logout.
    mutating func close(_ actions: inout [ClientAction]) {
        if case .loggingOut(let id, _) = phase {
            actions.append(.finish(id, .failure(.closed)))
        }
        failPending(.closed, &actions)
        stop(.failure(.closed), &actions)
    }

    /// Why nothing can be sent now.
    private var absence: ChatError {
        switch phase {
        case .idle, .loggingIn, .loggingOut, .online: .notLoggedIn
        case .connecting where loginRequest != nil: .notLoggedIn
        case .connecting, .waiting: .notConnected(reason: "the next attempt is to come")
        }
    }

    mutating func enqueue(
        _ bytes: [UInt8], _ wireName: String, _ kind: PendingRequest.Kind, _ now: Int64,
        _ actions: inout [ClientAction]
    ) {
        tokenCount += 1
        let token = "\(tokenCount)"
        var bytes = bytes
        do {
            try words.writer.append(LiveChat.Ping(token: token), to: &bytes)
        } catch {
            actions.append(.warn("\(error)"))
        }
        pending.append(
            PendingRequest(
                kind: kind, wireName: wireName, token: token,
                deadline: now + options.answerWithinMax))
        pingAt = now + options.pingInterval
        actions.append(.write(bytes))
    }

    /// Sends a command that has no fence.
    mutating func send(_ command: some ChatCommand, _ actions: inout [ClientAction]) {
        do {
            actions.append(.write(try words.writer.bytes(of: command)))
        } catch {
            actions.append(.warn("\(error)"))
        }
    }

    /// Becomes idle, whatever was under way.
    mutating func stop(
        _ login: Result<ChatAnswer, ChatError>, _ actions: inout [ClientAction]
    ) {
        if phase != .idle { actions.append(.close) }
        phase = .idle
        account = nil
        chats = []
        pingAt = .max
        if let id = loginRequest { actions.append(.finish(id, login)) }
        loginRequest = nil
    }

    mutating func failPending(_ error: ChatError, _ actions: inout [ClientAction]) {
        for request in pending {
            if let id = request.id { actions.append(.finish(id, .failure(error))) }
        }
        pending = []
    }
}

/// Warnings on their way out of a reader.
final class WarningBox {
    var list: [CommandWarning] = []
}
