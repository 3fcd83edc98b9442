/// Classes of ASCII characters.
enum ASCIIText {
    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns true for letters and digits.
    @inline(__always)
    static func isWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

    @inline(__always)
    static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    /// Returns true for control characters other than tabs and line ends.
    @inline(__always)
    static func isInvisible(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != UInt8(ascii: "\t") && !isLineEnd(byte) || byte == 0x7F
    }

    /// Returns the value of a hexadecimal digit; nil for any other character.
    @inline(__always)
    static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}
