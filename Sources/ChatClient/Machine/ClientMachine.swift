import ChatModel
import LineProtocol

/// The state machine of a client session. It uses neither sockets nor a clock: its inputs are
/// bytes, times and requests, and its outputs are actions. Times are in nanoseconds on a monotonic
/// clock.
///
/// A server processes commands in order, but it does not answer every command: it answers a message
/// only to refuse it. The machine therefore sends a ping with a unique token after each request.
/// All answers that arrive before the matching pong belong to the request. If none of them is a
/// refusal, the request has succeeded.
struct ClientMachine {
    /// Connection and login state of the client.
    enum Phase: Equatable {
        case idle
        case connecting(deadline: Int64)
        /// The login has been sent but not answered.
        case loggingIn(deadline: Int64)
        case online(ClientSession)
        case loggingOut(RequestID, deadline: Int64)
        /// The connection was lost. The client tries to reconnect at the time `until`.
        case waiting(until: Int64)
    }

    /// Maximum number of users or records in an answer. Any beyond that are dropped.
    static let answerElementsMax = 65_536

    let codec: ChatCodec
    let options: ChatClientOptions
    var phase = Phase.idle
    /// The account to keep logged in; nil while the client is logged out.
    var account: ChatAccount?
    /// The pending request for the first login; nil once it has been answered.
    var loginRequest: RequestID?
    var pending: [PendingRequest] = []
    /// The chats that the user has joined. The client joins them again after reconnecting.
    var chats: Set<Int> = []
    var reader: CommandReader<ChatCodec.Incoming>
    var tokenCount: UInt64 = 0
    var pingAt = Int64.max
    var loginCount = 0
    var ownMessageCount = 0
    /// Number of reconnect attempts since the last login.
    var attemptCount = 0
    var random: SeededRandom
    /// The reader's warnings that have not been logged yet.
    let warnings = WarningBuffer()

    init(_ codec: ChatCodec, _ options: ChatClientOptions, seed: UInt64) {
        self.codec = codec
        self.options = options
        random = SeededRandom(seed: seed)
        let warnings = warnings
        reader = CommandReader(codec.map) { warnings.list.append($0) }
    }

    /// Deadline for the next call to ``passTime(to:)``; nil if none is needed.
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
            // The server has no session to end.
            stop(.failure(.cancelled), &actions)
            actions.append(.emit(.ended(reason: "logged out")))
            actions.append(.finish(id, .success(ChatAnswer())))
        case .idle, .loggingOut:
            actions.append(.finish(id, .failure(.notLoggedIn)))
        }
    }

    /// Sends a line, followed by a ping.
    mutating func request(
        _ line: OutgoingLine, _ kind: PendingRequest.Kind, at now: Int64,
        _ actions: inout [ClientAction]
    ) {
        guard case .online = phase else {
            if case .command(let id) = kind {
                actions.append(.finish(id, .failure(unavailableError)))
            }
            if case .message(let id, _) = kind {
                actions.append(.finish(id, .failure(unavailableError)))
            }
            return
        }
        enqueue(line.bytes, line.wireName, kind, now, &actions)
    }

    /// Records whether the user wants to be in a chat.
    mutating func note(chat: Int, isIn: Bool) {
        if isIn { chats.insert(chat) } else { chats.remove(chat) }
    }

    /// Abandons a request whose caller has stopped waiting. If it is a login, the login is aborted.
    mutating func abandon(_ id: RequestID, _ actions: inout [ClientAction]) {
        if loginRequest == id { stop(.failure(.cancelled), &actions) }
    }

    /// Ends the session immediately, without a logout.
    mutating func close(_ actions: inout [ClientAction]) {
        if case .loggingOut(let id, _) = phase {
            actions.append(.finish(id, .failure(.closed)))
        }
        failPending(.closed, &actions)
        stop(.failure(.closed), &actions)
    }

    /// The reason nothing can be sent at the moment.
    private var unavailableError: ChatError {
        switch phase {
        case .idle, .loggingIn, .loggingOut, .online: .notLoggedIn
        case .connecting where loginRequest != nil: .notLoggedIn
        case .connecting, .waiting: .notConnected(reason: "waiting to reconnect")
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
            try codec.writer.append(LiveChat.Ping(token: token), to: &bytes)
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

    /// Sends a command without a ping after it.
    mutating func send(_ command: some ChatCommand, _ actions: inout [ClientAction]) {
        do {
            actions.append(.write(try codec.writer.bytes(of: command)))
        } catch {
            actions.append(.warn("\(error)"))
        }
    }

    /// Makes the machine idle. If a login is pending, completes it with the result.
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

/// Buffer for the reader's warnings, shared by reference.
final class WarningBuffer {
    var list: [CommandWarning] = []
}
