public import ChatModel

/// A message in a chat: received live, read from the chat's history, or sent by the user.
public struct ChatMessage: LoggedMessage, Hashable {
    /// Unique identifier of a message among all messages that a client receives.
    public struct ID: Sendable, Hashable {
        /// Login number at the time of receipt. Message numbers may restart with each login.
        public var login: Int
        /// The chat's number; nil for a private message.
        public var chat: Int?
        /// The number assigned by the server. Messages sent by the user have negative numbers
        /// instead, counting down from -1.
        public var number: Int

        /// Creates an id from its parts.
        public init(login: Int, chat: Int?, number: Int) {
            self.login = login
            self.chat = chat
            self.number = number
        }
    }

    /// The id, which is unique among all messages of the client.
    public var id: ID
    /// Time of sending, in nanoseconds since 1970. For messages from a history, this is the
    /// server's time; otherwise, it is the local time of receipt or sending.
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

    /// The chat's number; nil for a private message.
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
