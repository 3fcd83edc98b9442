/// What the hall tells a client.
package enum ChatNotice: Sendable, Hashable {
    // Answers.
    case loggedIn(identifier: Int64, nickname: [UInt8])
    case refused(RefusedCommand, Refusal)
    case pong(token: [UInt8])
    case listed(identifier: Int64, nickname: [UInt8], isVisitor: Bool)
    case whoEnd(count: Int)
    case record(ChatRecord, chat: Int64)
    case historyEnd(chat: Int64, count: Int)
    case loggedOut(reason: String)
    // Events.
    case message(ChatRecord, chat: Int64)
    case joined(chat: Int64, nickname: [UInt8])
    case left(chat: Int64, nickname: [UInt8])
    case privateMessage(identifier: Int64, text: [UInt8], sender: [UInt8])
    case operatorLoggedIn(identifier: Int64, nickname: [UInt8])
    case operatorLoggedOut(identifier: Int64, nickname: [UInt8], reason: String)
    case visitorArrived(identifier: Int64, nickname: [UInt8])
    case visitorLeft(identifier: Int64, nickname: [UInt8], reason: String)
    case actionDone(chat: Int64, sender: [UInt8], action: [UInt8])
    case goingDown(seconds: Int64, reason: String)
}

/// One message of a chat, as it is relayed and as history keeps it.
package struct ChatRecord: Sendable, Hashable {
    /// Rising in each chat, from 1.
    package var identifier: Int64
    /// Nanoseconds since 1970.
    package var time: Int64
    package var text: [UInt8]
    /// The sender's nickname.
    package var sender: [UInt8]
    /// Whether visitors do not see it.
    package var isHidden: Bool

    package init(
        identifier: Int64, time: Int64, text: [UInt8], sender: [UInt8], isHidden: Bool
    ) {
        self.identifier = identifier
        self.time = time
        self.text = text
        self.sender = sender
        self.isHidden = isHidden
    }
}
