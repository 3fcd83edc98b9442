import Synchronization

/// The view model of a support agent's desk: the account, operators, visitors and chats, each
/// observable.
///
/// It has no socket and no clock: the caller applies events together with the current time. All
/// methods may be called from any thread, but only one event may be applied at a time.
public final class SupportDesk: Sendable {
    /// Maximum number of chats kept. Events in additional chats are ignored.
    public static let chatsMax = 1_024

    /// The user's own account.
    public let account: Account
    /// The logged-in operators.
    public let operators: PeopleModel
    /// The logged-in visitors.
    public let visitors: PeopleModel
    /// The chats that the user is or was in.
    public let chats: ChatsModel
    private let ownCount = Mutex(0)
    private let report: @Sendable (MulticastReport) -> Void

    /// Creates the desk of a logged-out account.
    ///
    /// - Parameter report: called when a listener of a model is too slow; it may be called on any
    ///   thread.
    public init(reportingTo report: @escaping @Sendable (MulticastReport) -> Void) {
        self.report = report
        account = Account(AccountState(), reportingTo: report)
        operators = PeopleModel(People(), reportingTo: report)
        visitors = PeopleModel(People(), reportingTo: report)
        chats = ChatsModel(ChatList(), reportingTo: report)
    }

    /// Records that the user is logging in.
    public func beginLogin(as nickname: String) {
        account.change { state in
            state = AccountState()
            state.phase = .loggingIn
            state.nickname = nickname
        }
    }

    /// Adds a message that the user has sent. It must be added here because servers do not echo it.
    /// `now` is in nanoseconds since 1970.
    ///
    /// - Returns: false if there is no such chat.
    @discardableResult
    public func addOwnMessage(_ text: String, in chat: Int, isHidden: Bool = false, now: Int64)
        -> Bool
    {
        guard let chat = chats.state[chat] else { return false }
        let number = ownCount.withLock { count in
            count += 1
            return count
        }
        let message = DeskMessage(
            id: .own(number), time: now, sender: account.nickname, text: text,
            isHidden: isHidden)
        chat.received(message, isOneself: true)
        return true
    }

    /// Applies an event to the models. `now` is in nanoseconds since 1970.
    ///
    /// - Returns: false if the event was ignored because there are already ``chatsMax`` other
    ///   chats.
    @discardableResult
    public func apply(_ event: SupportDeskEvent, now: Int64) -> Bool {
        switch event {
        case .loggedIn(let person): loggedIn(person)
        case .loggedOut(let reason): loggedOut(reason)
        case .refused(let reason): refused(reason)
        case .present(let person, let isVisitor):
            people(isVisitor).change { $0.insert(person) }
        case .departed(let person, let isVisitor):
            people(isVisitor).change { $0.remove(id: person.id) }
        case .left(let number, let nickname):
            chats.state[number]?.left(nickname, isOneself: isOneself(nickname))
        case .joined(let number, _), .message(let number, _), .historyMessage(let number, _):
            guard let chat = chat(number) else { return false }
            apply(event, to: chat, now)
        case .goingDown(let seconds):
            account.change { $0.serverEndsAt = now + Self.nanoseconds(seconds) }
        }
        return true
    }

    private func apply(_ event: SupportDeskEvent, to chat: Chat, _ now: Int64) {
        switch event {
        case .joined(_, let nickname): chat.joined(nickname, isOneself: isOneself(nickname))
        case .message(_, var message):
            if message.time == 0 { message.time = now }
            chat.received(message, isOneself: isOneself(message.sender))
        case .historyMessage(_, let message):
            chat.merge(message, isOneself: isOneself(message.sender))
        default: break
        }
    }

    /// Converts the server's seconds to nanoseconds, capped at a year.
    private static func nanoseconds(_ seconds: Int) -> Int64 {
        Int64(clamping: min(max(seconds, 0), 366 * 86_400)) * 1_000_000_000
    }

    private func people(_ isVisitor: Bool) -> PeopleModel { isVisitor ? visitors : operators }

    private func isOneself(_ nickname: String) -> Bool {
        let key = Nickname.key(of: Array(nickname.utf8))
        return key != nil && key == Nickname.key(of: Array(account.nickname.utf8))
    }

    /// Starts a session. Clears the lists of operators and visitors, because the server sends them
    /// again.
    private func loggedIn(_ person: Person) {
        account.change { state in
            state = AccountState()
            state.phase = .loggedIn
            state.identifier = person.id
            state.nickname = person.nickname
        }
        operators.change { $0 = People() }
        visitors.change { $0 = People() }
    }

    /// Ends the session. Messages are kept.
    private func loggedOut(_ reason: String) {
        account.change { state in
            state.phase = .loggedOut(reason: reason)
            state.identifier = 0
        }
        operators.change { $0 = People() }
        visitors.change { $0 = People() }
        for chat in chats.state.all { chat.left(account.nickname, isOneself: true) }
    }

    private func refused(_ reason: String) {
        account.change { state in
            state.lastRefusal = reason
            if state.phase == .loggingIn { state.phase = .loggedOut(reason: reason) }
        }
    }

    /// Returns the chat with this number, creating it if necessary; nil if there are already
    /// ``chatsMax`` chats.
    private func chat(_ number: Int) -> Chat? {
        if let chat = chats.state[number] { return chat }
        return chats.change { list in
            if let chat = list[number] { return chat }
            guard list.count < Self.chatsMax else { return nil }
            let chat = Chat(id: number, reportingTo: report)
            list.chats[number] = chat
            return chat
        }
    }
}
