import LineProtocol

/// A header of the PROXY protocol (versions 1 and 2), in which a proxy names the client for which
/// it opened the connection.
struct ProxyHeader: Equatable {
    /// Maximum length of a header in version 1, in bytes.
    private static let textBytesMax = 107
    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]

    /// The client's address; nil if the proxy opened the connection for itself, or does not know
    /// the client.
    var client: IPEndpoint?
    /// Length of the header in bytes.
    var count: Int

    /// Returns whether the bytes may start with a header. Cheap enough to call for every segment.
    @inline(__always)
    static func mayStart(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 8 else { return false }
        return bytes[0] == 0x50
            ? bytes[2] == 0x4F && bytes[4] == 0x59 && bytes[5] == 0x20
            : bytes[0] == 0x0D && bytes[4] == 0
    }

    /// Reads the header at the start of a stream; nil if there is none, or if it is incomplete.
    init?(_ bytes: Span<UInt8>) {
        guard let header = Self.binary(bytes) ?? Self.text(bytes) else { return nil }
        self = header
    }

    private init(_ client: IPEndpoint?, count: Int) {
        self.client = client
        self.count = count
    }

    private static func text(_ bytes: Span<UInt8>) -> ProxyHeader? {
        let start = bytes.array(0..<min(bytes.count, textBytesMax))
        guard start.starts(with: "PROXY ".utf8), let end = start.firstIndex(of: ASCII.lf),
            start[end - 1] == ASCII.cr
        else { return nil }
        let words = String(decoding: start[..<(end - 1)], as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        if words[1] == "UNKNOWN" { return ProxyHeader(nil, count: end + 1) }
        guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6",
            let address = IPAddress(text: words[2]), address.isIPv4 == (words[1] == "TCP4"),
            let port = UInt16(words[4])
        else { return nil }
        return ProxyHeader(IPEndpoint(address: address, port: port), count: end + 1)
    }

    private static func binary(_ bytes: Span<UInt8>) -> ProxyHeader? {
        guard bytes.count >= 16,
            signature.indices.allSatisfy({ bytes[$0] == signature[$0] }), bytes[12] >> 4 == 2
        else { return nil }
        let count = 16 + Int(bytes.big16(14))
        guard bytes.count >= count else { return nil }
        // Command 0 means that the proxy opened the connection for itself. Address families: 1
        // IPv4, 2 IPv6.
        switch (bytes[12] & 15, bytes[13] >> 4) {
        case (1, 1) where count >= 28:
            let address = IPAddress(ipv4: bytes.big32(16))
            return ProxyHeader(IPEndpoint(address: address, port: bytes.big16(24)), count: count)
        case (1, 2) where count >= 52:
            let address = IPAddress(high: bytes.big64(16), low: bytes.big64(24))
            return ProxyHeader(IPEndpoint(address: address, port: bytes.big16(48)), count: count)
        case (0, _), (1, _): return ProxyHeader(nil, count: count)
        default: return nil
        }
    }
}

extension IPAddress {
    /// Parses an address such as `192.0.2.1` or `2001:db8::1`; nil for anything else.
    init?(text: some StringProtocol) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        if numbers.count == 4 {
            var value: UInt32 = 0
            for number in numbers {
                guard let byte = UInt8(number) else { return nil }
                value = value << 8 | UInt32(byte)
            }
            self.init(ipv4: value)
            return
        }
        let halves = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        let groups = halves.map { half in
            half.split(separator: ":", omittingEmptySubsequences: false).filter {
                !half.isEmpty || !$0.isEmpty
            }
        }
        let count = groups.reduce(0) { $0 + $1.count }
        guard groups.count == 2 ? count < 8 : count == 8 else { return nil }
        let zeros = Array(repeating: "0" as Substring, count: 8 - count)
        let first = groups[0].map { Substring($0) }
        let last = groups.count == 2 ? groups[1].map { Substring($0) } : []
        var words: [UInt64] = []
        for group in first + zeros + last {
            guard (1...4).contains(group.count), let word = UInt64(group, radix: 16) else {
                return nil
            }
            words.append(word)
        }
        let (high, low) = (words[..<4], words[4...])
        self.init(
            high: high.reduce(0) { $0 << 16 | $1 }, low: low.reduce(0) { $0 << 16 | $1 })
    }
}
