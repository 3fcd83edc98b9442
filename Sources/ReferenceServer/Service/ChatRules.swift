package import ChatModel
package import LineProtocol

/// Limits, timeouts and policies of the service.
package struct ChatRules: Sendable {
    /// Most simultaneous connections, logged in or not.
    package var connectionsMax = 50_000
    /// Most connections from one address; nil for no limit.
    package var connectionsPerAddressMax: Int?
    /// Most simultaneous chats. A chat is deleted with its history when its last member leaves.
    package var chatsMax = 16_384
    /// Most chats that one session may be in.
    package var chatsPerSessionMax = 64
    package var names = NameRules()
    /// Most records kept per chat; the oldest is dropped first.
    package var historyRecordsMax = 512
    /// Time without a ping after which a session expires, in nanoseconds; nil for never.
    package var expiresAfter: Int64?
    /// True if a silent session is pinged after half of `expiresAfter`.
    package var pingsBeforeExpiry = false
    /// Time within which a connection must log in, in nanoseconds; nil for no limit.
    package var loginWithin: Int64?
    /// True if any line keeps a session alive, not only a ping.
    package var anyLineKeepsAlive = false
    /// Rate limit per connection; nil for none.
    package var rate: RateLimit?
    /// Password required to log in; nil accepts any.
    package var password: [UInt8]?
    package var presence = Presence.all
    /// Policy for a login under a name in use.
    package var secondLogin = SecondLogin.refuse
    /// True if messages are echoed to their sender.
    package var echoes = false
    /// Settings of a new room.
    package var roomFlags: RoomFlags = [.membersOnly]
    /// True if the creator of a room becomes its operator.
    package var foundersAreOperators = false
    /// Offset from the service's clock to Unix time, in nanoseconds.
    package var wallClockOffset: Int64 = 0

    package init(timing: Timing = Timing()) {
        expiresAfter = timing.expiresAfter
        loginWithin = timing.loginWithin
    }

    /// Audience of login and logout notices.
    package enum Presence: Sendable, Hashable {
        /// All sessions, except that only operators are notified of visitors; also the rooms the
        /// session was in.
        ///
        /// The number of lines grows with the square of the sessions, so choose a smaller audience
        /// for many thousands.
        case all
        /// Only the rooms the session was in.
        case rooms
        /// Sessions that share a room with it; each is notified once.
        case peers
    }

    package enum SecondLogin: Sendable, Hashable {
        case refuse
        /// End the older session.
        case replace
    }
}
