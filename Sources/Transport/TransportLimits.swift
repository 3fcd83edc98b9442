/// Timeouts and buffer limits for connections.
public struct TransportLimits: Sendable, Hashable {
    /// Timeout for connecting, including DNS, and again for the TLS and WebSocket handshakes, in
    /// nanoseconds.
    public var connectTimeout: Int64 = 10_000_000_000
    /// How long to read and discard data after Linejudge has closed a connection, in nanoseconds.
    /// If the server has not closed it by then, the connection is reset.
    public var drainTime: Int64 = 5_000_000_000
    /// Like ``drainTime``, in nanoseconds, for connections that are open when the scenario ends.
    /// The result may be delayed by up to this time.
    public var finalDrainTime: Int64 = 500_000_000
    /// Maximum number of unsent bytes on a connection before the session pauses.
    public var unsentBytesMax = 16 << 20
    /// The maximum number of connection problems reported per run.
    public static let notesMax = 8

    /// Creates the default limits.
    public init() {}
}
