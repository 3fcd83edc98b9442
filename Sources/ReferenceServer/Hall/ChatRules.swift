package import LineProtocol

/// The hall's maxima and times.
package struct ChatRules: Sendable {
    /// How many connections there may be at once, logged in or not.
    package var connectionsMax = 50_000
    /// How many chats there may be at once. One that nobody is in is gone, with its history.
    package var chatsMax = 16_384
    /// How many chats one session may be in.
    package var chatsPerSessionMax = 64
    package var nicknameBytesMax = 64
    /// How many records a chat keeps; the oldest is dropped first.
    package var historyRecordsMax = 512
    /// After how long without a ping a session ends, in nanoseconds; nil: never.
    package var expiresAfter: Int64?
    /// How long a connection may stay without a login, in nanoseconds; nil: for ever.
    package var loginWithin: Int64?
    /// What every login has to give; nil: any password will do.
    package var password: [UInt8]?
    /// Whether logins and logouts are told to those who share no chat with whom they are about.
    ///
    /// The lines grow with the square of the sessions; with many thousands it is wise to turn it off.
    package var announcesPresence = true
    /// What is added to the hall's time to get nanoseconds since 1970.
    package var wallClockOffset: Int64 = 0

    package init(timing: Timing = Timing()) {
        expiresAfter = timing.expiresAfter
        loginWithin = timing.loginWithin
    }
}
