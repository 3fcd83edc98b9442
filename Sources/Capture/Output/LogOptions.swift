/// How a log for people looks.
public struct LogOptions {
    /// How times are shown.
    public enum Times: String, Sendable, CaseIterable {
        /// The time of day in UTC, with a line where a day begins.
        case clock
        /// Seconds since the first packet.
        case relative
        /// Date and time with nanoseconds.
        case full
    }

    /// How times are shown.
    public var times = Times.clock
    /// Whether colours are used.
    public var isColoured = false
    /// The columns of the terminal, into which long lines are broken; nil: they are not.
    public var columns: Int?
    /// Whether secrets are shown.
    public var showsSecrets = false
    /// Replaces names and addresses; nil: they stand as they are.
    public var anonymiser: Anonymiser?

    /// The time of day, no colours, no breaks, secrets masked.
    public init() {}
}
