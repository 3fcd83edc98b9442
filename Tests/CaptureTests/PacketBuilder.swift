@testable import Capture

/// TCP packet from which tests build captures byte by byte.
struct TCPPacket {
    var source = "10.0.0.1:50000"
    var target = "10.0.0.2:6667"
    var sequence: UInt32 = 0
    var acknowledgement: UInt32 = 0
    var flags: Segment.Flags = [.ack]
    var payload: [UInt8] = []
    var window = 0xFFFF
    /// Total length in the IP header; nil for the actual length.
    var ipLength: Int?

    /// The TCP segment.
    var tcp: [UInt8] {
        big16(Self.port(source)) + big16(Self.port(target)) + big32(sequence)
            + big32(acknowledgement) + [0x50, flags.rawValue] + big16(window) + [0, 0, 0, 0]
            + payload
    }

    /// The IPv4 packet.
    var ipv4: [UInt8] { Self.ipv4(tcp, source, target, length: ipLength) }

    /// The IPv6 packet with the given extension headers.
    func ipv6(_ extensions: [UInt8] = [], first: UInt8 = 6) -> [UInt8] {
        let body = extensions + tcp
        return [0x60, 0, 0, 0] + big16(body.count) + [first, 64]
            + Self.ipv6(source) + Self.ipv6(target) + body
    }

    static func ipv4(
        _ body: [UInt8], _ source: String, _ target: String, length: Int? = nil,
        identification: Int = 1, fragment: Int = 0
    ) -> [UInt8] {
        [0x45, 0] + big16(length ?? body.count + 20) + big16(identification) + big16(fragment)
            + [64, 6, 0, 0] + address(source) + address(target) + body
    }

    /// Splits the packet into fragments of `count` bytes, which must be a multiple of 8.
    func fragments(of count: Int, identification: Int = 7) -> [[UInt8]] {
        let body = tcp
        return stride(from: 0, to: body.count, by: count).map { start in
            let piece = Array(body[start..<min(start + count, body.count)])
            let more = start + count < body.count ? 0x2000 : 0
            return Self.ipv4(
                piece, source, target, identification: identification, fragment: more | start / 8)
        }
    }

    static func port(_ end: String) -> Int { Int(end.split(separator: ":").last ?? "") ?? 0 }

    static func address(_ end: String) -> [UInt8] {
        (end.split(separator: ":").first ?? "").split(separator: ".").map { UInt8($0) ?? 0 }
    }

    private static func ipv6(_ end: String) -> [UInt8] {
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 8) + address(end)
    }
}

func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }

func big32(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) }
}

/// Link-layer encapsulation.
enum Wrapping: CaseIterable {
    case ethernet, vlan, qinq, pppoe, snap, sll, sll2, raw, null, nullSwapped, loop, ppp, hdlc
    case nflog, nflogSwapped, ipInIP, ipInIPv6, gre, greWithKey, greFrame, erspan, erspanI, vxlan
    case geneve, twoTunnels

    var linkType: LinkType {
        switch self {
        case .ethernet, .vlan, .qinq, .pppoe, .snap: .ethernet
        case .sll: .linuxCooked
        case .sll2: .linuxCooked2
        case .raw, .ipInIP, .ipInIPv6, .gre, .greWithKey, .greFrame, .erspan, .erspanI: .raw
        case .vxlan, .geneve, .twoTunnels: .ethernet
        case .nflog, .nflogSwapped: .nflog
        case .null, .nullSwapped: .null
        case .loop: .loop
        case .ppp: .ppp
        case .hdlc: .pppHDLC
        }
    }

    func wrap(_ ip: [UInt8]) -> [UInt8] {
        let isIPv6 = ip[0] >> 4 == 6
        let type: [UInt8] = isIPv6 ? [0x86, 0xDD] : [0x08, 0x00]
        let ppp: [UInt8] = isIPv6 ? [0x00, 0x57] : [0x00, 0x21]
        let addresses = [UInt8](repeating: 2, count: 12)
        switch self {
        case .ethernet:
            // Padded to the minimum frame size.
            let frame = addresses + type + ip
            return frame + [UInt8](repeating: 0x58, count: max(0, 60 - frame.count))
        case .vlan: return addresses + [0x81, 0, 0, 5] + type + ip
        case .qinq: return addresses + [0x88, 0xA8, 0, 6, 0x81, 0, 0, 5] + type + ip
        case .pppoe:
            return addresses + [0x88, 0x64, 0x11, 0, 0, 1] + big16(ip.count + 2) + ppp + ip
        case .snap: return addresses + big16(ip.count + 8) + [0xAA, 0xAA, 3, 0, 0, 0] + type + ip
        case .sll: return [0, 0, 0, 1, 0, 6] + [UInt8](repeating: 0, count: 8) + type + ip
        case .sll2: return type + [UInt8](repeating: 0, count: 18) + ip
        case .raw: return ip
        case .null: return [isIPv6 ? 30 : 2, 0, 0, 0] + ip
        case .nullSwapped, .loop: return [0, 0, 0, isIPv6 ? 24 : 2] + ip
        case .ppp: return ppp.dropFirst() + ip
        case .hdlc: return [0xFF, 0x03] + ppp + ip
        // An interface index before the packet, and padding after it.
        case .nflog:
            let count = big16(ip.count + 4).reversed()
            return [2, 0, 0, 0, 8, 0, 5, 0, 1, 0, 0, 0] + count + [9, 0] + ip + [0, 0, 0]
        case .nflogSwapped:
            return [2, 0, 0, 0, 0, 8, 0, 5, 0, 0, 0, 1] + big16(ip.count + 4) + [0, 9] + ip
        case .ipInIP: return Self.outer(isIPv6 ? 41 : 4, ip)
        case .ipInIPv6:
            return [0x60, 0, 0, 0] + big16(ip.count) + [isIPv6 ? 41 : 4, 64]
                + [UInt8](repeating: 7, count: 32) + ip
        case .gre: return Self.outer(47, [0, 0] + type + ip)
        case .greWithKey:
            return Self.outer(47, [0xB0, 0] + type + [UInt8](repeating: 5, count: 12) + ip)
        case .greFrame:
            return Self.outer(47, [0, 0, 0x65, 0x58] + Self.ethernet.wrap(ip))
        case .erspan:
            return Self.outer(
                47, [0x10, 0, 0x88, 0xBE] + [UInt8](repeating: 1, count: 12) + Self.vlan.wrap(ip))
        case .erspanI: return Self.outer(47, [0, 0, 0x88, 0xBE] + Self.ethernet.wrap(ip))
        case .vxlan: return Self.ethernet.wrap(Self.outer(17, Self.vxlan(7, ip)))
        case .geneve:
            let udp = big16(50_000) + big16(6_081) + big16(8 + 12 + ip.count) + [0, 0]
            let header: [UInt8] = [1, 0] + type + [0, 0, 7, 0, 1, 2, 3, 4]
            return Self.ethernet.wrap(Self.outer(17, udp + header + ip))
        case .twoTunnels:
            return Self.ethernet.wrap(Self.outer(4, Self.outer(17, Self.vxlan(1, ip))))
        }
    }
}

