/// A TCP segment from a captured packet.
struct Segment: Sendable, Equatable {
    var source = IPEndpoint()
    var target = IPEndpoint()
    /// Up to two VLAN tags, each as a presence bit followed by a 12-bit id. In tunnels, the upper 6
    /// bits are a hash of the virtual network's id.
    var vlans: UInt32 = 0
    var sequence: UInt32 = 0
    var acknowledgement: UInt32 = 0
    var flags = Flags()
    /// The advertised receive window, without window scaling.
    var window: UInt16 = 0
    /// Range of the captured payload.
    var payload: Range<Int> = 0..<0
    /// Number of payload bytes that were cut off by the snap length.
    var uncaptured = 0

    /// TCP flags.
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        static let fin = Flags(rawValue: 1)
        static let syn = Flags(rawValue: 2)
        static let rst = Flags(rawValue: 4)
        static let push = Flags(rawValue: 8)
        static let ack = Flags(rawValue: 16)
        static let synOrReset = Flags(rawValue: 2 | 4)
    }
}

/// An IP address and a port.
package struct IPEndpoint: Sendable, Hashable {
    package var address = IPAddress()
    package var port: UInt16 = 0
}

/// An IPv4 or IPv6 address. IPv4 addresses are distinct from all IPv6 addresses.
package struct IPAddress: Sendable, Hashable {
    /// The upper half of an IPv6 address.
    var high: UInt64 = 0
    /// The lower half of an IPv6 address, or an IPv4 address with the `mapped` prefix.
    var low: UInt64 = 0

    /// Prefix of IPv4-mapped IPv6 addresses (RFC 4291 §2.5.5.2).
    private static let mapped: UInt64 = 0xFFFF_0000_0000

    init() {}

    init(ipv4 value: UInt32) { low = Self.mapped | UInt64(value) }

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == Self.mapped >> 32 }

    /// The value of an IPv4 address; nil for an IPv6 address.
    var ipv4: UInt32? { isIPv4 ? UInt32(truncatingIfNeeded: low) : nil }

    /// The address as text, such as `192.0.2.1`; IPv6 addresses are formatted according to RFC
    /// 5952.
    package var text: String {
        if isIPv4 {
            return (0..<4).map { String(low >> (24 - 8 * UInt64($0)) & 0xFF) }
                .joined(separator: ".")
        }
        let groups = (0..<8).map { index -> UInt64 in
            let half = index < 4 ? high : low
            return half >> (48 - 16 * UInt64(index % 4)) & 0xFFFF
        }
        let zeros = Self.longestZeros(groups)
        let parts = groups.map { String($0, radix: 16) }
        guard zeros.count > 1 else { return parts.joined(separator: ":") }
        return parts[..<zeros.lowerBound].joined(separator: ":") + "::"
            + parts[zeros.upperBound...].joined(separator: ":")
    }

    private static func longestZeros(_ groups: [UInt64]) -> Range<Int> {
        var best = 0..<0
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start > best.count { best = start..<end }
            start = max(end, start + 1)
        }
        return best
    }
}

extension IPEndpoint {
    /// The endpoint as text, such as `192.0.2.1:6667` or `[2001:db8::1]:6667`.
    package var text: String {
        address.isIPv4 ? "\(address.text):\(port)" : "[\(address.text)]:\(port)"
    }
}
