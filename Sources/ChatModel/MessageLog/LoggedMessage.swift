/// A message that can be kept in a ``MessageLog``.
public protocol LoggedMessage: Identifiable, Sendable where ID: Sendable {
    /// Time of sending, in nanoseconds since 1970. Logs are sorted by this time.
    var time: Int64 { get }
}
