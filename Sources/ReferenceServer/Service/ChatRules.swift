package import ChatModel
package import LineProtocol

/// Limits, timeouts and policies of the chat service.
package struct ChatRules: Sendable {
    /// Maximum number of simultaneous connections, logged in or not.
    package var connectionsMax = 50_000
    /// Maximum number of simultaneous connections from one address; nil for no limit.
    package var connectionsPerAddressMax: Int?
    /// Maximum number of chats that exist at the same time. A chat and its history are deleted when
    /// the last member leaves.
    package var chatsMax = 16_384
    /// Maximum number of chats that a session may be in at the same time.
    package var chatsPerSessionMax = 64
    package var names = NameRules()
    /// Maximum number of records kept per chat. The oldest are dropped first.
    package var historyRecordsMax = 512
    /// Time without a ping after which a session expires, in nanoseconds; nil if sessions never
    /// expire.
    package var expiresAfter: Int64?
    /// True if a session is pinged after being silent for half of `expiresAfter`.
    package var pingsBeforeExpiry = false
    /// Time within which a client must log in after connecting, in nanoseconds; nil for no limit.
    package var loginWithin: Int64?
    /// True if any line keeps a session alive, rather than only a ping.
    package var anyLineKeepsAlive = false
    /// Rate limit per connection; nil for no limit.
    package var rate: RateLimit?
    /// Password required to log in; nil to accept any password.
    package var password: [UInt8]?
    package var presence = Presence.all
    /// Policy for logins with a name that is in use.
    package var secondLogin = SecondLogin.refuse
    /// True if messages are echoed to their sender.
    package var echoes = false
    /// Flags of a new room.
    package var roomFlags: RoomFlags = [.membersOnly]
    /// Maximum number of entries in each of a room's lists of masks.
    package var masksMax = 100
    /// Account passwords by account name, for protocols that have accounts.
    package var accounts: [[UInt8]: [UInt8]] = [:]
    /// True if a room's creator becomes its operator.
    package var foundersAreOperators = false
    /// Difference between Unix time and the service's clock, in nanoseconds.
    package var wallClockOffset: Int64 = 0

    package init(timing: Timing = Timing()) {
        expiresAfter = timing.expiresAfter
        loginWithin = timing.loginWithin
    }

    /// The clients that are notified of a login or logout.
    package enum Presence: Sendable, Hashable {
        /// All sessions, and the rooms that the session was in. Only operators are notified of
        /// visitors.
        ///
        /// The number of lines grows with the square of the number of sessions. With many thousands
        /// of sessions, choose a smaller audience.
        case all
        /// Only members of the rooms that the session was in.
        case rooms
        /// Sessions that share a room with the session. Each is notified once, even if it shares
        /// several rooms.
        case peers
    }

    /// Policy for logins with a name that is in use.
    package enum SecondLogin: Sendable, Hashable {
        case refuse
        /// Ends the older session.
        case replace
    }
}
