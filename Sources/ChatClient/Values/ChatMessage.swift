public import ChatModel

/// A message that was received live, comes from a chat's history, or was sent by the user.
public struct ChatMessage: LoggedMessage, Hashable {
    /// Identifies a message among all messages that a client receives.
    public struct ID: Sendable, Hashable {
        /// The number of the client's login. Message numbers may restart with each login.
        public var login: Int
        /// The chat; nil for a private message.
        public var chat: Int?
        /// The number assigned by the server. The user's own messages have negative numbers,
        /// counting down from -1.
        public var number: Int

        /// Creates an id from its parts.
        public init(login: Int, chat: Int?, number: Int) {
            self.login = login
            self.chat = chat
            self.number = number
        }
    }

    /// Unique among all messages of the client.
    public var id: ID
    /// Time of sending, in nanoseconds since 1970: the server's time for messages from a history,
    /// otherwise the local time of receiving or sending.
    public var time: Int64
    /// The sender's nickname.
    public var sender: String
    /// The content.
    public var content: MessageContent
    /// True if only operators can see the message.
    public var isHidden: Bool
    /// True if the user sent the message.
    public var isOwn: Bool

    /// The text; empty for an image or a voice message.
    public var text: String {
        switch content {
        case .text(let text), .hint(let text): text
        case .image, .voice: ""
        }
    }

    /// The chat; nil for a private message.
    public var chat: Int? { id.chat }

    /// Creates a message from its parts; `time` is in nanoseconds since 1970.
    public init(
        id: ID, time: Int64, sender: String, content: MessageContent, isHidden: Bool = false,
        isOwn: Bool = false
    ) {
        self.id = id
        self.time = time
        self.sender = sender
        self.content = content
        self.isHidden = isHidden
        self.isOwn = isOwn
    }
}
