/// What a reassembly is to do, and its maxima.
package struct ReassemblyOptions: Sendable {
    /// The most connections that are remembered.
    package static let connectionsMax = 16_384
    /// The most bytes of one stream that wait for those in front of them.
    package static let parkedBytesMax = 1 << 20
    /// The most pieces of one stream that wait.
    package static let parkedPiecesMax = 2_048
    /// The most bytes that wait in all streams together.
    package static let parkedBytesTotalMax = 8 << 20
    /// A reset further ahead of the stream than this is taken for none of the connection.
    package static let resetWindowBytes = 1 << 24
    /// No window is larger (RFC 7323 §2.3).
    package static let windowBytesMax = 1 << 30
    /// How long missing bytes that were acknowledged may still come: captures swap packets, but not by
    /// much.
    package static let graceNanoseconds: Int64 = 50_000_000
    /// Or so many packets of the connection.
    package static let gracePackets = 16
    /// How long missing bytes may still come where the other side was not captured.
    package static let oneSidedGraceNanoseconds: Int64 = 1_000_000_000

    /// Whether of bytes that come twice the last count, as far as they were not handed on yet.
    package var lastCounts = false
    /// The ports of servers; empty: all are taken.
    package var ports: Set<UInt16> = []
    /// The ports that servers are likely to have.
    package var likelyPorts: Set<UInt16> = []

    /// Which packets are looked at; nil: all.
    package var packets: (any PacketSelection)?

    /// All connections, the first bytes count.
    package init() {}

    func accepts(_ segment: Segment) -> Bool {
        ports.isEmpty || ports.contains(segment.source.port) || ports.contains(segment.target.port)
    }

    /// Whether a connection's first segment comes from the server: it answers a SYN, or its port is one of
    /// a server, or the smaller one.
    func isFromServer(_ segment: Segment) -> Bool {
        if segment.flags.contains(.syn) { return segment.flags.contains(.ack) }
        let (source, target) = (segment.source.port, segment.target.port)
        let isLikely = (source: likelyPorts.contains(source), target: likelyPorts.contains(target))
        if isLikely.source != isLikely.target { return isLikely.source }
        if ports.contains(source) != ports.contains(target) { return ports.contains(source) }
        return source < target
    }
}
