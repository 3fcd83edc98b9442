/// Numbers of packets in a capture, by outcome.
package struct PacketCounts: Sendable, Equatable {
    /// All packets.
    package var packets = 0
    /// TCP segments.
    package var segments = 0
    /// Packets other than TCP over IP.
    package var notTCP = 0
    /// Packets with an unsupported link type.
    package var unknownLinkType = 0
    /// Packets with truncated or invalid headers.
    package var malformed = 0
    /// IP fragments.
    package var fragments = 0
    /// IP packets reassembled from fragments.
    package var reassembled = 0
    /// Fragments dropped because their packet was incomplete or too large, or because there were
    /// too many fragments.
    package var droppedFragments = 0

    package init() {}
}
