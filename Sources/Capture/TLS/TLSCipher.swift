#if TLS
    import CBoringSSL
#endif

/// A cipher with the keys of one direction, which decrypts records.
@safe final class TLSCipher {
    /// True if this build can decrypt.
    #if TLS
        static let isAvailable = true
    #else
        static let isAvailable = false
    #endif

    /// Length of a nonce in bytes.
    private static let nonceBytes = 12
    /// Length of the part of the nonce that each record of TLS 1.2 with GCM contains, in bytes.
    private static let explicitBytes = 8
    /// Length of the tag that authenticates a record, in bytes.
    private static let tagBytes = 16

    private let context: OpaquePointer
    private let isTLS13: Bool
    /// True if records contain a part of their nonce.
    private let isExplicit: Bool
    /// The nonce of record 0, or its fixed part followed by zeros.
    private let vector: [UInt8]
    private var nonce: [UInt8]
    private var additional: [UInt8]

    /// Number of bytes that a record has in addition to its content.
    var overheadBytes: Int { Self.tagBytes + (isExplicit ? Self.explicitBytes : 0) }

    /// Returns the number of bytes of the nonce that are derived from secrets.
    static func vectorBytes(_ algorithm: TLSAlgorithm, isTLS13: Bool) -> Int {
        isTLS13 || algorithm == .chaCha20 ? nonceBytes : nonceBytes - explicitBytes
    }

    /// Creates a cipher; nil if this build cannot decrypt.
    ///
    /// - Parameter vector: The part of the nonce that is derived from secrets.
    init?(_ algorithm: TLSAlgorithm, isTLS13: Bool, key: [UInt8], vector: [UInt8]) {
        #if TLS
            let method =
                switch algorithm {
                case .aes128GCM: unsafe CNIOBoringSSL_EVP_aead_aes_128_gcm()
                case .aes256GCM: unsafe CNIOBoringSSL_EVP_aead_aes_256_gcm()
                case .chaCha20: unsafe CNIOBoringSSL_EVP_aead_chacha20_poly1305()
                }
            let made = unsafe CNIOBoringSSL_EVP_AEAD_CTX_new(method, key, key.count, 0)
            guard let made = unsafe made else { return nil }
            unsafe context = made
            self.isTLS13 = isTLS13
            isExplicit = vector.count < Self.nonceBytes
            self.vector =
                vector + [UInt8](repeating: 0, count: max(0, Self.nonceBytes - vector.count))
            nonce = self.vector
            additional = [UInt8](repeating: 0, count: isTLS13 ? 5 : 13)
        #else
            return nil
        #endif
    }

    deinit {
        #if TLS
            unsafe CNIOBoringSSL_EVP_AEAD_CTX_free(context)
        #endif
    }

    /// Decrypts a record. Returns the length of its content, or nil if the record is not authentic.
    ///
    /// - Parameters:
    ///   - record: The record with its header.
    ///   - content: Receives the content. It must be as long as the longest record.
    func open(_ record: Span<UInt8>, sequence: UInt64, into content: inout [UInt8]) -> Int? {
        let start = TLSRecord.headerBytes + (isExplicit ? Self.explicitBytes : 0)
        let count = record.count - start - Self.tagBytes
        guard count >= 0, count <= content.count else { return nil }
        for index in 0..<8 {
            let byte = UInt8(truncatingIfNeeded: sequence >> UInt64(8 * (7 - index)))
            nonce[4 + index] = isExplicit ? record[5 + index] : vector[4 + index] ^ byte
            if !isTLS13 { additional[index] = byte }
        }
        let header = isTLS13 ? 0 : 8
        for index in 0..<TLSRecord.headerBytes { additional[header + index] = record[index] }
        if !isTLS13 {
            // The length of the content, not of the record.
            additional[11] = UInt8(truncatingIfNeeded: count >> 8)
            additional[12] = UInt8(truncatingIfNeeded: count)
        }
        #if TLS
            var written = 0
            let sealed = record.extracting(start..<record.count)
            let isAuthentic = unsafe content.withUnsafeMutableBufferPointer { content in
                unsafe sealed.withUnsafeBufferPointer { sealed in
                    unsafe CNIOBoringSSL_EVP_AEAD_CTX_open(
                        context, content.baseAddress, &written, content.count, nonce, nonce.count,
                        sealed.baseAddress, sealed.count, additional, additional.count)
                }
            }
            if isAuthentic == 1 { return written }
            CNIOBoringSSL_ERR_clear_error()
        #endif
        return nil
    }
}

/// Key derivation of TLS.
enum TLSDerivation {
    /// Derives bytes with a label from a secret of TLS 1.3 (HKDF-Expand-Label with an empty
    /// context, RFC 8446 §7.1).
    static func expand(
        _ secret: [UInt8], _ label: String, count: Int, _ algorithm: TLSAlgorithm
    ) -> [UInt8] {
        let label = Array("tls13 \(label)".utf8)
        let information =
            [UInt8(count >> 8), UInt8(count & 0xFF), UInt8(label.count)] + label + [0]
        var output = [UInt8](repeating: 0, count: count)
        #if TLS
            _ = unsafe CNIOBoringSSL_HKDF_expand(
                &output, count, digest(algorithm), secret, secret.count, information,
                information.count)
        #endif
        return output
    }

    /// Derives bytes from a master secret (the PRF of TLS 1.2, RFC 5246 §5).
    static func expand(
        master secret: [UInt8], _ label: String, _ seed: [UInt8], count: Int,
        _ algorithm: TLSAlgorithm
    ) -> [UInt8] {
        let seed = Array(label.utf8) + seed
        var output: [UInt8] = []
        var chained = seed
        while output.count < count {
            chained = code(secret, chained, algorithm)
            output += code(secret, chained + seed, algorithm)
        }
        return Array(output.prefix(count))
    }

    /// Returns a message authentication code (HMAC).
    private static func code(
        _ key: [UInt8], _ data: [UInt8], _ algorithm: TLSAlgorithm
    ) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: algorithm.hashBytes)
        #if TLS
            _ = unsafe CNIOBoringSSL_HMAC(
                digest(algorithm), key, key.count, data, data.count, &output, nil)
        #endif
        return output
    }

    #if TLS
        private static func digest(_ algorithm: TLSAlgorithm) -> OpaquePointer? {
            unsafe algorithm == .aes256GCM
                ? CNIOBoringSSL_EVP_sha384() : CNIOBoringSSL_EVP_sha256()
        }
    #endif
}
