/// Numbers as digits and lower case letters, five bits each, most significant first.
package enum Base32 {
    /// The highest number that so many digits hold.
    package static func most(digits: Int) -> UInt64 { 1 << UInt64(5 * digits) - 1 }

    static func write(
        _ value: UInt64, _ digits: Int, to bytes: inout MutableSpan<UInt8>, at place: Int
    ) {
        var rest = value
        var at = place &+ digits
        while at > place {
            at &-= 1
            let digit = UInt8(truncatingIfNeeded: rest & 31)
            bytes[at] = digit < 10 ? 0x30 &+ digit : 0x57 &+ digit
            rest >>= 5
        }
    }

    /// The number that stands there; nil where something else does. Without branches: what stands there looks
    /// random, and a processor would guess wrong every other time.
    static func read(_ bytes: Span<UInt8>, _ place: Int, _ digits: Int) -> UInt64? {
        var value: UInt64 = 0
        var isNumber: UInt8 = 1
        for at in place..<place + digits {
            let digit = bytes[at] &- 0x30
            let letter = bytes[at] &- 0x61
            isNumber &= (digit < 10 ? 1 : 0) | (letter < 22 ? 1 : 0)
            value = value << 5 | UInt64(digit < 10 ? digit : (letter &+ 10) & 31)
        }
        return isNumber == 1 ? value : nil
    }
}
