/// Numbers of packets in a capture, by what they contained.
package struct PacketCounts: Sendable, Equatable {
    /// Number of packets in total.
    package var packets = 0
    /// Number of TCP segments.
    package var segments = 0
    /// Number of packets other than TCP over IP.
    package var notTCP = 0
    /// Number of packets with an unsupported link type.
    package var unknownLinkType = 0
    /// Number of packets with truncated or invalid headers.
    package var malformed = 0
    /// Number of IP fragments.
    package var fragments = 0
    /// Number of IP packets that were reassembled from fragments.
    package var reassembled = 0
    /// Number of fragments that were dropped because their packet was incomplete or too large, or
    /// because there were too many fragments.
    package var droppedFragments = 0

    package init() {}
}
