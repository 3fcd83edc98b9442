package import ChatModel
package import LineProtocol

/// The service's maxima, times and manners.
package struct ChatRules: Sendable {
    /// How many connections there may be at once, logged in or not.
    package var connectionsMax = 50_000
    /// How many of them from one address; nil: as many as like.
    package var connectionsPerAddressMax: Int?
    /// How many chats there may be at once. One that nobody is in is gone, with its history.
    package var chatsMax = 16_384
    /// How many chats one session may be in.
    package var chatsPerSessionMax = 64
    package var names = NameRules()
    /// How many records a chat keeps; the oldest is dropped first.
    package var historyRecordsMax = 512
    /// After how long without a ping a session ends, in nanoseconds; nil: never.
    package var expiresAfter: Int64?
    /// Whether a silent session is asked for a sign of life after half of that time.
    package var asksBeforeExpiry = false
    /// How long a connection may stay without a login, in nanoseconds; nil: for ever.
    package var loginWithin: Int64?
    /// Whether any line keeps a session alive, or only a ping.
    package var anyLineKeepsAlive = false
    /// How fast one connection may send; nil: as it likes.
    package var rate: RateLimit?
    /// What every login has to give; nil: any password will do.
    package var password: [UInt8]?
    package var presence = Presence.everybody
    /// What becomes of a login under a name that is in use.
    package var secondLogin = SecondLogin.refuse
    /// Whether who says something in a room hears it too.
    package var echoes = false
    /// How a new room is set.
    package var roomFlags: RoomFlags = [.membersOnly]
    /// Whether who makes a room is its operator.
    package var foundersAreOperators = false
    /// What is added to the service's time to get nanoseconds since 1970.
    package var wallClockOffset: Int64 = 0

    package init(timing: Timing = Timing()) {
        expiresAfter = timing.expiresAfter
        loginWithin = timing.loginWithin
    }

    /// Who is told of logins and logouts.
    package enum Presence: Sendable, Hashable {
        /// Everybody, of a visitor only operators, and the rooms it was in besides.
        ///
        /// The lines grow with the square of the sessions; with many thousands it is wise to choose less.
        case everybody
        /// The rooms it was in.
        case rooms
        /// Who shares a room with it, once however many they share.
        case peers
    }

    package enum SecondLogin: Sendable, Hashable {
        case refuse
        /// The older session ends.
        case replace
    }
}
