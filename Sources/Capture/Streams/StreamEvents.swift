import LineProtocol

/// The packet that caused an event.
package struct PacketInfo: Sendable, Equatable, BitwiseCopyable {
    /// Number of the packet, from 1.
    package var number: Int
    /// Nanoseconds since 1970, or ``CaptureRecord/timeUnknown``.
    package var time: Int64

    package init(number: Int, time: Int64) {
        self.number = number
        self.time = time
    }
}

/// Bytes that are missing from a stream.
package struct StreamGap: Sendable, Equatable {
    /// Number of missing bytes.
    package var count: Int
    package var reason: Reason

    /// The reason why bytes are missing.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// Their packets are not in the capture, although the receiver acknowledged them.
        case lost
        /// The packet was truncated by the snap length.
        case cut
        /// Too much out-of-order data was held, so waiting for the bytes was given up.
        case limit
    }
}

/// Retransmitted bytes that differ from the original ones.
package struct StreamConflict: Sendable, Equatable {
    /// Number of bytes that differ.
    package var count: Int
    /// True if the retransmitted bytes are used instead of the first ones.
    package var lastCounts: Bool
}

/// The reason why a connection ended.
package enum ConnectionEnd: String, Sendable, Hashable, CaseIterable {
    /// Both sides closed their direction of the connection.
    case closed
    /// One side reset the connection.
    case reset
    /// A new connection uses the same addresses and ports.
    case replaced
    /// The connection was still open at the end of the capture.
    case captureEnd
    /// The connection was dropped because there were too many connections.
    case forgotten
}

/// A receiver of reassembled streams. Events arrive in the order of the packets.
protocol StreamConsumer {
    /// Reports a new connection.
    mutating func opened(_ connection: Connection, _ packet: PacketInfo)
    /// Delivers the next bytes of a stream.
    mutating func bytes(
        _ connection: Connection, _ direction: Direction, _ bytes: Span<UInt8>, _ packet: PacketInfo
    )
    /// Reports that bytes are missing at the current offset.
    mutating func gap(
        _ connection: Connection, _ direction: Direction, _ gap: StreamGap, _ packet: PacketInfo)
    /// Reports that retransmitted bytes differ from the original ones.
    mutating func conflict(
        _ connection: Connection, _ direction: Direction, _ conflict: StreamConflict,
        _ packet: PacketInfo)
    /// Reports that one side has closed its direction of the connection.
    mutating func halfClosed(
        _ connection: Connection, _ direction: Direction, _ packet: PacketInfo)
    /// Reports the end of a connection.
    mutating func ended(_ connection: Connection, _ end: ConnectionEnd, _ packet: PacketInfo)
}

/// Counts from TCP reassembly.
package struct StreamCounts: Sendable, Equatable {
    package var connections = 0
    /// Number of bytes delivered.
    package var bytes = 0
    /// Segments without new bytes.
    package var retransmissions = 0
    /// Segments that arrived before an earlier one.
    package var outOfOrder = 0
    /// Segments with retransmitted bytes that differ from the first ones.
    package var conflicts = 0
    /// Gaps in streams.
    package var gaps = 0
    /// Number of bytes missing in gaps.
    package var missingBytes = 0
    /// Segments outside any possible window, or after the end of the stream.
    package var outOfWindow = 0
    /// Segments without data that belong to no known connection.
    package var stray = 0
    /// The first few server ports that were not selected.
    package internal(set) var otherPorts: Set<UInt16> = []
    /// Maximum number of these ports that are remembered.
    static let otherPortsMax = 8
    /// Connections dropped because there were too many.
    package var forgotten = 0

    package init() {}
}
