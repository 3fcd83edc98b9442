/// Base64 encoding with padding (RFC 4648 §4).
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = 0
            for offset in 0..<3 {
                bits = bits << 8 | (offset < group.count ? Int(group[start + offset]) : 0)
            }
            for digit in 0..<4 {
                result.append(
                    digit <= group.count ? alphabet[bits >> (18 - 6 * digit) & 63] : 0x3D)
            }
        }
        return result
    }

    /// Returns the decoded bytes; nil if the text is not valid base64.
    package static func decoded(_ text: [UInt8]) -> [UInt8]? {
        guard text.count.isMultiple(of: 4) else { return nil }
        let digits = text.prefix { $0 != 0x3D }
        guard text.count - digits.count <= 2, text[digits.count...].allSatisfy({ $0 == 0x3D })
        else { return nil }
        var result: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in digits {
            guard let value = value(byte) else { return nil }
            bits = bits << 6 | value
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return result
    }

    private static func value(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte - 0x41)
        case 0x61...0x7A: UInt32(byte - 0x61 + 26)
        case 0x30...0x39: UInt32(byte - 0x30 + 52)
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
