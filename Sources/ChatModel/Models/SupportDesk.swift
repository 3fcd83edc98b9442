import Synchronization

/// An operator's desk: account, operators, visitors and chats, each a model that views follow.
///
/// It knows neither sockets nor clocks: events are given to it, by whoever reads them, with the time.
public final class SupportDesk: Sendable {
    /// How many chats are kept. Events of further ones find no place.
    public static let chatsMax = 1_024

    /// Oneself.
    public let account: Account
    /// The operators who are here.
    public let operators: PeopleModel
    /// The visitors who are here.
    public let visitors: PeopleModel
    /// The chats one is in or was in.
    public let chats: ChatsModel
    private let ownCount = Mutex(0)
    private let report: @Sendable (MulticastReport) -> Void

    /// A desk at which nobody sits.
    ///
    /// - Parameter report: hears of listeners that are too slow.
    public init(reportingTo report: @escaping @Sendable (MulticastReport) -> Void) {
        self.report = report
        account = Account(AccountState(), reportingTo: report)
        operators = PeopleModel(People(), reportingTo: report)
        visitors = PeopleModel(People(), reportingTo: report)
        chats = ChatsModel(ChatList(), reportingTo: report)
    }

    /// One wants to log in.
    public func logsIn(as nickname: String) {
        account.change { state in
            state = AccountState()
            state.phase = .loggingIn
            state.nickname = nickname
        }
    }

    /// One has said something oneself: servers do not send it back.
    ///
    /// - Returns: false, if there is no such chat.
    @discardableResult
    public func says(_ text: String, in chat: Int, isHidden: Bool = false, now: Int64) -> Bool {
        guard let chat = chats.state[chat] else { return false }
        let number = ownCount.withLock { count in
            count += 1
            return count
        }
        let said = Said(
            id: .own(number), time: now, sender: account.nickname, text: text,
            isHidden: isHidden)
        chat.received(said, isOneself: true)
        return true
    }

    /// Puts an event into the models. Events come one after another.
    ///
    /// - Parameter now: the time in nanoseconds since 1970.
    /// - Returns: false, if there is no place for its chat.
    @discardableResult
    public func apply(_ event: SupportDeskEvent, now: Int64) -> Bool {
        switch event {
        case .loggedIn(let person): loggedIn(person)
        case .loggedOut(let reason): loggedOut(reason)
        case .refused(let reason): refused(reason)
        case .here(let person, let isVisitor):
            people(isVisitor).change { $0.insert(person) }
        case .gone(let person, let isVisitor):
            people(isVisitor).change { $0.remove(id: person.id) }
        case .left(let number, let nickname):
            chats.state[number]?.left(nickname, isOneself: isOneself(nickname))
        case .joined(let number, _), .said(let number, _), .recorded(let number, _):
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
        case .said(_, var said):
            if said.time == 0 { said.time = now }
            chat.received(said, isOneself: isOneself(said.sender))
        case .recorded(_, let said): chat.recorded(said, isOneself: isOneself(said.sender))
        default: break
        }
    }

    /// A server's seconds; more than a year is a year.
    private static func nanoseconds(_ seconds: Int) -> Int64 {
        Int64(clamping: min(max(seconds, 0), 366 * 86_400)) * 1_000_000_000
    }

    private func people(_ isVisitor: Bool) -> PeopleModel { isVisitor ? visitors : operators }

    private func isOneself(_ nickname: String) -> Bool {
        let key = Nickname.key(of: Array(nickname.utf8))
        return key != nil && key == Nickname.key(of: Array(account.nickname.utf8))
    }

    /// A session begins: who is here has to be told anew.
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

    /// The session is over. Messages stay to be read.
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

    /// The chat of that number, which is made if there is room for one.
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
