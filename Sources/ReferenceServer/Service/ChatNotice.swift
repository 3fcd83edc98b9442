package import ChatModel

/// What the service tells a client.
package enum ChatNotice: Sendable, Hashable {
    // Answers.
    case loggedIn(identifier: Int64, nickname: [UInt8])
    case refused(RefusedCommand, Refusal)
    case pong(token: [UInt8])
    /// A question that has to be answered, or the session ends.
    case areYouThere
    case listed(identifier: Int64, nickname: [UInt8], isVisitor: Bool)
    case whoEnd(count: Int)
    case record(ChatRecord, chat: RoomName)
    case historyEnd(chat: RoomName, count: Int)
    /// The last line before the connection is closed.
    case loggedOut(DisconnectReason)
    // Talk.
    case message(ChatRecord, chat: RoomName)
    case privateMessage(
        identifier: Int64, text: [UInt8], sender: Person, kind: TalkKind = .talk)
    case actionDone(chat: RoomName, sender: Person, action: [UInt8])
    // Rooms.
    case opened(chat: RoomName, scene: [UInt8], members: [[UInt8]])
    /// The chat is over, for everybody.
    case ended(chat: RoomName, reason: String)
    case joined(chat: RoomName, person: Person)
    case left(chat: RoomName, person: Person, reason: [UInt8] = [])
    case topicChanged(chat: RoomName, person: Person, [UInt8])
    case kicked(chat: RoomName, person: Person, victim: [UInt8], reason: [UInt8])
    case invited(chat: RoomName, person: Person)
    case changed(chat: RoomName, person: Person, [RoomChange])
    // Presence, told to everybody.
    case operatorLoggedIn(identifier: Int64, nickname: [UInt8])
    case operatorLoggedOut(identifier: Int64, nickname: [UInt8], reason: String)
    case visitorArrived(identifier: Int64, nickname: [UInt8])
    case visitorLeft(identifier: Int64, nickname: [UInt8], reason: String)
    // Presence, told to those in the same rooms.
    case renamed(person: Person, to: [UInt8])
    case departed(person: Person, DisconnectReason)
    case awayChanged(person: Person, [UInt8]?)
    case goingDown(seconds: Int64, reason: String)
}

extension ChatNotice {
    /// Whether it carries what somebody said.
    package var isTalk: Bool {
        switch self {
        case .message, .privateMessage, .actionDone: true
        default: false
        }
    }
}

/// One message of a chat, as it is relayed and as history keeps it.
package struct ChatRecord: Sendable, Hashable {
    /// Rising in each chat, from 1.
    package var identifier: Int64
    /// Nanoseconds since 1970.
    package var time: Int64
    package var text: [UInt8]
    package var sender: Person
    /// Whether visitors do not see it.
    package var isHidden: Bool
    package var kind: TalkKind
    /// What it is made of; where it is no text, `text` has its bytes.
    package var content: ContentType
    /// Of an image or a voice, such as `image/png`.
    package var format: [UInt8]

    package init(
        identifier: Int64, time: Int64, text: [UInt8], sender: Person, isHidden: Bool,
        kind: TalkKind = .talk, content: ContentType = .text, format: [UInt8] = []
    ) {
        self.identifier = identifier
        self.time = time
        self.text = text
        self.sender = sender
        self.isHidden = isHidden
        self.kind = kind
        self.content = content
        self.format = format
    }
}
