/// Fixed-width base-32 numbers. Each digit, `0` to `9` or `a` to `v`, encodes five bits; the most
/// significant digit comes first.
package enum Base32 {
    /// Returns the largest number that fits in `digits` digits.
    @inline(__always)
    package static func most(digits: Int) -> UInt64 { 1 << UInt64(5 * digits) - 1 }

    static func write(
        _ value: UInt64, _ digits: Int, to bytes: inout MutableSpan<UInt8>, at offset: Int
    ) {
        var rest = value
        var at = offset &+ digits
        while at > offset {
            at &-= 1
            let digit = UInt8(truncatingIfNeeded: rest & 31)
            bytes[at] = digit < 10 ? 0x30 &+ digit : 0x57 &+ digit
            rest >>= 5
        }
    }

    /// Parses a number of up to eight digits; nil if a byte is not a digit.
    static func read(_ bytes: Span<UInt8>, _ offset: Int, _ digits: Int) -> UInt64? {
        let end = offset + digits
        var word: UInt64 = 0x3030_3030_3030_3030
        if offset >= 0, end >= 8, end <= bytes.count {
            let others = UInt64.max << UInt64(8 * digits)
            let eight = unsafe Self.digits(bytes.bytes, endingAt: end)
            word = word & others | eight & ~others
        } else {
            for at in offset..<end { word = word << 8 | UInt64(bytes[at]) }
        }
        // Only digits are the same when they are converted there and back.
        let number = number(word)
        return Self.digits(of: number) == word ? number : nil
    }

    // MARK: Eight digits at a time

    /// Loads the eight digits before `end`, with the first digit in the highest byte. `end` must be
    /// at least 8.
    @inline(__always)
    static func digits(_ bytes: RawSpan, endingAt end: Int) -> UInt64 {
        unsafe UInt64(
            bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: end &- 8, as: UInt64.self))
    }

    /// Converts eight digits to a 40-bit number. All bytes must be digits; otherwise the result is
    /// arbitrary.
    @inline(__always)
    static func number(_ digits: UInt64) -> UInt64 {
        let letters = digits >> 6 & 0x0101_0101_0101_0101
        let fives = (digits & 0x1F1F_1F1F_1F1F_1F1F) &+ letters &* 25 &- 0x1010_1010_1010_1010
        let tens = fives & 0x001F_001F_001F_001F | (fives & 0x1F00_1F00_1F00_1F00) >> 3
        let twenties = tens & 0x0000_03FF_0000_03FF | (tens & 0x03FF_0000_03FF_0000) >> 6
        return twenties & 0xF_FFFF | twenties >> 12 & 0xFF_FFF0_0000
    }

    /// Converts a 40-bit number to eight digits; the inverse of ``number(_:)``.
    @inline(__always)
    static func digits(of number: UInt64) -> UInt64 {
        let twenties = number & 0xF_FFFF | (number & 0xFF_FFF0_0000) << 12
        let tens = twenties & 0x0000_03FF_0000_03FF | (twenties & 0x000F_FC00_000F_FC00) << 6
        let fives = tens & 0x001F_001F_001F_001F | (tens & 0x03E0_03E0_03E0_03E0) << 3
        let letters = (fives &+ 0x7676_7676_7676_7676) >> 7 & 0x0101_0101_0101_0101
        return fives &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    }
}
