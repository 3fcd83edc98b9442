import LineProtocol

/// Notation for a byte in dialect files: the character itself, a name, or `0xHH`.
package enum ByteName {
    static let help =
        "write the character in quotes, a name such as `space`, `tab`, `comma`, `LF`, `CR` or `NUL`, or `0xHH`"

    /// The names that editors should suggest. `blank` is omitted because it is an old name for
    /// `space`.
    package static let suggested = names.map(\.name).filter { $0 != "blank" }
    /// Regular expression for a byte in this notation. It ignores the case of names.
    package static let pattern =
        "^([\\x00-\\x7F]|0[xX][0-9A-Fa-f]{2}|"
        + names.map { ignoringCase($0.name) }.joined(separator: "|") + ")$"

    /// Returns a regular expression that matches a word regardless of case.
    static func ignoringCase(_ word: String) -> String {
        word.map { $0.isLetter ? "[\($0.uppercased())\($0.lowercased())]" : "\($0)" }.joined()
    }

    private static let names: [(name: String, byte: UInt8)] = [
        ("NUL", ASCII.nul), ("tab", ASCII.tab), ("LF", ASCII.lf), ("CR", ASCII.cr),
        ("space", ASCII.space), ("comma", 0x2C), ("colon", ASCII.colon),
        ("semicolon", ASCII.semicolon), ("pipe", ASCII.pipe), ("equals", ASCII.equals),
        ("slash", 0x2F), ("dot", ASCII.dot), ("quote", ASCII.quote),
        ("backslash", ASCII.backslash), ("percent", ASCII.percent), ("blank", ASCII.space),
        ("BEL", 0x07), ("BS", 0x08), ("VT", 0x0B), ("FF", 0x0C), ("ESC", 0x1B), ("DEL", 0x7F),
    ]

    static func byte(_ text: String) -> UInt8? {
        let bytes = Array(text.utf8)
        if bytes.count == 1 { return bytes[0] < 0x80 ? bytes[0] : nil }
        if bytes.count == 4, bytes[0] == ASCII.zero, bytes[1] | 0x20 == UInt8(ascii: "x"),
            let high = ASCII.hexValue(bytes[2]), let low = ASCII.hexValue(bytes[3])
        {
            return high << 4 | low
        }
        let lower = text.lowercased()
        return names.first { $0.name.lowercased() == lower }?.byte
    }

    /// Returns the byte as written in a dialect file, quoted if YAML requires it.
    static func yaml(_ byte: UInt8) -> String {
        if byte == ASCII.space || byte == ASCII.tab || byte < 0x20 || byte == 0x7F,
            let known = names.first(where: { $0.byte == byte })
        {
            return known.name
        }
        guard byte > 0x20, byte < 0x7F else { return hex(byte) }
        let character = String(UnicodeScalar(byte))
        let isWord = ASCII.isDigit(byte) || (byte | 0x20) &- 0x61 < 26
        if isWord { return character }
        return character == "'" ? "\"'\"" : "'\(character)'"
    }

    /// Returns the byte as written in an argument's type.
    static func bare(_ byte: UInt8) -> String {
        if let known = names.first(where: { $0.byte == byte }) { return known.name }
        return byte > 0x20 && byte < 0x7F ? String(UnicodeScalar(byte)) : hex(byte)
    }

    /// Returns the byte as shown in messages.
    static func shown(_ byte: UInt8) -> String {
        if let known = names.first(where: { $0.byte == byte }), byte <= ASCII.space || byte == 0x7F
        {
            return known.name
        }
        return byte > 0x20 && byte < 0x7F ? "`\(UnicodeScalar(byte))`" : hex(byte)
    }

    static func hex(_ byte: UInt8) -> String {
        let digits = [ASCII.hexDigit(byte >> 4), ASCII.hexDigit(byte)]
        return "0x" + String(decoding: digits, as: UTF8.self)
    }
}
