/// Blocks of a pcapng file (draft-ietf-opsawg-pcapng), in little-endian byte order and with times
/// in nanoseconds.
struct PcapngBlocks: Sendable {
    /// The blocks written so far.
    private(set) var bytes: [UInt8] = []

    /// Number of bytes in a block before and after its body.
    private static let frameBytes = 12

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Starts a section of unspecified length.
    mutating func section() {
        block(0x0A0D_0D0A, bodyBytes: 16) {
            $0.append(number: 0x1A2B_3C4D)
            $0.bytes += [1, 0, 0, 0]
            $0.bytes += [UInt8](repeating: 0xFF, count: 8)
        }
    }

    /// Adds a description of the section's next interface.
    ///
    /// - Parameters:
    ///   - snapLength: Maximum number of bytes captured per packet; 0 if unlimited.
    ///   - name: Name of the interface; empty if it has none.
    mutating func interface(_ linkType: LinkType, snapLength: Int = 0, name: [UInt8] = []) {
        let nameBytes = name.isEmpty ? 0 : 4 + Self.padded(name.count)
        block(1, bodyBytes: 8 + nameBytes + 8 + 4) {
            $0.append(number: UInt32(linkType.number))
            $0.append(number: UInt32(clamping: snapLength))
            if !name.isEmpty {
                $0.append(number: 2 | UInt32(name.count) << 16)
                $0.bytes += name
                $0.pad(name.count)
            }
            // The time resolution, 10^-9, and the end of the options.
            $0.bytes += [9, 0, 1, 0, 9, 0, 0, 0] + [0, 0, 0, 0]
        }
    }

    /// Adds a packet from the interface with this index in the section.
    ///
    /// - Parameters:
    ///   - time: Time in nanoseconds since 1970.
    ///   - originalCount: Number of bytes in the packet on the wire.
    ///   - comments: UTF-8 texts of at most 65,535 bytes each.
    mutating func packet(
        _ packet: Span<UInt8>, interface: UInt32, time: Int64, originalCount: Int,
        comments: [[UInt8]] = []
    ) {
        let stamp = UInt64(max(time, 0))
        let commentBytes = comments.reduce(0) { $0 + 4 + Self.padded($1.count) }
        let optionBytes = comments.isEmpty ? 0 : commentBytes + 4
        block(6, bodyBytes: 20 + Self.padded(packet.count) + optionBytes) {
            $0.append(number: interface)
            $0.append(number: UInt32(stamp >> 32))
            $0.append(number: UInt32(truncatingIfNeeded: stamp))
            $0.append(number: UInt32(packet.count))
            $0.append(number: UInt32(clamping: originalCount))
            $0.append(packet)
            for comment in comments {
                $0.append(number: 1 | UInt32(comment.count) << 16)
                $0.bytes += comment
                $0.pad(comment.count)
            }
            if !comments.isEmpty { $0.append(number: 0) }
        }
    }

    /// Adds a packet without a time. It belongs to the section's first interface.
    mutating func simplePacket(_ packet: Span<UInt8>, originalCount: Int) {
        block(3, bodyBytes: 4 + Self.padded(packet.count)) {
            $0.append(number: UInt32(clamping: originalCount))
            $0.append(packet)
        }
    }

    private mutating func block(
        _ kind: UInt32, bodyBytes: Int, _ body: (inout PcapngBlocks) -> Void
    ) {
        let count = UInt32(Self.frameBytes + bodyBytes)
        append(number: kind)
        append(number: count)
        body(&self)
        append(number: count)
    }

    private mutating func append(number: UInt32) {
        for shift in [0, 8, 16, 24] as [UInt32] {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    private mutating func append(_ packet: Span<UInt8>) {
        unsafe packet.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        pad(packet.count)
    }

    /// Pads a field of `count` bytes to a multiple of 4 bytes.
    private mutating func pad(_ count: Int) {
        for _ in count..<Self.padded(count) { bytes.append(0) }
    }

    private static func padded(_ count: Int) -> Int { (count + 3) / 4 * 4 }
}
