/// Outcome of a survey of a server's throttle.
enum ThrottleOutcome {
    /// All logins and probes were answered after this time, in nanoseconds.
    case unthrottled(Int64)
    /// They were not all answered in time, or that could not be determined.
    case throttled
}
