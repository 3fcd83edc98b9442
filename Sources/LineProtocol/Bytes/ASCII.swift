/// Byte values with a special role in line protocols.
public enum ASCII {
    /// NUL.
    public static let nul: UInt8 = 0x00
    /// Horizontal tab.
    public static let tab: UInt8 = 0x09
    /// Line feed.
    public static let lf: UInt8 = 0x0A
    /// Carriage return.
    public static let cr: UInt8 = 0x0D
    /// Space.
    public static let space: UInt8 = 0x20
    /// `"`
    public static let quote: UInt8 = 0x22
    /// `%`
    public static let percent: UInt8 = 0x25
    /// `*`
    static let asterisk: UInt8 = 0x2A
    /// `+`
    public static let plus: UInt8 = 0x2B
    /// `,`
    static let comma: UInt8 = 0x2C
    /// `-`
    public static let minus: UInt8 = 0x2D
    /// `.`
    public static let dot: UInt8 = 0x2E
    /// `0`
    public static let zero: UInt8 = 0x30
    /// `9`
    public static let nine: UInt8 = 0x39
    /// `:`
    public static let colon: UInt8 = 0x3A
    /// `;`
    public static let semicolon: UInt8 = 0x3B
    /// `=`
    public static let equals: UInt8 = 0x3D
    /// `@`
    public static let at: UInt8 = 0x40
    /// `[`
    static let openBracket: UInt8 = 0x5B
    /// `\`
    public static let backslash: UInt8 = 0x5C
    /// `]`
    static let closeBracket: UInt8 = 0x5D
    /// `{`
    static let openBrace: UInt8 = 0x7B
    /// `|`
    public static let pipe: UInt8 = 0x7C
    /// `}`
    static let closeBrace: UInt8 = 0x7D

    /// Telnet's "interpret as command" byte (RFC 854).
    public static let iac: UInt8 = 0xFF

    /// Returns true if the byte is a decimal digit.
    @inlinable
    public static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    /// Returns true if the byte is an ASCII letter.
    @inline(__always)
    package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// Returns the upper-case form of an ASCII letter, and any other byte unchanged.
    @inlinable
    public static func uppercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x61 < 26 ? byte & 0xDF : byte
    }

    /// Returns true if two byte strings are equal, ignoring the case of ASCII letters.
    @inlinable
    package static func isSame(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        one.count == other.count
            && one.indices.allSatisfy { uppercased(one[$0]) == uppercased(other[$0]) }
    }

    /// Returns the value of a hexadecimal digit, or nil.
    @inlinable
    public static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// Returns the upper-case hexadecimal digit for the low four bits.
    @inlinable
    public static func hexDigit(_ value: UInt8) -> UInt8 {
        let low = value & 15
        return low < 10 ? low + zero : low - 10 + 0x41
    }
}
