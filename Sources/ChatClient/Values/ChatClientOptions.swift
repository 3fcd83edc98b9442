public import LineProtocol
public import Logging

/// Options and limits of a client.
public struct ChatClientOptions: Sendable {
    /// Interval between pings, in nanoseconds.
    public var pingInterval: Int64
    /// Maximum time to wait for an answer, in nanoseconds. After that, the connection counts as
    /// lost.
    public var answerWithinMax: Int64 = 20_000_000_000
    /// Maximum time to wait for a connection, in nanoseconds. The whole attempt, including the wait
    /// for the router, may take twice as long.
    public var connectWithinMax: Int64 = 10_000_000_000
    /// Maximum number of pending requests.
    public var requestsMax = 1_024
    /// Maximum number of bytes waiting to be sent. If there are more, the connection counts as
    /// lost.
    public var unsentBytesMax = 1 << 20
    /// Maximum number of messages kept in ``ChatClient/messages``.
    public var messagesMax = 100
    /// True to request the user list after each login, which fills the client's
    /// ``ChatClient/desk``.
    public var requestsUserList = true
    /// Policy for reconnecting after the connection is lost.
    public var reconnect = ReconnectPolicy()
    /// Logger for warnings, and for failures that no caller is waiting for.
    public var logger: Logger

    /// Default interval between pings, in nanoseconds.
    public static let pingIntervalByDefault: Int64 = 15_000_000_000

    /// Creates options with the dialect's timing and no logging.
    public init(_ dialect: Dialect) {
        pingInterval = dialect.timing.keepaliveInterval ?? Self.pingIntervalByDefault
        logger = Logger(label: "linejudge.client") { _ in SwiftLogNoOpLogHandler() }
    }
}
