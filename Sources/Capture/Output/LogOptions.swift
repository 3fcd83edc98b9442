/// How a log for people looks.
package struct LogOptions {
    /// How times are shown.
    package enum Times: String, Sendable, CaseIterable {
        /// The time of day in UTC, with a line where a day begins.
        case clock
        /// Seconds since the first packet.
        case relative
        /// Date and time with nanoseconds.
        case full
    }

    /// How times are shown.
    package var times = Times.clock
    /// Whether colours are used.
    package var isColoured = false
    /// The columns of the terminal, into which long lines are broken; nil: they are not.
    package var columns: Int?
    /// Whether secrets are shown.
    package var showsSecrets = false
    /// Replaces names and addresses; nil: they stand as they are.
    package var anonymiser: Anonymiser?

    /// The time of day, no colours, no breaks, secrets masked.
    package init() {}
}
