/// Characters outside ASCII that take no room.
enum InvisibleText {
    /// Returns true if the byte can start such a character.
    @inline(__always)
    static func canStart(_ byte: UInt8) -> Bool { byte >= 0xC2 }

    /// Returns true for zero-width spaces, marks of the direction of writing, combining accents and
    /// the like.
    static func contains(_ value: UInt32) -> Bool {
        guard value > 0x7F, let properties = Unicode.Scalar(value)?.properties else { return false }
        switch properties.generalCategory {
        case .format, .control, .nonspacingMark, .enclosingMark: return true
        default: return properties.isDefaultIgnorableCodePoint
        }
    }

    /// Returns the offset after such a character; nil if there is none.
    static func end(in bytes: [UInt8], at start: Int) -> Int? {
        let first = bytes[start]
        guard canStart(first), first < 0xF5 else { return nil }
        let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard start + count <= bytes.count else { return nil }
        var value = UInt32(first & (0x7F >> UInt8(count)))
        for byte in bytes[start + 1..<start + count] {
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return contains(value) ? start + count : nil
    }
}
