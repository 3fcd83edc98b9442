import ChatModel

/// What the driver of a machine has to do, in order.
enum ClientAction: Sendable, Equatable {
    /// Ask the router for the account, and connect.
    case connect(ChatAccount)
    case write([UInt8])
    /// Close the connection, or give up making one.
    case close
    /// A request has its answer.
    case finish(RequestID, Result<ChatAnswer, ChatError>)
    case tell(ChatEvent)
    /// Something that nobody waits for went wrong.
    case warn(String)
}

/// A request of the client's user.
struct RequestID: Sendable, Hashable {
    let number: UInt64
}

/// What came of a request, beside that it was carried out.
struct ChatAnswer: Sendable, Equatable {
    var session: ClientSession?
    var people: [ChatPerson] = []
    var records: [ChatMessage] = []
    /// The chats that were opened meanwhile.
    var opened: [LiveChat.Opened] = []
}

/// A request that waits for its answer.
struct PendingRequest: Sendable {
    enum Kind: Sendable, Equatable {
        /// Something that a user asked for, who waits.
        case asked(RequestID)
        /// Something said in a chat, or to one alone, that becomes one's own message.
        case said(RequestID, SaidText)
        /// What the machine does by itself: pings, and entering the chats again.
        case own
    }

    var kind: Kind
    var wireName: String
    /// The fence behind it: with its answer, the request has been dealt with.
    var token: String
    var deadline: Int64
    var refusal: ChatRefusal?
    var answer = ChatAnswer()

    var id: RequestID? {
        switch kind {
        case .asked(let id), .said(let id, _): id
        case .own: nil
        }
    }
}

/// What one has said oneself, for the list of the latest messages.
struct SaidText: Sendable, Equatable {
    /// Nil: to one alone.
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
