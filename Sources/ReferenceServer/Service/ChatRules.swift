package import ChatModel
package import LineProtocol

/// Limits, timeouts and policies of the service.
package struct ChatRules: Sendable {
    /// Maximum number of connections at a time, whether logged in or not.
    package var connectionsMax = 50_000
    /// Maximum number of connections from one address; nil for no limit.
    package var connectionsPerAddressMax: Int?
    /// Maximum number of chats at a time. A chat and its history are deleted when the last member
    /// leaves.
    package var chatsMax = 16_384
    /// Maximum number of chats that a session may be in.
    package var chatsPerSessionMax = 64
    package var names = NameRules()
    /// Maximum number of records kept per chat; the oldest are dropped first.
    package var historyRecordsMax = 512
    /// Time without a ping after which a session expires, in nanoseconds; nil if sessions never
    /// expire.
    package var expiresAfter: Int64?
    /// True if a session is pinged after it has been silent for half of `expiresAfter`.
    package var pingsBeforeExpiry = false
    /// Time within which a client must log in, in nanoseconds; nil for no limit.
    package var loginWithin: Int64?
    /// True if any line keeps a session alive, rather than only a ping.
    package var anyLineKeepsAlive = false
    /// Rate limit per connection; nil for none.
    package var rate: RateLimit?
    /// Password that is required to log in; nil to accept any.
    package var password: [UInt8]?
    package var presence = Presence.all
    /// Policy for a login with a name that is in use.
    package var secondLogin = SecondLogin.refuse
    /// True if messages are echoed to their sender.
    package var echoes = false
    /// Flags of a new room.
    package var roomFlags: RoomFlags = [.membersOnly]
    /// True if the creator of a room becomes its operator.
    package var foundersAreOperators = false
    /// Offset of Unix time from the service's clock, in nanoseconds.
    package var wallClockOffset: Int64 = 0

    package init(timing: Timing = Timing()) {
        expiresAfter = timing.expiresAfter
        loginWithin = timing.loginWithin
    }

    /// The clients that are notified of logins and logouts.
    package enum Presence: Sendable, Hashable {
        /// All sessions, but only operators are notified of visitors. The rooms that the session
        /// was in are notified as well.
        ///
        /// The number of lines grows with the square of the number of sessions, so choose a smaller
        /// audience for many thousands of sessions.
        case all
        /// Only the rooms that the session was in.
        case rooms
        /// Sessions that share a room with it. Each of them is notified once.
        case peers
    }

    package enum SecondLogin: Sendable, Hashable {
        case refuse
        /// End the older session.
        case replace
    }
}
