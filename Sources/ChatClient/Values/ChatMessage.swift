public import ChatModel

/// One message: pushed by the server, from a chat's history, or one's own.
public struct ChatMessage: LoggedMessage, Hashable {
    /// What tells a message from all others that a client sees.
    public struct ID: Sendable, Hashable {
        /// Which of the client's logins it belongs to: numbers may start anew with each.
        public var login: Int
        /// The chat; nil for what was said to one alone.
        public var chat: Int?
        /// The message's number; of one's own, which have none from the server, counted downward from -1.
        public var number: Int

        /// An id from its parts.
        public init(login: Int, chat: Int?, number: Int) {
            self.login = login
            self.chat = chat
            self.number = number
        }
    }

    /// What tells it from all others.
    public var id: ID
    /// When it was said, by the server's clock in a history, else when it came or was sent: nanoseconds since
    /// 1970.
    public var time: Int64
    /// Who said it.
    public var sender: String
    /// What was said or shown.
    public var content: MessageContent
    /// Whether only operators see it.
    public var isHidden: Bool
    /// Whether it is one's own.
    public var isOwn: Bool

    /// The text; of an image or a voice, nothing.
    public var text: String {
        switch content {
        case .text(let text), .hint(let text): text
        case .image, .voice: ""
        }
    }

    /// The chat in which it was said; nil for what was said to one alone.
    public var chat: Int? { id.chat }

    /// A message from its parts.
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
