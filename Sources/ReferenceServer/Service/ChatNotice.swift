package import ChatModel

/// A message from the service to clients.
package enum ChatNotice: Sendable, Hashable {
    // Answers
    case loggedIn(identifier: Int64, nickname: [UInt8])
    case refused(RefusedCommand, Refusal)
    case pong(token: [UInt8])
    /// A ping. The session expires if the client does not answer it.
    case keepalivePing
    case listed(identifier: Int64, nickname: [UInt8], isVisitor: Bool)
    case whoEnd(count: Int)
    case record(ChatRecord, chat: RoomName)
    case historyEnd(chat: RoomName, count: Int)
    /// The last line before the connection is closed.
    case loggedOut(DisconnectReason)
    // Messages
    case message(ChatRecord, chat: RoomName)
    case privateMessage(
        identifier: Int64, text: [UInt8], sender: ChatUser, kind: TextKind = .message,
        tags: [UInt8] = [])
    case actionDone(chat: RoomName, sender: ChatUser, action: [UInt8])
    // Rooms
    case opened(chat: RoomName, scene: [UInt8], members: [[UInt8]])
    /// The chat was closed for all members.
    case ended(chat: RoomName, reason: String)
    case joined(chat: RoomName, person: ChatUser)
    case left(chat: RoomName, person: ChatUser, reason: [UInt8] = [])
    case topicChanged(chat: RoomName, person: ChatUser, [UInt8])
    case kicked(chat: RoomName, person: ChatUser, victim: [UInt8], reason: [UInt8])
    case invited(chat: RoomName, person: ChatUser)
    /// Another user was invited.
    case guestInvited(chat: RoomName, person: ChatUser, guest: [UInt8])
    case changed(chat: RoomName, person: ChatUser, [RoomChange])
    // Presence, sent to every session
    case operatorLoggedIn(identifier: Int64, nickname: [UInt8])
    case operatorLoggedOut(identifier: Int64, nickname: [UInt8], reason: String)
    case visitorArrived(identifier: Int64, nickname: [UInt8])
    case visitorLeft(identifier: Int64, nickname: [UInt8], reason: String)
    // Presence, sent to members of the same rooms
    case renamed(person: ChatUser, to: [UInt8])
    case departed(person: ChatUser, DisconnectReason)
    case awayChanged(person: ChatUser, [UInt8]?)
    case realNameChanged(person: ChatUser, [UInt8])
    /// The user has logged in to an account.
    case accountChanged(person: ChatUser, account: [UInt8])
    case goingDown(seconds: Int64, reason: String)
}

extension ChatNotice {
    /// True if the notice is a chat message.
    package var isMessage: Bool {
        switch self {
        case .message, .privateMessage, .actionDone: true
        default: false
        }
    }
}

/// A chat message as relayed and as kept in the history.
package struct ChatRecord: Sendable, Hashable {
    /// Message number. In each chat, numbers start at 1 and increase.
    package var identifier: Int64
    /// Time in nanoseconds since 1970.
    package var time: Int64
    package var text: [UInt8]
    package var sender: ChatUser
    /// True if the message is hidden from visitors.
    package var isHidden: Bool
    package var kind: TextKind
    /// Content type. For types other than text, `text` contains the raw bytes.
    package var content: ContentType
    /// Format of an image or voice message, such as `image/png`.
    package var format: [UInt8]
    /// Tags as encoded by the protocol adapter; empty if there are none.
    package var tags: [UInt8]

    package init(
        identifier: Int64, time: Int64, text: [UInt8], sender: ChatUser, isHidden: Bool,
        kind: TextKind = .message, content: ContentType = .text, format: [UInt8] = [],
        tags: [UInt8] = []
    ) {
        self.identifier = identifier
        self.time = time
        self.text = text
        self.sender = sender
        self.isHidden = isHidden
        self.kind = kind
        self.content = content
        self.format = format
        self.tags = tags
    }
}
