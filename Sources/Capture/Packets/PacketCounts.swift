/// What became of the packets of a capture.
public struct PacketCounts: Sendable, Equatable {
    /// Packets that the capture holds.
    public var packets = 0
    /// TCP segments.
    public var segments = 0
    /// Packets that are no IP, or IP without TCP.
    public var notTCP = 0
    /// Packets of link types that are not read.
    public var unknownLinkType = 0
    /// Packets whose headers are cut, or cannot be.
    public var malformed = 0
    /// Fragments of IP packets.
    public var fragments = 0
    /// IP packets that were put together of fragments.
    public var reassembled = 0
    /// Fragments dropped: their packet was never completed, was too large, or there were too many.
    public var droppedFragments = 0

    /// No packets.
    public init() {}
}
