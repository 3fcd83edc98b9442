/// How long and how much at most.
public struct TransportLimits: Sendable, Hashable {
    /// How long a connection may take to be made, DNS and TLS included, in nanoseconds.
    public var connectTimeout: Int64 = 10_000_000_000
    /// How long what still arrives on a connection that we closed is read and dropped, in
    /// nanoseconds. A server that has not answered our FIN by then gets a reset.
    public var drainTime: Int64 = 5_000_000_000
    /// The same for what is still open when the scenario is over; whoever waits for the result waits
    /// for it.
    public var finalDrainTime: Int64 = 500_000_000
    /// How many bytes may wait to be written on one connection before no more is asked of the
    /// session.
    public var unsentBytesMax = 16 << 20
    /// How many remarks about connections are kept of one play.
    public static let remarksMax = 8

    /// The usual limits.
    public init() {}
}
