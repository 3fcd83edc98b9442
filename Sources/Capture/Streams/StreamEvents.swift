import LineProtocol

/// Number, file and time of the packet that caused an event.
package struct PacketInfo: Sendable, Equatable, BitwiseCopyable {
    /// Index of the file in the upper 16 bits, and the packet number in the lower 48. They share a
    /// word because a `PacketInfo` is passed along with every segment and line.
    private let origin: UInt64
    /// Time in nanoseconds since 1970, or ``CaptureRecord/timeUnknown``.
    package let time: Int64

    private static let numberBits: UInt64 = 48

    package init(number: Int, time: Int64, file: UInt16 = 0) {
        origin = UInt64(file) &<< Self.numberBits | UInt64(truncatingIfNeeded: number)
        self.time = time
    }

    @inline(__always)
    init(_ record: CaptureRecord) {
        self.init(number: record.number, time: record.time, file: record.file)
    }

    /// The packet number in its file, starting at 1.
    package var number: Int { Int(origin & (1 &<< Self.numberBits - 1)) }

    /// Index of the file, if several are read as one stream; otherwise 0.
    package var file: Int { Int(origin &>> Self.numberBits) }
}

/// A gap in a stream: bytes that are missing from the capture.
package struct StreamGap: Sendable, Equatable {
    /// Number of missing bytes.
    package var count: Int
    package var reason: Reason

    /// The reason bytes are missing.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// No packet in the capture contains the bytes, although they were sent.
        case lost
        /// The bytes were cut off by the snap length.
        case cut
        /// The wait for the bytes was ended early, because too much out-of-order data was held.
        case limit
    }
}

/// A retransmission whose bytes differ from the original bytes.
package struct StreamConflict: Sendable, Equatable {
    /// Number of differing bytes.
    package var count: Int
    /// True if the retransmitted bytes are used instead of the original bytes.
    package var prefersLastCopy: Bool
}

/// The reason a connection ended.
package enum ConnectionEnd: String, Sendable, Hashable, CaseIterable {
    /// Both sides closed their sending direction.
    case closed
    /// One side reset the connection; see ``CapturedConnection/resetBy``.
    case reset
    /// The server answered the SYN with a reset.
    case refused
    /// The server did not answer the SYN before the capture ended, a new connection replaced this
    /// one, or it was dropped because there were too many connections.
    case unanswered
    /// A new connection uses the same addresses and ports.
    case replaced
    /// The connection was still open at the end of the capture.
    case captureEnd
    /// The connection was dropped because there were too many connections.
    case forgotten
}

/// A receiver of reassembled streams. Events arrive in the order of the packets.
protocol StreamConsumer {
    /// Returns whether a server sent these bytes, the first bytes captured on a connection; nil if
    /// the bytes do not reveal the sender.
    func isFromServer(_ bytes: Span<UInt8>) -> Bool?
    /// Connection whose sides must be swapped, because its content shows that its client is the
    /// server. The connection's roles must be uncertain. The reassembler calls ``swapped(_:)`` once
    /// it has processed the current segment.
    var swapRequest: CapturedConnection? { get set }
    /// Reports that the sides of a connection have been swapped.
    mutating func swapped(_ connection: CapturedConnection)
    /// Reports a new connection once the server has accepted it. An unaccepted connection attempt
    /// is reported when it fails or the SYN is repeated, with the packet of the first SYN.
    mutating func opened(_ connection: CapturedConnection, _ packet: PacketInfo)
    /// Delivers the next bytes of a stream. `half` is the connection's state in this direction,
    /// which is faster to access than the connection.
    mutating func bytes(
        _ connection: CapturedConnection, _ half: HalfStream, _ direction: Direction,
        _ bytes: Span<UInt8>, _ packet: PacketInfo
    )
    /// Reports that bytes are missing at the current offset.
    mutating func gap(
        _ connection: CapturedConnection, _ direction: Direction, _ gap: StreamGap,
        _ packet: PacketInfo)
    /// Reports that retransmitted bytes differ from the original bytes.
    mutating func conflict(
        _ connection: CapturedConnection, _ direction: Direction, _ conflict: StreamConflict,
        _ packet: PacketInfo)
    /// Reports that one side has closed its sending direction.
    mutating func halfClosed(
        _ connection: CapturedConnection, _ direction: Direction, _ packet: PacketInfo)
    /// Reports the end of a connection. After a reset, bytes may still follow.
    mutating func ended(
        _ connection: CapturedConnection, _ end: ConnectionEnd, _ packet: PacketInfo)
    /// Reports that no more data follows a reset.
    mutating func settled(_ connection: CapturedConnection, _ packet: PacketInfo)
}

extension StreamConsumer {
    func isFromServer(_ bytes: Span<UInt8>) -> Bool? { nil }
    var swapRequest: CapturedConnection? {
        get { nil }
        set {}
    }
    mutating func swapped(_ connection: CapturedConnection) {}
}

/// Counts from TCP reassembly: connections, gaps, conflicts and so on.
package struct StreamCounts: Sendable, Equatable {
    package var connections = 0
    /// Number of bytes delivered.
    package var bytes = 0
    /// Number of segments without new bytes.
    package var retransmissions = 0
    /// Number of segments that arrived before a segment that precedes them in the stream.
    package var outOfOrder = 0
    /// Number of segments with retransmitted bytes that differ from the original bytes.
    package var conflicts = 0
    /// Number of gaps in streams.
    package var gaps = 0
    /// Number of bytes missing in the gaps.
    package var missingBytes = 0
    /// Number of segments that were ignored because they are outside any possible window, after
    /// the end of their stream, or part of a reset.
    package var ignored = 0
    /// Number of segments without data that belong to no known connection.
    package var stray = 0
    /// The first few server ports in the capture that were not selected.
    package internal(set) var otherPorts: Set<UInt16> = []
    /// Maximum number of ports in ``otherPorts``.
    static let otherPortsMax = 8
    /// Number of connections that were dropped because there were too many.
    package var forgotten = 0

    package init() {}
}
