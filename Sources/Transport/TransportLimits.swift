/// Timeouts and buffer limits for connections.
public struct TransportLimits: Sendable, Hashable {
    /// Connect timeout, including DNS and TLS, in nanoseconds.
    public var connectTimeout: Int64 = 10_000_000_000
    /// Time for reading and discarding data after Linejudge has closed a connection, in
    /// nanoseconds. If the server has not closed the connection by then, it is reset.
    public var drainTime: Int64 = 5_000_000_000
    /// The same for connections that are still open at the end of a scenario. They can delay the
    /// result by up to this time.
    public var finalDrainTime: Int64 = 500_000_000
    /// Number of unsent bytes on a connection at which the session is paused.
    public var unsentBytesMax = 16 << 20
    /// The maximum number of connection problems reported per run.
    public static let notesMax = 8

    /// Creates the default limits.
    public init() {}
}
