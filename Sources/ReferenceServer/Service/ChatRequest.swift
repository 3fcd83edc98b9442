package import ChatModel

/// A client's request to the service. Text is kept as bytes and relayed unchanged.
package enum ChatRequest: Sendable, Hashable {
    case login(
        nickname: [UInt8], password: [UInt8], isVisitor: Bool, profile: Profile = Profile())
    case logout
    /// Logs out, with a reason that is shown to others.
    case quit(reason: [UInt8])
    case ping(token: [UInt8])
    case rename(to: [UInt8])
    /// Sets the away message; nil means that the client is back.
    case away([UInt8]?)
    /// Sends a message. `from` is the sender's own identifier, or 0.
    case say(
        from: Int64, chat: RoomName, text: [UInt8], isHidden: Bool, kind: TextKind = .message,
        tags: [UInt8] = [])
    case sayPrivately(
        to: [UInt8], text: [UInt8], kind: TextKind = .message, tags: [UInt8] = [])
    case join(chat: RoomName, key: [UInt8] = [])
    case leave(chat: RoomName, reason: [UInt8] = [])
    case topic(chat: RoomName, [UInt8])
    case kick(chat: RoomName, nickname: [UInt8], reason: [UInt8])
    case invite(chat: RoomName, nickname: [UInt8])
    case change(chat: RoomName, [RoomChange])
    /// Lists the members of a chat, or all sessions for chat 0.
    case who(chat: RoomName)
    case history(chat: RoomName, count: Int64)
    case runAction(chat: RoomName, action: [UInt8])
    /// Opens a chat with the given scene and other members.
    case open(scene: [UInt8], members: [[UInt8]])
    /// Sends a message with non-text content.
    case sendContent(chat: RoomName, ContentType, format: [UInt8], data: [UInt8])
    /// A line that is not a valid request, with the reason from the codec.
    case unreadable(RefusedCommand, Refusal)
}

/// Kind of text message, which determines whether it may be answered.
package enum TextKind: Sendable, Hashable {
    case message
    /// A message that must never be answered automatically, not even with a refusal (RFC 1459
    /// §4.4.2).
    case notice
    /// A message that consists only of tags.
    case tagsOnly
}

/// A command that clients can send to the service.
package enum ChatVerb: String, Sendable, Hashable, CaseIterable {
    case login, logout, ping, sendMessage, sendHidden, join, leave, sendPrivate, who, history
    case runAction, open, sendContent
    case rename, away, topic, kick, invite, change
}

extension ChatRequest {
    /// The command that a refusal of this request refers to.
    var command: RefusedCommand {
        switch self {
        case .login: .verb(.login)
        case .logout, .quit: .verb(.logout)
        case .ping: .verb(.ping)
        case .rename: .verb(.rename)
        case .away: .verb(.away)
        case .say(_, _, _, let isHidden, _, _): .verb(isHidden ? .sendHidden : .sendMessage)
        case .join: .verb(.join)
        case .leave: .verb(.leave)
        case .topic: .verb(.topic)
        case .kick: .verb(.kick)
        case .invite: .verb(.invite)
        case .change: .verb(.change)
        case .sayPrivately: .verb(.sendPrivate)
        case .who: .verb(.who)
        case .history: .verb(.history)
        case .runAction: .verb(.runAction)
        case .open: .verb(.open)
        case .sendContent: .verb(.sendContent)
        case .unreadable(let command, _): command
        }
    }
}
