/// Options and limits for TCP reassembly.
package struct ReassemblyOptions: Sendable {
    /// Maximum number of connections tracked at the same time, unless ``connectionsMax`` is set.
    package static let usualConnectionsMax = 65_536
    /// Maximum number of out-of-order bytes held per stream.
    package static let parkedBytesMax = 1 << 20
    /// Maximum number of out-of-order pieces held per stream.
    package static let parkedPiecesMax = 2_048
    /// Maximum number of out-of-order bytes held across all streams.
    package static let parkedBytesTotalMax = 8 << 20
    /// Maximum distance of a reset's sequence number from the stream's position; resets further
    /// ahead are ignored.
    package static let resetWindowBytes = 1 << 24
    /// Size of the largest possible TCP window (RFC 7323 §2.3).
    package static let windowBytesMax = 1 << 30
    /// Time to wait for missing bytes after they were acknowledged, in nanoseconds. Waiting is
    /// necessary because packets in a capture may be slightly out of order.
    package static let graceNanoseconds: Int64 = 50_000_000
    /// Number of subsequent packets on the connection after which the wait ends, even if less time
    /// has passed.
    package static let gracePackets = 16
    /// Time to wait for missing bytes if the other direction was not captured, in nanoseconds.
    package static let oneSidedGraceNanoseconds: Int64 = 1_000_000_000

    /// Maximum number of connections tracked at the same time.
    package var connectionsMax = usualConnectionsMax
    /// True if retransmitted bytes replace earlier bytes that have not been delivered yet.
    package var prefersLastCopy = false
    /// Server ports to decode; empty to decode all ports.
    package var ports: Set<UInt16> = []
    /// Ports that the user specified for a dialect, which are therefore server ports.
    package var serverPorts: Set<UInt16> = []
    /// Ports that servers probably use, such as the dialects' default ports.
    package var likelyPorts: Set<UInt16> = []

    /// Packet filter; nil to accept all packets.
    package var packets: (any PacketSelection)?

    /// Secrets for decrypting TLS; nil if this build cannot decrypt.
    package var keys: TLSKeys?

    package init() {}

    func accepts(_ segment: Segment) -> Bool {
        ports.isEmpty || ports.contains(segment.source.port) || ports.contains(segment.target.port)
    }

    /// Returns whether the server sent the first segment of a connection: true if the segment
    /// answers a SYN, or if only its source port is a known server port; nil if unknown.
    func isFromServer(_ segment: Segment) -> Bool? {
        if segment.flags.contains(.syn) { return segment.flags.contains(.ack) }
        for known in [serverPorts, ports, likelyPorts] {
            let isSource = known.contains(segment.source.port)
            if isSource != known.contains(segment.target.port) { return isSource }
        }
        return nil
    }
}
