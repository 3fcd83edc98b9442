/// A dissector that finds the TCP segment in a packet. It skips the link header, VLAN tags, and
/// PPPoE, tunnel and IP headers, and reassembles IP fragments.
///
/// The IP header determines the length of the packet, if it contains a length, because network
/// cards pad frames. Checksums are not verified, because network cards compute them after the
/// packet has been captured.
struct PacketDissector: Sendable {
    var counts = PacketCounts()
    var fragments = FragmentTable()
    /// Unsupported link types that were found, without duplicates.
    private(set) var unknownLinkTypes: [LinkType] = []
    private static let unknownLinkTypesMax = 32

    /// The result of dissecting a packet: a TCP segment, or nothing.
    enum Content: Equatable {
        /// A segment, located in the packet's bytes.
        case segment(Segment)
        /// A segment, located in ``FragmentTable/assembled``.
        case assembled(Segment)
        case nothing
    }

    /// A protocol layer of a packet. `offset` is its start, `captured` the end of the captured
    /// bytes, and `end` the end of the packet on the wire, all as offsets in the same buffer.
    struct Layer {
        var offset: Int
        var captured: Int
        var end: Int
        var vlans: UInt32 = 0
        /// 6-bit hash of the id of the virtual network that contains the packet; 0 outside tunnels.
        var network: UInt8 = 0
        /// Number of tunnels around the packet.
        var tunnels: UInt8 = 0
        var time: Int64 = 0

        /// Returns whether `count` more bytes were captured.
        func has(_ count: Int) -> Bool { captured - offset >= count }
    }

    /// Values of the EtherType field.
    enum EtherType {
        static let ipv4: UInt16 = 0x0800
        static let ipv6: UInt16 = 0x86DD
        static let pppoe: UInt16 = 0x8864
        /// An Ethernet frame.
        static let bridging: UInt16 = 0x6558
        /// An Ethernet frame mirrored by a switch.
        static let erspan: UInt16 = 0x88BE
        static let vlans: [UInt16] = [0x8100, 0x88A8, 0x9100]
    }

    /// Finds the TCP segment in the packet that `record` describes.
    @inline(__always)
    mutating func dissect(_ bytes: Span<UInt8>, _ record: CaptureRecord) -> Content {
        counts.packets &+= 1
        let layer = Layer(
            offset: record.start, captured: record.start &+ record.count,
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
            return ethernet(bytes, Layer(layer, after: 14), bytes.big16(layer.offset + 12))
        case .linuxCooked:
            guard layer.has(16) else { return malformed() }
            return ethernet(bytes, Layer(layer, after: 16), bytes.big16(layer.offset + 14))
        case .linuxCooked2:
            guard layer.has(20) else { return malformed() }
            return ethernet(bytes, Layer(layer, after: 20), bytes.big16(layer.offset))
        case .raw, .ipv4, .ipv6, LinkType(12), LinkType(14): return raw(bytes, layer)
        case .null, .loop: return loopback(bytes, layer)
        case .ppp, .pppHDLC: return ppp(bytes, layer)
        case .pppEthernet: return pppoe(bytes, layer)
        case .nflog: return nflog(bytes, layer)
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
    /// Creates the layer that starts `count` bytes after the start of another.
    init(_ layer: Self, after count: Int) {
        self = layer
        offset &+= count
    }
}
