extension SecretSpelling {
    /// Returns other forms of a secret that are masked like secrets of their own.
    static func variants(of secret: [UInt8]) -> [[UInt8]] {
        var found: [[UInt8]] = []
        if secret.contains(where: { $0 >= 0x80 }) { found += encodings(of: secret) }
        // In a quoted word of a shell.
        found += [#"'\''"#, #"'"'"'"#].map { replacing(UInt8(ascii: "'"), with: $0, in: secret) }
        // In SQL, CSV and YAML.
        found.append(replacing(UInt8(ascii: "'"), with: "''", in: secret))
        found.append(replacing(UInt8(ascii: "\""), with: "\"\"", in: secret))
        // In an encoded word of a mail header (RFC 2047 §4.2).
        found.append(replacing(UInt8(ascii: " "), with: "_", in: secret))
        // As a terminal shows it if both sides echo it.
        found.append(secret.flatMap { [$0, $0] })
        if let rest = LooseCharacters.afterFirst(secret) { found.append(rest) }
        return found.filter { $0.count >= embeddedBytesMin && $0 != secret }
    }

    /// Returns text outside ASCII in other encodings, and in upper and lower case. Zero bytes
    /// between bytes do not matter, so Latin-1 includes UTF-16.
    private static func encodings(of secret: [UInt8]) -> [[UInt8]] {
        guard let text = String(validating: secret, as: UTF8.self) else { return [] }
        let scalars = text.unicodeScalars
        var found =
            scalars.allSatisfy { $0.value < 256 }
            ? [scalars.map { UInt8(truncatingIfNeeded: $0.value) }]
            : [
                text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
                text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
            ]
        found += [garbled(secret) { UInt32($0) }, garbled(secret, as: windowsScalar)]
        // As `cat -v` shows it.
        found.append(secret.flatMap { $0 < 0x80 ? [$0] : Array("M-".utf8) + caret($0 & 0x7F) })
        if secret.count >= foldedBytesMin {
            found += [Array(text.uppercased().utf8), Array(text.lowercased().utf8)]
        }
        return found
    }

    /// Returns a character, or a control character such as `^A`.
    private static func caret(_ byte: UInt8) -> [UInt8] {
        byte < 0x20 || byte == 0x7F ? [UInt8(ascii: "^"), byte ^ 0x40] : [byte]
    }

    /// Returns UTF-8 that was read as another encoding and written as UTF-8 again, such as `Ã©` for
    /// `é`.
    private static func garbled(
        _ secret: [UInt8], as scalar: (UInt8) -> UInt32
    ) -> [UInt8] {
        secret.flatMap { byte in
            Unicode.Scalar(scalar(byte)).flatMap { UTF8.encode($0) }.map(Array.init) ?? [byte]
        }
    }

    /// Returns the scalar that a byte represents in Windows-1252.
    private static func windowsScalar(_ byte: UInt8) -> UInt32 {
        (0x80...0x9F).contains(byte) ? windowsScalars[Int(byte) - 0x80] : UInt32(byte)
    }

    private static let windowsScalars = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars.map(\.value))

    private static func replacing(
        _ byte: UInt8, with text: String, in secret: [UInt8]
    ) -> [UInt8] {
        secret.flatMap { $0 == byte ? Array(text.utf8) : [$0] }
    }

    /// Returns the password in the data of SASL PLAIN (RFC 4616), base64 of `identity NUL name NUL
    /// password`, or of SASL LOGIN, base64 of the name or the password; nil if this is something
    /// else.
    static func saslPassword(in secret: [UInt8]) -> [UInt8]? {
        var digits = secret[...]
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        let values = digits.compactMap { DigitAlphabet.base64[$0] }
        guard values.count == digits.count else { return nil }
        var decoded: [UInt8] = []
        SecretScanner.decode(values[...], DigitAlphabet.base64.bits, to: &decoded)
        let parts = decoded.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 1, let password = parts.last,
            password != secret[...], password.count >= SecretMask.outputBytesMin,
            !password.allSatisfy(ASCIIText.isDigit),
            parts.count == 3 || isText(password)
        else { return nil }
        return Array(password)
    }

    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        String(validating: bytes, as: UTF8.self)?.unicodeScalars.allSatisfy {
            $0.value >= 0x20 && $0.value != 0x7F
        } ?? false
    }
}
