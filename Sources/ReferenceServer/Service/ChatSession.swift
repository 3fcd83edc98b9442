package import ChatModel

/// A logged-in client.
package struct ChatSession: Sendable {
    /// Number that is unique during the lifetime of the service, starting at 1.
    package let identifier: Int64
    package internal(set) var nickname: Nickname
    package let isVisitor: Bool
    package let profile: Profile
    /// Login time, in nanoseconds since 1970.
    package let since: Int64
    /// Time of its last message, on the service's clock.
    package internal(set) var lastMessageAt: Int64
    /// Away message; nil if the client is not away.
    package internal(set) var away: [UInt8]?
    /// True if it was pinged but has not answered.
    var isPinged = false
    package internal(set) var chats: [RoomName] = []
    /// Index in the service's list of operators or visitors.
    var index: Int

    /// The user as shown to others.
    package var person: ChatUser {
        ChatUser(nickname.bytes, account: profile.account, host: profile.host)
    }
}
