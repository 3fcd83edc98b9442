/// Options for the decode log.
package struct LogOptions {
    /// Format of timestamps.
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
    /// Terminal width for wrapping long lines; nil to disable wrapping.
    package var columns: Int?
    package var showsSecrets = false
    /// Receives the secrets of masked lines; nil to ignore them.
    package var secrets: SecretFinder?
    /// Anonymiser for names and addresses; nil to leave them unchanged.
    package var anonymiser: Anonymiser?

    package init() {}
}
