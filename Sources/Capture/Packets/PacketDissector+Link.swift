extension PacketDissector {
    /// The most tags before a packet: more are no network's.
    private static let tagsMax = 4

    /// What follows an Ethernet type, `layer` being behind it.
    mutating func ethernet(_ bytes: Span<UInt8>, _ layer: Layer, _ type: UInt16) -> Content {
        var layer = layer
        var type = type
        var tags = 0
        while EtherType.vlans.contains(type), tags < Self.tagsMax {
            guard layer.has(4) else { return malformed() }
            let id = UInt32(bytes.big16(layer.place) & 0x0FFF)
            layer.vlans = layer.vlans << 13 | 0x1000 | id
            type = bytes.big16(layer.place + 2)
            layer.place += 4
            tags += 1
        }
        switch type {
        case EtherType.ipv4: return ipv4(bytes, layer)
        case EtherType.ipv6: return ipv6(bytes, layer)
        case EtherType.pppoe: return pppoe(bytes, layer)
        case 0..<1536:
            // A length: IEEE 802.3 with LLC and SNAP.
            guard layer.has(8), bytes.big16(layer.place) == 0xAAAA else {
                return notTCP()
            }
            return ethernet(bytes, Layer(layer, after: 8), bytes.big16(layer.place + 6))
        default: return notTCP()
        }
    }

    /// IP without anything before: its version tells which.
    mutating func raw(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        guard layer.has(1) else { return malformed() }
        switch bytes[layer.place] >> 4 {
        case 4: return ipv4(bytes, layer)
        case 6: return ipv6(bytes, layer)
        default: return malformed()
        }
    }

    /// Four bytes of an address family, whose numbers differ from system to system and whose order is
    /// the capturing machine's. IP's own version is safer.
    mutating func loopback(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        guard layer.has(5) else { return malformed() }
        let family = bytes.big32(layer.place)
        let known: [UInt32] = [2, 10, 24, 28, 30]
        guard known.contains(family) || known.contains(family.byteSwapped) else {
            return notTCP()
        }
        return raw(bytes, Layer(layer, after: 4))
    }

    /// A PPPoE session's header, then PPP.
    mutating func pppoe(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        // Version and type 1; code 0 is data.
        guard layer.has(6) else { return malformed() }
        guard bytes[layer.place] == 0x11, bytes[layer.place + 1] == 0 else {
            return notTCP()
        }
        return ppp(bytes, Layer(layer, after: 6))
    }

    /// PPP: perhaps HDLC's address and control, then a protocol of one byte or two.
    mutating func ppp(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        var layer = layer
        if layer.has(2), bytes.big16(layer.place) == 0xFF03 { layer.place += 2 }
        guard layer.has(2) else { return malformed() }
        // An odd first byte is the whole protocol.
        let isShort = bytes[layer.place] & 1 == 1
        let type = isShort ? UInt16(bytes[layer.place]) : bytes.big16(layer.place)
        layer.place += isShort ? 1 : 2
        switch type {
        case 0x0021: return ipv4(bytes, layer)
        case 0x0057: return ipv6(bytes, layer)
        default: return notTCP()
        }
    }
}
