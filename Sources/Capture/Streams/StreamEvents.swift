import LineProtocol

/// The packet that something is told of.
public struct PacketInfo: Sendable, Equatable, BitwiseCopyable {
    /// Its number, from 1.
    public var number: Int
    /// Nanoseconds since 1970, or ``CaptureRecord/timeUnknown``.
    public var time: Int64

    /// A packet by number and time.
    public init(number: Int, time: Int64) {
        self.number = number
        self.time = time
    }
}

/// Bytes of a stream that are not there.
public struct StreamGap: Sendable, Equatable {
    /// How many bytes are missing.
    public var count: Int
    /// Why.
    public var reason: Reason

    /// Why bytes are missing.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The capture does not have their packets, although the receiver got them.
        case lost
        /// The packet was cut at the snap length.
        case cut
        /// They may be late, but there is no more room for what came after them.
        case limit
    }
}

/// Bytes that came twice and differed.
public struct StreamConflict: Sendable, Equatable {
    /// How many bytes were there already.
    public var count: Int
    /// Whether the bytes that came last count.
    public var lastCounts: Bool
}

/// How a connection ended.
public enum ConnectionEnd: String, Sendable, Hashable, CaseIterable {
    /// Both sides had ended their stream.
    case closed
    /// One side broke it off.
    case reset
    /// A new connection uses the same addresses and ports.
    case replaced
    /// The capture ends before the connection does.
    case captureEnd
    /// There were too many connections, and this one had been silent longest.
    case forgotten
}

/// What the reassembly tells, in the order of the packets.
protocol StreamConsumer {
    /// A connection was seen for the first time.
    mutating func opened(_ connection: Connection, _ packet: PacketInfo)
    /// The next bytes of a stream.
    mutating func bytes(
        _ connection: Connection, _ direction: Direction, _ bytes: Span<UInt8>, _ packet: PacketInfo
    )
    /// Bytes are missing here.
    mutating func gap(
        _ connection: Connection, _ direction: Direction, _ gap: StreamGap, _ packet: PacketInfo)
    /// Bytes came a second time and differed.
    mutating func conflict(
        _ connection: Connection, _ direction: Direction, _ conflict: StreamConflict,
        _ packet: PacketInfo)
    /// One side has ended its stream.
    mutating func halfClosed(
        _ connection: Connection, _ direction: Direction, _ packet: PacketInfo)
    /// The connection is over.
    mutating func ended(_ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo)
}

/// What became of the segments of a capture.
public struct StreamCounts: Sendable, Equatable {
    /// Connections that were seen.
    public var connections = 0
    /// Bytes of streams that were read.
    public var bytes = 0
    /// Segments whose bytes had all been there.
    public var retransmissions = 0
    /// Segments that came before one that belongs in front of them.
    public var outOfOrder = 0
    /// Segments with bytes that differ from those that had come.
    public var conflicts = 0
    /// Holes in streams.
    public var gaps = 0
    /// Bytes missing in them.
    public var missingBytes = 0
    /// Segments outside all that a window can be, and those after an end.
    public var outOfWindow = 0
    /// Segments of no known connection, without data.
    public var stray = 0
    /// The ports of segments that were not taken because of theirs, the first few.
    public internal(set) var otherPorts: Set<UInt16> = []
    /// The most ports that are remembered.
    static let otherPortsMax = 8
    /// Connections given up because there were too many.
    public var forgotten = 0

    /// Nothing yet.
    public init() {}
}
