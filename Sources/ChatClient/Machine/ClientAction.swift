import ChatModel

/// An action for the driver to carry out, in order.
enum ClientAction: Sendable, Equatable {
    /// Ask the router for a server and connect.
    case connect(ChatAccount)
    case write([UInt8])
    /// Close the connection or stop connecting.
    case close
    /// Complete a request.
    case finish(RequestID, Result<ChatAnswer, ChatError>)
    case emit(ChatEvent)
    /// Log a failure that no request is waiting for.
    case warn(String)
}

struct RequestID: Sendable, Hashable {
    let number: UInt64
}

/// Data returned by a successful request.
struct ChatAnswer: Sendable, Equatable {
    var session: ClientSession?
    var people: [ChatPerson] = []
    var records: [ChatMessage] = []
    /// Chats opened in the meantime.
    var opened: [LiveChat.Opened] = []
}

struct PendingRequest: Sendable {
    enum Kind: Sendable, Equatable {
        /// A command whose caller waits for the result.
        case command(RequestID)
        /// A message to a chat or user, which is recorded as the user's own.
        case message(RequestID, OwnMessage)
        /// The machine's own request: a ping, a user list or a rejoin.
        case own
    }

    var kind: Kind
    var wireName: String
    /// Token of the ping sent after the request. When that ping is answered, the request has been
    /// processed.
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

/// One of the user's own messages, for the log of latest messages.
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
