/// An authenticated cipher, with the hash function that all TLS cipher suites combine it with.
enum TLSAlgorithm: Sendable, CaseIterable {
    case aes128GCM, aes256GCM, chaCha20

    var keyBytes: Int { self == .aes128GCM ? 16 : 32 }
    /// Length of the hash function's output in bytes: that of SHA-384 or SHA-256.
    var hashBytes: Int { self == .aes256GCM ? 48 : 32 }
}

/// Cipher suites of TLS, by number.
enum TLSSuite {
    /// Returns the cipher of a suite; nil if the suite is not supported.
    static func algorithm(_ number: UInt16, isTLS13: Bool) -> TLSAlgorithm? {
        if isTLS13 {
            return number == 0x1301
                ? .aes128GCM : number == 0x1302 ? .aes256GCM : number == 0x1303 ? .chaCha20 : nil
        }
        switch number {
        // Suites with GCM alternate between the two key lengths.
        case 0x009C...0x00AD: return number & 1 == 0 ? .aes128GCM : .aes256GCM
        case 0xC02B...0xC032, 0xD001...0xD002: return number & 1 == 1 ? .aes128GCM : .aes256GCM
        case 0xCCA8...0xCCAE: return .chaCha20
        default: return nil
        }
    }

    /// Returns the name of a suite that is not supported, such as `TLS_RSA_WITH_AES_128_CBC_SHA`,
    /// or its number.
    static func name(_ number: UInt16) -> String {
        if let name = names[number] { return "TLS_\(name)" }
        let digits = String(number, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }

    private static let names: [UInt16: String] = [
        0x0001: "RSA_WITH_NULL_MD5", 0x0002: "RSA_WITH_NULL_SHA", 0x003B: "RSA_WITH_NULL_SHA256",
        0x0004: "RSA_WITH_RC4_128_MD5", 0x0005: "RSA_WITH_RC4_128_SHA",
        0x000A: "RSA_WITH_3DES_EDE_CBC_SHA", 0x0016: "DHE_RSA_WITH_3DES_EDE_CBC_SHA",
        0x002F: "RSA_WITH_AES_128_CBC_SHA", 0x0035: "RSA_WITH_AES_256_CBC_SHA",
        0x0033: "DHE_RSA_WITH_AES_128_CBC_SHA", 0x0039: "DHE_RSA_WITH_AES_256_CBC_SHA",
        0x003C: "RSA_WITH_AES_128_CBC_SHA256", 0x003D: "RSA_WITH_AES_256_CBC_SHA256",
        0x0067: "DHE_RSA_WITH_AES_128_CBC_SHA256", 0x006B: "DHE_RSA_WITH_AES_256_CBC_SHA256",
        0x0041: "RSA_WITH_CAMELLIA_128_CBC_SHA", 0x0084: "RSA_WITH_CAMELLIA_256_CBC_SHA",
        0xC007: "ECDHE_ECDSA_WITH_RC4_128_SHA", 0xC011: "ECDHE_RSA_WITH_RC4_128_SHA",
        0xC009: "ECDHE_ECDSA_WITH_AES_128_CBC_SHA", 0xC00A: "ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
        0xC013: "ECDHE_RSA_WITH_AES_128_CBC_SHA", 0xC014: "ECDHE_RSA_WITH_AES_256_CBC_SHA",
        0xC023: "ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
        0xC024: "ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
        0xC027: "ECDHE_RSA_WITH_AES_128_CBC_SHA256", 0xC028: "ECDHE_RSA_WITH_AES_256_CBC_SHA384",
        0xC09C: "RSA_WITH_AES_128_CCM", 0xC09D: "RSA_WITH_AES_256_CCM",
        0xC0AC: "ECDHE_ECDSA_WITH_AES_128_CCM", 0xC0AD: "ECDHE_ECDSA_WITH_AES_256_CCM",
        0xC0AE: "ECDHE_ECDSA_WITH_AES_128_CCM_8", 0xC0AF: "ECDHE_ECDSA_WITH_AES_256_CCM_8",
        0x1304: "AES_128_CCM_SHA256", 0x1305: "AES_128_CCM_8_SHA256",
    ]
}
