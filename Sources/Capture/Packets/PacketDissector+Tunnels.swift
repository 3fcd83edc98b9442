/// Dissects packets in tunnels: IP in IP, GRE, ERSPAN, VXLAN and Geneve.
extension PacketDissector {
    /// Maximum number of tunnels around a packet.
    private static let tunnelsMax = 4

    /// Numbers of IP protocols that can contain other packets.
    private enum IPProtocol {
        static let ipv4: UInt8 = 4
        static let udp: UInt8 = 17
        static let ipv6: UInt8 = 41
        static let gre: UInt8 = 47
    }

    /// UDP ports of tunnels. Linux uses 8472 for VXLAN by default.
    private enum TunnelPort {
        static let vxlan: [UInt16] = [4_789, 8_472]
        static let geneve: UInt16 = 6_081
    }

    /// Dissects the packet inside an IP packet with a protocol other than TCP. If the protocol is
    /// not a supported tunnel, only counts the packet.
    @inline(never)
    mutating func notTCP(
        _ number: UInt8, _ bytes: Span<UInt8>, _ layer: Layer, isFragment: Bool
    ) -> Content {
        guard !isFragment, layer.tunnels < Self.tunnelsMax else {
            return notTCP(number, isTunnel: number == IPProtocol.udp && isTunnelled(bytes, layer))
        }
        var inner = layer
        inner.tunnels += 1
        switch number {
        case IPProtocol.ipv4: return ipv4(bytes, inner)
        case IPProtocol.ipv6: return ipv6(bytes, inner)
        case IPProtocol.gre: return gre(bytes, inner) ?? notTCP(number)
        case IPProtocol.udp where isTunnelled(bytes, layer):
            inner.offset += 8
            let content =
                bytes.big16(layer.offset + 2) == TunnelPort.geneve
                ? geneve(bytes, inner) : vxlan(bytes, inner)
            return content ?? notTCP(number, isTunnel: true)
        default: return notTCP(number)
        }
    }

    /// Counts an IP packet with a protocol other than TCP.
    ///
    /// - Parameter isTunnel: Whether it is a UDP packet that contains another packet.
    private mutating func notTCP(_ number: UInt8, isTunnel: Bool = false) -> Content {
        counts.add(protocol: number)
        if isTunnel { counts.udpTunnels += 1 }
        return .nothing
    }

    private func isTunnelled(_ bytes: Span<UInt8>, _ layer: Layer) -> Bool {
        guard layer.has(4) else { return false }
        let port = bytes.big16(layer.offset + 2)
        return port == TunnelPort.geneve || TunnelPort.vxlan.contains(port)
    }

    /// Dissects GRE (RFC 2784, RFC 2890). Returns nil for other versions, such as that of PPTP, and
    /// for source routes.
    private mutating func gre(_ bytes: Span<UInt8>, _ layer: Layer) -> Content? {
        guard layer.has(4) else { return nil }
        let flags = bytes.big16(layer.offset)
        let type = bytes.big16(layer.offset + 2)
        let (hasChecksum, hasKey, hasSequence) =
            (flags & 0x8000 != 0, flags & 0x2000 != 0, flags & 0x1000 != 0)
        let count = 4 + (hasChecksum ? 4 : 0) + (hasKey ? 4 : 0) + (hasSequence ? 4 : 0)
        guard flags & 0x4007 == 0, layer.has(count) else { return nil }
        var inner = Layer(layer, after: count)
        if hasKey {
            inner.enter(bytes.big32(layer.offset + (hasChecksum ? 8 : 4)))
        }
        switch type {
        case EtherType.bridging: return frame(bytes, inner)
        // A mirrored frame. Only type II has a sequence number and a header.
        case EtherType.erspan: return frame(bytes, Layer(inner, after: hasSequence ? 8 : 0))
        default: return ethernet(bytes, inner, type)
        }
    }

    /// Dissects VXLAN (RFC 7348 §5). Returns nil if the header is not valid.
    private mutating func vxlan(_ bytes: Span<UInt8>, _ layer: Layer) -> Content? {
        guard layer.has(8), bytes[layer.offset] & 0x08 != 0 else { return nil }
        var inner = Layer(layer, after: 8)
        inner.enter(bytes.big32(layer.offset + 4) >> 8)
        return frame(bytes, inner)
    }

    /// Dissects Geneve (RFC 8926 §3.4). Returns nil for other versions.
    private mutating func geneve(_ bytes: Span<UInt8>, _ layer: Layer) -> Content? {
        guard layer.has(8), bytes[layer.offset] >> 6 == 0 else { return nil }
        let count = 8 + Int(bytes[layer.offset] & 0x3F) * 4
        guard layer.has(count) else { return nil }
        let type = bytes.big16(layer.offset + 2)
        var inner = Layer(layer, after: count)
        inner.enter(bytes.big32(layer.offset + 4) >> 8)
        return type == EtherType.bridging ? frame(bytes, inner) : ethernet(bytes, inner, type)
    }

    /// Dissects an Ethernet frame in a tunnel.
    private mutating func frame(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        guard layer.has(14) else { return malformed() }
        return ethernet(bytes, Layer(layer, after: 14), bytes.big16(layer.offset + 12))
    }
}

extension PacketDissector.Layer {
    /// Enters a virtual network, whose addresses and VLAN tags are independent of those outside.
    ///
    /// - Parameter network: Number of the network.
    fileprivate mutating func enter(_ network: UInt32) {
        vlans = 0
        // A hash suffices, because few networks in a capture have the same addresses and ports.
        self.network = UInt8(truncatingIfNeeded: (network &* 0x9E37_79B1) >> 26)
    }
}
