/// Packet counts for a capture, by content.
package struct PacketCounts: Sendable, Equatable {
    /// Total number of packets.
    package var packets = 0
    /// Number of TCP segments.
    package var segments = 0
    /// Number of packets other than TCP over IP.
    package var notTCP = 0
    /// Number of non-TCP packets, by IP protocol number.
    package private(set) var otherProtocols = [Int](repeating: 0, count: 256)
    /// Number of UDP packets to a tunnel port that could not be decoded.
    package internal(set) var udpTunnels = 0
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

    mutating func add(protocol number: UInt8) {
        notTCP += 1
        otherProtocols[Int(number)] += 1
    }

    /// IP protocols that contain other packets.
    private static let tunnels: [(number: Int, name: String)] = [
        (4, "IP in IP"), (41, "IPv6 in IP"), (47, "GRE"), (50, "ESP"),
    ]

    /// Number of tunnelled packets that could not be decoded, and the names of the tunnel protocols.
    package var tunnelled: (count: Int, names: [String]) {
        let found = Self.tunnels.filter { otherProtocols[$0.number] > 0 }
        return (
            found.reduce(udpTunnels) { $0 + otherProtocols[$1.number] },
            found.map(\.name) + (udpTunnels > 0 ? ["VXLAN or Geneve"] : [])
        )
    }

    /// Packet counts by protocol, such as `3 UDP`. TCP and tunnelled packets are not included.
    package var others: [String] {
        let named = [(17, "UDP", udpTunnels), (1, "ICMP", 0), (58, "ICMPv6", 0), (132, "SCTP", 0)]
        var rest = notTCP - tunnelled.count
        var parts: [String] = []
        for (number, name, excluded) in named where otherProtocols[number] > excluded {
            parts.append("\(otherProtocols[number] - excluded) \(name)")
            rest -= otherProtocols[number] - excluded
        }
        return parts + (rest > 0 ? ["\(rest) other"] : [])
    }
}
