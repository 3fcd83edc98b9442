/// A message that can be kept in a ``MessageLog``.
public protocol LoggedMessage: Identifiable, Sendable where ID: Sendable {
    /// Time of sending, in nanoseconds since 1970. A log sorts its messages by this time.
    var time: Int64 { get }
}
