/// Conversion of numbers to decimal digits, eight at a time.
enum DecimalDigits {
    /// Numbers must be below this limit.
    static let limit: UInt64 = 100_000_000

    /// Returns the eight digits of a number, with leading zeros, as values from 0 to 9. The first
    /// digit is in the lowest byte.
    ///
    /// Each step splits all parts of the number in two: halves of four digits, then pairs, then
    /// single digits. A division by a constant is a multiplication and a shift, and all parts are
    /// divided at once.
    @inline(__always)
    static func values(of number: UInt64) -> UInt64 {
        let high = number / 10_000
        let halves = high | (number &- high &* 10_000) &<< 32
        let hundreds = (halves &* 10_486) &>> 20 & 0x0000_007F_0000_007F
        let pairs = hundreds | (halves &- hundreds &* 100) &<< 16
        let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
        return tens | (pairs &- tens &* 10) &<< 8
    }

    /// Returns the eight digits of a number as ASCII characters, the first one in the lowest byte.
    @inline(__always)
    static func text(of number: UInt64) -> UInt64 { values(of: number) | 0x3030_3030_3030_3030 }
}
