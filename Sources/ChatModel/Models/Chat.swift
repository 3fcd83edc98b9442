/// What somebody said in a chat.
public struct Said: LoggedMessage, Hashable {
    /// What tells it from all others of its chat.
    public enum ID: Sendable, Hashable {
        /// The number that the server gave it.
        case number(Int)
        /// One of one's own whose number is not known yet.
        case own(Int)
    }

    /// What tells it from all others of its chat.
    public var id: ID
    /// In nanoseconds since 1970: when it was said, or if that is not known, when it was heard.
    public var time: Int64
    /// The nickname of who said it.
    public var sender: String
    /// What was said.
    public var text: String
    /// Whether only operators see it.
    public var isHidden: Bool

    /// Something that was said.
    public init(id: ID, time: Int64, sender: String, text: String, isHidden: Bool = false) {
        self.id = id
        self.time = time
        self.sender = sender
        self.text = text
        self.isHidden = isHidden
    }
}

/// What views show of a chat besides its messages.
public struct ChatState: Sendable, Hashable {
    /// The nicknames of those who are in it, oneself too, in the order in which they came.
    public internal(set) var members: [String] = []
    /// Whether one is in it.
    public internal(set) var isJoined = false
    /// How many messages came since one last looked.
    public internal(set) var unreadCount = 0
    /// The last message.
    public internal(set) var last: Said?
}

/// A chat one is in, or was in: its state for views to follow, and its messages.
public final class Chat: Sendable, Identifiable {
    /// How many messages a chat keeps.
    public static let messagesMax = 512

    /// The chat's number.
    public let id: Int
    /// Its state.
    public let model: ObservedModel<ChatState>
    /// Its messages.
    public let messages: SharedMessageLog<Said>

    init(id: Int, reportingTo report: @escaping @Sendable (MulticastReport) -> Void) {
        self.id = id
        model = ObservedModel(ChatState(), reportingTo: report)
        messages = SharedMessageLog(messagesMax: Self.messagesMax, reportingTo: report)
    }

    /// One has looked at the chat: nothing is unread.
    public func markRead() { model.change { $0.unreadCount = 0 } }

    func joined(_ nickname: String, isOneself: Bool) {
        model.change { state in
            if isOneself { state.isJoined = true }
            if !state.members.contains(nickname) { state.members.append(nickname) }
        }
    }

    func left(_ nickname: String, isOneself: Bool) {
        model.change { state in
            if isOneself {
                state.isJoined = false
                // Who comes and goes is not told to those who are not in it.
                state.members = []
            }
            state.members.removeAll { $0 == nickname }
        }
    }

    /// A message that came now.
    func received(_ said: Said, isOneself: Bool) {
        guard messages.insert(said).isInserted else { return }
        model.change { state in
            if !isOneself { state.unreadCount += 1 }
            state.last = messages.last
        }
    }

    /// A message of the chat's history: it has the server's time, and takes the place of the same message
    /// that came before, or of one of one's own whose number was not known.
    func recorded(_ said: Said, isOneself: Bool) {
        if isOneself, messages[id: said.id] == nil,
            let own = messages.messages.first(where: { $0.isOwnUnnumbered && $0.text == said.text })
        {
            messages.remove(id: own.id)
        }
        if messages.replace(said) == nil { messages.insert(said) }
        model.change { $0.last = messages.last }
    }
}

extension Said {
    fileprivate var isOwnUnnumbered: Bool {
        if case .own = id { true } else { false }
    }
}

/// The chats one is in or was in.
public struct ChatList: Sendable {
    /// By number.
    var chats: [Int: Chat] = [:]

    /// How many there are.
    public var count: Int { chats.count }
    /// By rising number.
    public var all: [Chat] { chats.values.sorted { $0.id < $1.id } }
    /// The chat of that number.
    public subscript(number: Int) -> Chat? { chats[number] }
}

/// The chats, for views to follow.
public typealias ChatsModel = ObservedModel<ChatList>
