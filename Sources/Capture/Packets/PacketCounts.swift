/// What became of the packets of a capture.
package struct PacketCounts: Sendable, Equatable {
    /// Packets that the capture holds.
    package var packets = 0
    /// TCP segments.
    package var segments = 0
    /// Packets that are no IP, or IP without TCP.
    package var notTCP = 0
    /// Packets of link types that are not read.
    package var unknownLinkType = 0
    /// Packets whose headers are cut, or cannot be.
    package var malformed = 0
    /// Fragments of IP packets.
    package var fragments = 0
    /// IP packets that were put together of fragments.
    package var reassembled = 0
    /// Fragments dropped: their packet was never completed, was too large, or there were too many.
    package var droppedFragments = 0

    /// No packets.
    package init() {}
}
