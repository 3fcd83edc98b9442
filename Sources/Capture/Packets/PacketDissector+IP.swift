extension PacketDissector {
    private static let tcp: UInt8 = 6
    /// Maximum number of extension headers per IPv6 packet.
    private static let extensionsMax = 16

    @inline(__always)
    mutating func ipv4(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        let start = layer.offset
        guard layer.has(20) else { return malformed() }
        let first = bytes[start]
        let headerCount = Int(first & 15) &* 4
        guard first >> 4 == 4, headerCount >= 20 else { return malformed() }
        var body = layer
        body.offset = start &+ headerCount
        // With segmentation offload (TSO), the length is 0 because it was not yet known when the
        // packet was captured.
        let total = Int(bytes.big16(start &+ 2))
        if total >= headerCount { body.end = min(body.end, start &+ total) }
        let fragment = bytes.big16(start &+ 6) & 0x3FFF
        guard bytes[start &+ 9] == Self.tcp else {
            return notTCP(bytes[start &+ 9], bytes, body, isFragment: fragment != 0)
        }
        let source = IPAddress(ipv4: bytes.big32(start &+ 12))
        let target = IPAddress(ipv4: bytes.big32(start &+ 16))
        if fragment != 0 {
            let key = FragmentTable.Key(
                source: source, target: target, vlans: layer.vlans,
                identification: UInt32(bytes.big16(start &+ 4)))
            return assemble(
                bytes, body, key, offset: Int(fragment & 0x1FFF) * 8,
                isLast: fragment & 0x2000 == 0)
        }
        guard let segment = Self.tcp(bytes, body, source, target) else { return malformed() }
        counts.segments &+= 1
        return .segment(segment)
    }

    mutating func ipv6(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        let start = layer.offset
        guard layer.has(40), bytes[start] >> 4 == 6 else { return malformed() }
        var body = Layer(layer, after: 40)
        // In a jumbogram or with segmentation offload, the length is 0.
        let count = Int(bytes.big16(start + 4))
        if count > 0 { body.end = min(body.end, body.offset + count) }
        let source = IPAddress(high: bytes.big64(start + 8), low: bytes.big64(start + 16))
        let target = IPAddress(high: bytes.big64(start + 24), low: bytes.big64(start + 32))
        var next = bytes[start + 6]
        for _ in 0..<Self.extensionsMax {
            switch next {
            case Self.tcp:
                guard let segment = Self.tcp(bytes, body, source, target) else {
                    return malformed()
                }
                counts.segments &+= 1
                return .segment(segment)
            case 0, 43, 60, 135:  // hop by hop, routing, destination options, mobility
                guard body.has(8) else { return malformed() }
                next = bytes[body.offset]
                body.offset += (Int(bytes[body.offset + 1]) + 1) * 8
            case 51:  // authentication
                guard body.has(8) else { return malformed() }
                next = bytes[body.offset]
                body.offset += (Int(bytes[body.offset + 1]) + 2) * 4
            case 44:
                guard body.has(8) else { return malformed() }
                next = bytes[body.offset]
                let offset = bytes.big16(body.offset + 2)
                guard offset & 0xFFF9 != 0 else {
                    // This is an atomic fragment, which contains a whole packet (RFC 8200 §4.5).
                    body.offset += 8
                    continue
                }
                guard next == Self.tcp || offset & 0xFFF8 != 0 else {
                    return notTCP(next, bytes, Layer(body, after: 8), isFragment: true)
                }
                let key = FragmentTable.Key(
                    source: source, target: target, vlans: layer.vlans,
                    identification: bytes.big32(body.offset + 4))
                body.offset += 8
                return assemble(
                    bytes, body, key, offset: Int(offset & 0xFFF8), isLast: offset & 1 == 0)
            default: return notTCP(next, bytes, body, isFragment: false)
            }
            guard body.offset <= body.captured else { return malformed() }
        }
        return malformed()
    }

    @inline(never)
    private mutating func assemble(
        _ bytes: Span<UInt8>, _ body: Layer, _ key: FragmentTable.Key, offset: Int, isLast: Bool
    ) -> Content {
        counts.fragments += 1
        let end = min(body.captured, body.end)
        guard body.offset < end, body.captured >= body.end else {
            counts.droppedFragments += 1
            return .nothing
        }
        var dropped = 0
        let isWhole = fragments.add(
            bytes.extracting(body.offset..<end), key, offset: offset, isLast: isLast,
            time: body.time, ordinal: counts.packets, &dropped)
        counts.droppedFragments += dropped
        guard isWhole else { return .nothing }
        counts.reassembled += 1
        let whole = Layer(
            offset: 0, captured: fragments.assembled.count, end: fragments.assembled.count,
            vlans: body.vlans, network: body.network)
        let segment = Self.tcp(fragments.assembled.span, whole, key.source, key.target)
        guard let segment else { return malformed() }
        counts.segments += 1
        return .assembled(segment)
    }

    @_optimize(speed)
    @inline(__always)
    private static func tcp(
        _ bytes: Span<UInt8>, _ layer: Layer, _ source: IPAddress, _ target: IPAddress
    ) -> Segment? {
        let start = layer.offset
        guard layer.has(20), layer.end &- start >= 20 else { return nil }
        let headerCount = Int(bytes[start &+ 12] >> 4) &* 4
        guard headerCount >= 20, start &+ headerCount <= layer.end else { return nil }
        var segment = Segment()
        segment.source = IPEndpoint(address: source, port: bytes.big16(start))
        segment.target = IPEndpoint(address: target, port: bytes.big16(start &+ 2))
        // Two VLAN tags take 26 bits.
        segment.vlans = layer.vlans | UInt32(layer.network) &<< 26
        segment.sequence = bytes.big32(start &+ 4)
        segment.acknowledgement = bytes.big32(start &+ 8)
        segment.flags = Segment.Flags(rawValue: bytes[start &+ 13])
        segment.window = bytes.big16(start &+ 14)
        let lower = min(start &+ headerCount, layer.captured)
        let upper = max(lower, min(layer.captured, layer.end))
        segment.payload = lower..<upper
        segment.uncaptured = layer.end &- max(upper, start &+ headerCount)
        return segment
    }
}
