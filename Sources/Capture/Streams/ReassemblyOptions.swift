/// Options and limits for TCP reassembly.
package struct ReassemblyOptions: Sendable {
    /// Maximum number of connections tracked at once.
    package static let connectionsMax = 16_384
    /// Maximum number of out-of-order bytes held per stream.
    package static let parkedBytesMax = 1 << 20
    /// Maximum number of out-of-order pieces held per stream.
    package static let parkedPiecesMax = 2_048
    /// Maximum number of out-of-order bytes held in all streams together.
    package static let parkedBytesTotalMax = 8 << 20
    /// Distance ahead of the stream beyond which a reset is ignored.
    package static let resetWindowBytes = 1 << 24
    /// Size of the largest possible TCP window (RFC 7323 §2.3).
    package static let windowBytesMax = 1 << 30
    /// Time to wait for missing bytes that were acknowledged, because captures reorder packets
    /// slightly.
    package static let graceNanoseconds: Int64 = 50_000_000
    /// Number of packets of the connection after which the wait ends as well.
    package static let gracePackets = 16
    /// Time to wait for missing bytes if the other direction was not captured.
    package static let oneSidedGraceNanoseconds: Int64 = 1_000_000_000

    /// True if retransmitted bytes replace earlier ones that have not been delivered yet.
    package var lastCounts = false
    /// Server ports to decode; empty to decode all.
    package var ports: Set<UInt16> = []
    /// Ports that servers probably use.
    package var likelyPorts: Set<UInt16> = []

    /// Filter for packets; nil to accept all.
    package var packets: (any PacketSelection)?

    package init() {}

    func accepts(_ segment: Segment) -> Bool {
        ports.isEmpty || ports.contains(segment.source.port) || ports.contains(segment.target.port)
    }

    /// Guesses whether the first segment of a connection comes from the server. That is the case if
    /// it answers a SYN, or if its source port is a server port or the lower of the two ports.
    func isFromServer(_ segment: Segment) -> Bool {
        if segment.flags.contains(.syn) { return segment.flags.contains(.ack) }
        let (source, target) = (segment.source.port, segment.target.port)
        let isLikely = (source: likelyPorts.contains(source), target: likelyPorts.contains(target))
        if isLikely.source != isLikely.target { return isLikely.source }
        if ports.contains(source) != ports.contains(target) { return ports.contains(source) }
        return source < target
    }
}
