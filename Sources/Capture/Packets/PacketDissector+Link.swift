extension PacketDissector {
    /// Maximum number of VLAN tags per packet. Real networks do not use more.
    private static let tagsMax = 4

    /// Dissects the data after an EtherType field. The data starts at `layer`.
    mutating func ethernet(_ bytes: Span<UInt8>, _ layer: Layer, _ type: UInt16) -> Content {
        var layer = layer
        var type = type
        var tags = 0
        while EtherType.vlans.contains(type), tags < Self.tagsMax {
            guard layer.has(4) else { return malformed() }
            let id = UInt32(bytes.big16(layer.offset) & 0x0FFF)
            // With id 0, the tag only sets a priority; the packet belongs to no VLAN (IEEE 802.1Q
            // §9.6).
            if id != 0 { layer.vlans = layer.vlans << 13 | 0x1000 | id }
            type = bytes.big16(layer.offset + 2)
            layer.offset += 4
            tags += 1
        }
        switch type {
        case EtherType.ipv4: return ipv4(bytes, layer)
        case EtherType.ipv6: return ipv6(bytes, layer)
        case EtherType.pppoe: return pppoe(bytes, layer)
        case 0..<1536:
            // The field contains a length, so this is IEEE 802.3 with LLC and SNAP.
            guard layer.has(8), bytes.big16(layer.offset) == 0xAAAA else {
                return notTCP()
            }
            return ethernet(bytes, Layer(layer, after: 8), bytes.big16(layer.offset + 6))
        default: return notTCP()
        }
    }

    /// Dissects IPv4 or IPv6 without a link header. The version field distinguishes them.
    mutating func raw(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        guard layer.has(1) else { return malformed() }
        switch bytes[layer.offset] >> 4 {
        case 4: return ipv4(bytes, layer)
        case 6: return ipv6(bytes, layer)
        default: return malformed()
        }
    }

    /// Dissects BSD loopback: four bytes for the address family, followed by IP. The numbers of
    /// address families differ between systems and are in the byte order of the capturing machine,
    /// so the version field of the IP header is used instead.
    mutating func loopback(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        guard layer.has(5) else { return malformed() }
        let family = bytes.big32(layer.offset)
        let known: [UInt32] = [2, 10, 24, 28, 30]
        guard known.contains(family) || known.contains(family.byteSwapped) else {
            return notTCP()
        }
        return raw(bytes, Layer(layer, after: 4))
    }

    /// Dissects a PPPoE session header and the PPP frame after it.
    mutating func pppoe(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        // Version and type must be 1. Code 0 means session data.
        guard layer.has(6) else { return malformed() }
        guard bytes[layer.offset] == 0x11, bytes[layer.offset + 1] == 0 else {
            return notTCP()
        }
        return ppp(bytes, Layer(layer, after: 6))
    }

    /// Dissects PPP: optional HDLC address and control bytes, followed by a protocol field of one
    /// or two bytes.
    mutating func ppp(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        var layer = layer
        if layer.has(2), bytes.big16(layer.offset) == 0xFF03 { layer.offset += 2 }
        guard layer.has(2) else { return malformed() }
        // If the first byte of the protocol field is odd, the field is one byte long.
        let isShort = bytes[layer.offset] & 1 == 1
        let type = isShort ? UInt16(bytes[layer.offset]) : bytes.big16(layer.offset)
        layer.offset += isShort ? 1 : 2
        switch type {
        case 0x0021: return ipv4(bytes, layer)
        case 0x0057: return ipv6(bytes, layer)
        default: return notTCP()
        }
    }
}
