package import ChatModel

/// The session of a logged-in client.
package struct ChatSession: Sendable {
    /// Session number, starting at 1 and unique during the lifetime of the service.
    package let identifier: Int64
    package internal(set) var nickname: Nickname
    package let isVisitor: Bool
    package internal(set) var profile: Profile
    /// Login time, in nanoseconds since 1970.
    package let since: Int64
    /// Time of the client's last message, on the service's clock.
    package internal(set) var lastMessageAt: Int64
    /// Away message; nil if the client is not away.
    package internal(set) var away: [UInt8]?
    /// True if the client was pinged and has not answered yet.
    var isPinged = false
    /// True if a fault ignored the last keepalive. The fault counts only if the session then expires,
    /// because until then it makes no difference.
    private(set) var isKeepaliveIgnored = false
    package internal(set) var chats: [RoomName] = []
    /// Index of the session in the service's list of operators or visitors.
    var index: Int

    /// Records a keepalive. Returns false if a fault ignores it.
    mutating func keepAlive(_ faults: FaultInjector) -> Bool {
        isKeepaliveIgnored = faults.isArmed && faults.wouldInject(.keepaliveIgnored)
        if !isKeepaliveIgnored { isPinged = false }
        return !isKeepaliveIgnored
    }

    /// The user as shown to others.
    package var person: ChatUser {
        ChatUser(nickname.bytes, account: profile.account, host: profile.host)
    }
}
