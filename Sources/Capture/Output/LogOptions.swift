/// Options for the decode log.
package struct LogOptions {
    /// The format of timestamps.
    package enum Times: String, Sendable, CaseIterable {
        /// Time of day in UTC, with a separate line for each new day.
        case clock
        /// Seconds since the first packet.
        case relative
        /// Date and time with nanoseconds.
        case full
    }

    package var times = Times.clock
    package var isColoured = false
    /// Terminal width at which long lines are wrapped; nil disables wrapping.
    package var columns: Int?
    package var showsSecrets = false
    /// Anonymiser that replaces names and addresses; nil to leave them unchanged.
    package var anonymiser: Anonymiser?

    package init() {}
}
