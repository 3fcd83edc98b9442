/// What a client asks of the hall. Text is bytes: it is relayed as it came.
package enum ChatRequest: Sendable, Hashable {
    case login(nickname: [UInt8], password: [UInt8], isVisitor: Bool)
    case logout
    case ping(token: [UInt8])
    /// `from` is the sender's own identifier, or 0.
    case say(from: Int64, chat: Int64, text: [UInt8], isHidden: Bool)
    case join(chat: Int64)
    case leave(chat: Int64)
    case sayPrivately(to: [UInt8], text: [UInt8])
    /// Chat 0 is everywhere.
    case who(chat: Int64)
    case history(chat: Int64, count: Int64)
    case runAction(chat: Int64, action: [UInt8])
    /// A line that is no request: the codec says why.
    case unreadable(RefusedCommand, Refusal)
}

/// The commands of a client, by their message names in the dialect.
package enum ChatVerb: String, Sendable, Hashable, CaseIterable {
    case login, logout, ping, sendMessage, sendHidden, join, leave, sendPrivate, who, history
    case runAction
}
