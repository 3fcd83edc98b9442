/// A message in a chat on a ``SupportDesk``.
public struct DeskMessage: LoggedMessage, Hashable {
    /// Identifier of a message within its chat.
    public enum ID: Sendable, Hashable {
        /// The id assigned by the server.
        case number(Int)
        /// A local id for a message sent by the user, until its server id is known.
        case own(Int)
    }

    /// Unique within the chat.
    public var id: ID
    /// Time of sending, in nanoseconds since 1970; if that is unknown, the time of receipt.
    public var time: Int64
    /// The sender's nickname.
    public var sender: String
    /// The message text.
    public var text: String
    /// True if only operators can see the message.
    public var isHidden: Bool

    /// Creates a message from its parts; `time` is in nanoseconds since 1970.
    public init(id: ID, time: Int64, sender: String, text: String, isHidden: Bool = false) {
        self.id = id
        self.time = time
        self.sender = sender
        self.text = text
        self.isHidden = isHidden
    }
}

/// The state of a chat, apart from its messages.
public struct ChatState: Sendable, Hashable {
    /// Nicknames of the members in join order, including the user's own.
    public internal(set) var members: [String] = []
    /// True if the user is in the chat.
    public internal(set) var isJoined = false
    /// Number of messages from other users received since the last call to ``Chat/markRead()``.
    public internal(set) var unreadCount = 0
    /// The most recent message; nil if there is none.
    public internal(set) var last: DeskMessage?
}

/// A chat that the user is or was in: its observable state and its messages.
public final class Chat: Sendable, Identifiable {
    /// Maximum number of messages that a chat keeps.
    public static let messagesMax = 512

    /// The chat's number.
    public let id: Int
    /// The observable state.
    public let model: ObservedModel<ChatState>
    /// The messages.
    public let messages: SharedMessageLog<DeskMessage>

    init(id: Int, reportingTo report: @escaping @Sendable (MulticastReport) -> Void) {
        self.id = id
        model = ObservedModel(ChatState(), reportingTo: report)
        messages = SharedMessageLog(messagesMax: Self.messagesMax, reportingTo: report)
    }

    /// Marks all messages as read.
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
                // The server announces joins and leaves only to members, so the list would become
                // outdated.
                state.members = []
            }
            state.members.removeAll { $0 == nickname }
        }
    }

    /// Adds a message that was just received.
    func received(_ message: DeskMessage, isOneself: Bool) {
        guard messages.insert(message).isInserted else { return }
        model.change { state in
            if !isOneself { state.unreadCount += 1 }
            state.last = messages.last
        }
    }

    /// Adds a message from the chat's history, with the server's time. It replaces the copy
    /// received live, or the user's own copy, whose server id was not known yet.
    func merge(_ message: DeskMessage, isOneself: Bool) {
        if isOneself, messages[id: message.id] == nil,
            let own = messages.messages.first(where: {
                $0.isOwnUnnumbered && $0.text == message.text
            })
        {
            messages.remove(id: own.id)
        }
        if messages.replace(message) == nil { messages.insert(message) }
        model.change { $0.last = messages.last }
    }
}

extension DeskMessage {
    fileprivate var isOwnUnnumbered: Bool {
        if case .own = id { true } else { false }
    }
}

/// The chats that the user is or was in.
public struct ChatList: Sendable {
    var chats: [Int: Chat] = [:]

    /// Number of chats.
    public var count: Int { chats.count }
    /// All chats, sorted by number.
    public var all: [Chat] { chats.values.sorted { $0.id < $1.id } }
    /// The chat with this number; nil if there is none.
    public subscript(number: Int) -> Chat? { chats[number] }
}

/// The chats, as an observable model.
public typealias ChatsModel = ObservedModel<ChatList>
