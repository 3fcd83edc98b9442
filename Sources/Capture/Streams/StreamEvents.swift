import LineProtocol

/// The packet that something is told of.
package struct PacketInfo: Sendable, Equatable, BitwiseCopyable {
    /// Its number, from 1.
    package var number: Int
    /// Nanoseconds since 1970, or ``CaptureRecord/timeUnknown``.
    package var time: Int64

    /// A packet by number and time.
    package init(number: Int, time: Int64) {
        self.number = number
        self.time = time
    }
}

/// Bytes of a stream that are not there.
package struct StreamGap: Sendable, Equatable {
    /// How many bytes are missing.
    package var count: Int
    /// Why.
    package var reason: Reason

    /// Why bytes are missing.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The capture does not have their packets, although the receiver got them.
        case lost
        /// The packet was cut at the snap length.
        case cut
        /// They may be late, but there is no more room for what came after them.
        case limit
    }
}

/// Bytes that came twice and differed.
package struct StreamConflict: Sendable, Equatable {
    /// How many bytes were there already.
    package var count: Int
    /// Whether the bytes that came last count.
    package var lastCounts: Bool
}

/// How a connection ended.
package enum ConnectionEnd: String, Sendable, Hashable, CaseIterable {
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
package struct StreamCounts: Sendable, Equatable {
    /// Connections that were seen.
    package var connections = 0
    /// Bytes of streams that were read.
    package var bytes = 0
    /// Segments whose bytes had all been there.
    package var retransmissions = 0
    /// Segments that came before one that belongs in front of them.
    package var outOfOrder = 0
    /// Segments with bytes that differ from those that had come.
    package var conflicts = 0
    /// Holes in streams.
    package var gaps = 0
    /// Bytes missing in them.
    package var missingBytes = 0
    /// Segments outside all that a window can be, and those after an end.
    package var outOfWindow = 0
    /// Segments of no known connection, without data.
    package var stray = 0
    /// The ports of segments that were not taken because of theirs, the first few.
    package internal(set) var otherPorts: Set<UInt16> = []
    /// The most ports that are remembered.
    static let otherPortsMax = 8
    /// Connections given up because there were too many.
    package var forgotten = 0

    /// Nothing yet.
    package init() {}
}
