import LineProtocol

/// A TCP connection whose packets are generated instead of captured.
struct SyntheticConnection: Sendable {
    private static let segmentBytesMax = 32_768

    let client: IPEndpoint
    let server: IPEndpoint
    /// Next sequence numbers of the client and the server.
    private var next: (client: UInt32, server: UInt32)

    /// - Parameter number: Number of the connection. Connections with the same endpoints must have
    ///   different numbers, so that readers can distinguish them.
    init(client: IPEndpoint, server: IPEndpoint, number: Int) {
        self.client = client
        self.server = server
        let first = UInt32(truncatingIfNeeded: number) &* 0x9E37_79B1
        next = (first, ~first)
    }

    /// Returns the packets with which one side sends data.
    mutating func packets(_ data: [UInt8], from direction: Direction) -> [[UInt8]] {
        stride(from: 0, to: data.count, by: Self.segmentBytesMax).map { start in
            let end = min(start + Self.segmentBytesMax, data.count)
            return packet([.push, .ack], data[start..<end], from: direction)
        }
    }

    /// Returns the next packet of one side: an Ethernet frame.
    mutating func packet(
        _ flags: Segment.Flags, _ data: ArraySlice<UInt8> = [], from direction: Direction
    ) -> [UInt8] {
        let isFromClient = direction == .fromClient
        let (source, target) = isFromClient ? (client, server) : (server, client)
        let (own, other) = isFromClient ? next : (next.server, next.client)
        var segment = Self.big(source.port, 2) + Self.big(target.port, 2) + Self.big(own, 4)
        segment += Self.big(flags.contains(.ack) ? other : 0, 4)
        segment += [0x50, flags.rawValue, 0xFF, 0xFF, 0, 0, 0, 0] + data
        skip(data.count + (flags.isDisjoint(with: [.syn, .fin]) ? 0 : 1), from: direction)
        return Self.frame(segment, source.address, target.address)
    }

    /// Leaves out bytes that one side has sent, so that readers find a gap.
    mutating func skip(_ count: Int, from direction: Direction) {
        let count = UInt32(truncatingIfNeeded: count)
        switch direction {
        case .fromClient: next.client &+= count
        case .fromServer: next.server &+= count
        }
    }

    private static func frame(
        _ segment: [UInt8], _ source: IPAddress, _ target: IPAddress
    ) -> [UInt8] {
        var segment = segment
        let addresses = address(source) + address(target)
        let sum = checksum(addresses + big(segment.count, 4) + [0, 0, 0, 6] + segment)
        segment.replaceSubrange(16..<18, with: sum)
        var header: [UInt8]
        if source.isIPv4 {
            header = [0x45, 0] + big(20 + segment.count, 2) + [0, 0, 0x40, 0, 64, 6, 0, 0]
            header += addresses
            header.replaceSubrange(10..<12, with: checksum(header))
        } else {
            header = [0x60, 0, 0, 0] + big(segment.count, 2) + [6, 64] + addresses
        }
        let type: [UInt8] = source.isIPv4 ? [0x08, 0x00] : [0x86, 0xDD]
        return [UInt8](repeating: 0, count: 12) + type + header + segment
    }

    private static func address(_ address: IPAddress) -> [UInt8] {
        address.ipv4.map { big($0, 4) } ?? big(address.high, 8) + big(address.low, 8)
    }

    private static func big(_ value: some BinaryInteger, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    /// Returns the Internet checksum of `bytes`.
    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var sum: UInt32 = 0
        for index in stride(from: 0, to: bytes.count, by: 2) {
            let low = index + 1 < bytes.count ? UInt32(bytes[index + 1]) : 0
            sum += UInt32(bytes[index]) << 8 | low
            sum = sum & 0xFFFF + sum >> 16
        }
        return big(~sum & 0xFFFF, 2)
    }
}
