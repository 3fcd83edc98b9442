import LineProtocol

/// Packet that caused an event.
package struct PacketInfo: Sendable, Equatable, BitwiseCopyable {
    /// Number, from 1.
    package var number: Int
    /// Nanoseconds since 1970, or ``CaptureRecord/timeUnknown``.
    package var time: Int64

    package init(number: Int, time: Int64) {
        self.number = number
        self.time = time
    }
}

/// Missing bytes of a stream.
package struct StreamGap: Sendable, Equatable {
    /// Number of missing bytes.
    package var count: Int
    package var reason: Reason

    /// Reason why bytes are missing.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Their packets are not in the capture, although the receiver acknowledged them.
        case lost
        /// The packet was truncated by the snap length.
        case cut
        /// The wait was given up because too much out-of-order data was held.
        case limit
    }
}

/// Retransmitted bytes with different content.
package struct StreamConflict: Sendable, Equatable {
    /// Number of bytes that differ.
    package var count: Int
    /// True if the retransmitted bytes are used instead of the first ones.
    package var lastCounts: Bool
}

/// Reason for the end of a connection.
package enum ConnectionEnd: String, Sendable, Hashable, CaseIterable {
    /// Both sides closed their stream.
    case closed
    /// One side reset the connection.
    case reset
    /// A new connection uses the same addresses and ports.
    case replaced
    /// The connection was still open at the end of the capture.
    case captureEnd
    /// The connection was dropped because there were too many.
    case forgotten
}

/// Receiver of reassembled streams; events arrive in packet order.
protocol StreamConsumer {
    /// Reports a new connection.
    mutating func opened(_ connection: Connection, _ packet: PacketInfo)
    /// Delivers the next bytes of a stream.
    mutating func bytes(
        _ connection: Connection, _ direction: Direction, _ bytes: Span<UInt8>, _ packet: PacketInfo
    )
    /// Reports missing bytes at the current offset.
    mutating func gap(
        _ connection: Connection, _ direction: Direction, _ gap: StreamGap, _ packet: PacketInfo)
    /// Reports retransmitted bytes with different content.
    mutating func conflict(
        _ connection: Connection, _ direction: Direction, _ conflict: StreamConflict,
        _ packet: PacketInfo)
    /// Reports that one side has closed its stream.
    mutating func halfClosed(
        _ connection: Connection, _ direction: Direction, _ packet: PacketInfo)
    /// Reports the end of a connection.
    mutating func ended(_ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo)
}

/// Counts of TCP reassembly.
package struct StreamCounts: Sendable, Equatable {
    package var connections = 0
    /// Stream bytes delivered.
    package var bytes = 0
    /// Segments without new bytes.
    package var retransmissions = 0
    /// Segments that arrived before an earlier one.
    package var outOfOrder = 0
    /// Segments with retransmitted bytes that differ from the first ones.
    package var conflicts = 0
    /// Gaps in streams.
    package var gaps = 0
    /// Bytes missing in gaps.
    package var missingBytes = 0
    /// Segments outside any possible window or after the end of the stream.
    package var outOfWindow = 0
    /// Segments without data that belong to no known connection.
    package var stray = 0
    /// The first few server ports that were not selected.
    package internal(set) var otherPorts: Set<UInt16> = []
    /// Maximum number of ports remembered.
    static let otherPortsMax = 8
    /// Connections dropped because there were too many.
    package var forgotten = 0

    package init() {}
}
