/// What a log needs to know of a message.
public protocol LoggedMessage: Identifiable, Sendable where ID: Sendable {
    /// When the message was sent, in nanoseconds since 1970. The log is in this order.
    var time: Int64 { get }
}
