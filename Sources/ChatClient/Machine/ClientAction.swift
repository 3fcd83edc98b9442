import ChatModel

/// An action for the driver to carry out. Actions must be carried out in order.
enum ClientAction: Sendable, Equatable {
    /// Get a server from the router and connect to it.
    case connect(ChatAccount)
    case write([UInt8])
    /// Close the connection or stop connecting.
    case close
    /// Complete a request.
    case finish(RequestID, Result<ChatAnswer, ChatError>)
    case emit(ChatEvent)
    /// Log a warning, or a failure that no request is waiting for.
    case warn(String)
}

/// Identifier of a client's request.
struct RequestID: Sendable, Hashable {
    let number: UInt64
}

/// The data that a successful request returns.
struct ChatAnswer: Sendable, Equatable {
    var session: ClientSession?
    var people: [ChatPerson] = []
    var records: [ChatMessage] = []
    /// The chats that were opened while the request was in progress.
    var opened: [LiveChat.Opened] = []
}

/// A request that the server has not completed yet.
struct PendingRequest: Sendable {
    /// Origin of a pending request: a caller or the machine itself.
    enum Kind: Sendable, Equatable {
        /// A command whose caller waits for the result.
        case command(RequestID)
        /// A message to a chat or a user. It is recorded as one of the user's own messages.
        case message(RequestID, OwnMessage)
        /// The machine's own request: a ping, a user list or a rejoin.
        case own
    }

    var kind: Kind
    var wireName: String
    /// Token of the ping that follows the request. When the server has answered that ping, it has
    /// processed the request.
    var token: String
    var deadline: Int64
    var refusal: ChatRefusal?
    var answer = ChatAnswer()

    var id: RequestID? {
        switch kind {
        case .command(let id), .message(let id, _): id
        case .own: nil
        }
    }
}

/// One of the user's own messages, to be added to the log of latest messages.
struct OwnMessage: Sendable, Equatable {
    /// The chat's number; nil for a private message.
    var chat: Int?
    var content: MessageContent
    var isHidden = false

    init(chat: Int? = nil, text: String, isHidden: Bool = false) {
        self.init(chat: chat, .text(text), isHidden: isHidden)
    }

    init(chat: Int?, _ content: MessageContent, isHidden: Bool = false) {
        self.chat = chat
        self.content = content
        self.isHidden = isHidden
    }
}
