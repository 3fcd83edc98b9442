/// Dissects packets of the NFLOG target of Linux netfilter.
extension PacketDissector {
    /// Type of the attribute that contains the packet.
    private static let payloadType = 9
    /// Maximum number of attributes per packet. Linux defines about 20.
    private static let attributesMax = 64

    /// Dissects a header of 4 bytes and the attributes after it, one of which is an IP packet.
    /// Attributes are in the byte order of the capturing machine.
    mutating func nflog(_ bytes: Span<UInt8>, _ layer: Layer) -> Content {
        guard layer.has(4), bytes[layer.offset + 1] == 0 else { return malformed() }
        var layer = Layer(layer, after: 4)
        for _ in 0..<Self.attributesMax where layer.has(4) {
            // Types are less than 256, so one of the two bytes is 0.
            let isBigEndian = bytes[layer.offset + 2] == 0
            func number(_ offset: Int) -> Int {
                let value = bytes.big16(layer.offset + offset)
                return Int(isBigEndian ? value : value.byteSwapped)
            }
            let count = number(0)
            guard count >= 4 else { return malformed() }
            if number(2) == Self.payloadType {
                var packet = Layer(layer, after: 4)
                packet.end = min(packet.end, layer.offset + count)
                packet.captured = min(packet.captured, packet.end)
                return raw(bytes, packet)
            }
            layer.offset += (count + 3) & ~3
        }
        return malformed()
    }
}
