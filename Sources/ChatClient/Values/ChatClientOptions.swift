public import LineProtocol
public import Logging

/// How a client behaves, with all of its maxima.
public struct ChatClientOptions: Sendable {
    /// How often the session is kept alive, in nanoseconds.
    public var pingInterval: Int64
    /// How long an answer may take before the connection counts as lost, in nanoseconds.
    public var answerWithinMax: Int64 = 20_000_000_000
    /// How long a connection may take to be made, in nanoseconds. Asking the router may take as long again.
    public var connectWithinMax: Int64 = 10_000_000_000
    /// How many requests may wait for their answers at once.
    public var requestsMax = 1_024
    /// How many bytes may wait to be sent.
    public var unsentBytesMax = 1 << 20
    /// How many of the latest messages are kept.
    public var messagesMax = 100
    /// Whether the client asks who is here after each login, so that its ``ChatClient/desk`` knows.
    public var asksWhoIsHere = true
    /// What is done when the connection is lost.
    public var reconnect = ReconnectPolicy()
    /// Hears of warnings and of what goes wrong without a caller.
    public var logger: Logger

    /// Every how many nanoseconds one pings where neither dialect nor options say.
    public static let pingIntervalByDefault: Int64 = 15_000_000_000

    /// The dialect's times, and no log.
    public init(_ dialect: Dialect) {
        pingInterval = dialect.timing.keepaliveInterval ?? Self.pingIntervalByDefault
        logger = Logger(label: "linejudge.client") { _ in SwiftLogNoOpLogHandler() }
    }
}
