/// Finds the TCP segment in a packet: past the link's header, VLAN tags, PPPoE, IPv4 or IPv6 with their
/// extensions; fragments are put together first.
///
/// Lengths are taken from the IP header where it has one: what a network card pads a frame with is no
/// data. Checksums are not looked at, because cards compute them after the capture.
struct PacketDissector: Sendable {
    var counts = PacketCounts()
    var fragments = FragmentTable()
    /// Link types that are not read, for the one warning of each.
    private(set) var unknownLinkTypes: [LinkType] = []
    private static let unknownLinkTypesMax = 32

    /// What a packet holds.
    enum Content: Equatable {
        /// A segment in the packet's bytes.
        case segment(Segment)
        /// A segment in ``FragmentTable/assembled``.
        case assembled(Segment)
        case nothing
    }

    /// A layer that is being read: its first byte, where the captured bytes end, and where the packet ended
    /// on the wire.
    struct Layer {
        var place: Int
        var captured: Int
        var end: Int
        var vlans: UInt32 = 0
        var time: Int64 = 0

        /// Whether so many more bytes were captured.
        func has(_ count: Int) -> Bool { captured - place >= count }
    }

    /// What comes next, by Ethernet's numbers.
    enum EtherType {
        static let ipv4: UInt16 = 0x0800
        static let ipv6: UInt16 = 0x86DD
        static let pppoe: UInt16 = 0x8864
        static let vlans: [UInt16] = [0x8100, 0x88A8, 0x9100]
    }

    /// The segment in the packet that `record` tells of.
    @inline(__always)
    mutating func dissect(_ bytes: Span<UInt8>, _ record: CaptureRecord) -> Content {
        counts.packets &+= 1
        let layer = Layer(
            place: record.start, captured: record.start &+ record.count,
            end: record.start &+ record.originalCount, time: record.time)
        if record.linkType == .ethernet, layer.has(34),
            bytes.big16(record.start &+ 12) == EtherType.ipv4
        {
            return ipv4(bytes, Layer(layer, after: 14))
        }
        return link(bytes, layer, record.linkType)
    }

    @inline(never)
    private mutating func link(_ bytes: Span<UInt8>, _ layer: Layer, _ type: LinkType) -> Content {
        switch type {
        case .ethernet:
            guard layer.has(14) else { return malformed() }
            return ethernet(bytes, Layer(layer, after: 14), bytes.big16(layer.place + 12))
        case .linuxCooked:
            guard layer.has(16) else { return malformed() }
            return ethernet(bytes, Layer(layer, after: 16), bytes.big16(layer.place + 14))
        case .linuxCooked2:
            guard layer.has(20) else { return malformed() }
            return ethernet(bytes, Layer(layer, after: 20), bytes.big16(layer.place))
        case .raw, .ipv4, .ipv6, LinkType(12), LinkType(14): return raw(bytes, layer)
        case .null, .loop: return loopback(bytes, layer)
        case .ppp, .pppHDLC: return ppp(bytes, layer)
        case .pppEthernet: return pppoe(bytes, layer)
        default:
            counts.unknownLinkType += 1
            if unknownLinkTypes.count < Self.unknownLinkTypesMax, !unknownLinkTypes.contains(type) {
                unknownLinkTypes.append(type)
            }
            return .nothing
        }
    }

    mutating func notTCP() -> Content {
        counts.notTCP += 1
        return .nothing
    }

    mutating func malformed() -> Content {
        counts.malformed += 1
        return .nothing
    }
}

extension PacketDissector.Layer {
    /// What follows `count` bytes.
    init(_ layer: Self, after count: Int) {
        self = layer
        place &+= count
    }
}