extension Wrapping {
    /// An IPv4 packet that is not TCP.
    static func outer(_ number: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0x45, 0] + big16(body.count + 20) + [0, 1, 0, 0, 64, number, 0, 0]
            + [172, 16, 0, 1, 172, 16, 0, 2] + body
    }

    /// A UDP datagram with an Ethernet frame in VXLAN.
    static func vxlan(_ network: UInt8, _ ip: [UInt8]) -> [UInt8] {
        let frame = Self.ethernet.wrap(ip)
        return big16(50_000) + big16(4_789) + big16(16 + frame.count)
            + [0, 0, 8, 0, 0, 0, 0, 0, network, 0] + frame
    }
}

/// Packet in a capture file.
struct CapturedPacket {
    var bytes: [UInt8]
    var time: Int64 = 1_700_000_000_000_000_000
    /// Original length; nil if the packet was captured whole.
    var originalCount: Int?
    var interface = 0
}

/// A writer of capture files.
struct CaptureWriter {
    var isBigEndian = false
    var bytes: [UInt8] = []

    func number(_ value: UInt64, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
        return isBigEndian ? little.reversed() : little
    }

    static func pcap(
        _ packets: [CapturedPacket], linkType: LinkType = .ethernet, nanoseconds: Bool = false,
        bigEndian: Bool = false
    ) -> [UInt8] {
        var writer = CaptureWriter(isBigEndian: bigEndian)
        writer.bytes += writer.number(nanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4, 4)
        writer.bytes += writer.number(2, 2) + writer.number(4, 2) + writer.number(0, 8)
        writer.bytes += writer.number(262_144, 4) + writer.number(UInt64(linkType.number), 4)
        for packet in packets {
            let fraction = packet.time % 1_000_000_000
            writer.bytes += writer.number(UInt64(packet.time / 1_000_000_000), 4)
            writer.bytes += writer.number(UInt64(nanoseconds ? fraction : fraction / 1000), 4)
            writer.bytes += writer.number(UInt64(packet.bytes.count), 4)
            writer.bytes += writer.number(UInt64(packet.originalCount ?? packet.bytes.count), 4)
            writer.bytes += packet.bytes
        }
        return writer.bytes
    }

    mutating func block(_ type: UInt64, _ body: [UInt8]) {
        let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        bytes += number(type, 4) + number(UInt64(padded.count + 12), 4) + padded
        bytes += number(UInt64(padded.count + 12), 4)
    }

    mutating func section() {
        block(0x0A0D_0D0A, number(0x1A2B_3C4D, 4) + number(1, 2) + number(0, 2) + number(.max, 8))
    }

    mutating func interface(
        _ linkType: LinkType, resolution: UInt8? = nil, offset: Int64? = nil, snapLength: Int = 0
    ) {
        var body = number(UInt64(linkType.number), 2) + number(0, 2)
        body += number(UInt64(snapLength), 4)
        // A name option, which the parser skips: 3 bytes and 1 byte of padding.
        body += number(2, 2) + number(3, 2) + Array("lo0".utf8) + [0]
        if let resolution { body += number(9, 2) + number(1, 2) + [resolution, 0, 0, 0] }
        if let offset {
            body += number(14, 2) + number(8, 2) + number(UInt64(bitPattern: offset), 8)
        }
        block(1, body + number(0, 4))
    }

    mutating func packet(_ packet: CapturedPacket, units: UInt64) {
        let padding = [UInt8](repeating: 0, count: (4 - packet.bytes.count % 4) % 4)
        var body = number(UInt64(packet.interface), 4)
        body += number(units >> 32, 4) + number(units & 0xFFFF_FFFF, 4)
        body += number(UInt64(packet.bytes.count), 4)
        body += number(UInt64(packet.originalCount ?? packet.bytes.count), 4)
        // A comment after the packet.
        let comment = number(1, 2) + number(2, 2) + Array("hi".utf8) + [0, 0] + number(0, 4)
        block(6, body + packet.bytes + padding + comment)
    }
}
