/// Operations on eight bytes at a time, held in a 64-bit integer.
enum Word {
    /// Returns a word with `byte` in every position.
    @inline(__always)
    static func filled(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Returns a word whose lowest set bit marks the first byte where `word` and `pattern` are
    /// equal; 0 if there is none. Higher bits are undefined.
    @inline(__always)
    static func firstMatch(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- filled(1)) & ~difference & filled(0x80)
    }

    /// Returns the word with its ASCII letters in upper case.
    @inline(__always)
    static func uppercased(_ word: UInt64) -> UInt64 {
        let heptets = word & filled(0x7F)
        let fromA = heptets &+ filled(0x80 - 0x61)
        let pastZ = heptets &+ filled(0x80 - 0x7B)
        let letters = (fromA ^ pastZ) & ~word & filled(0x80)
        return word ^ (letters &>> 2)
    }

    /// Parses the first `count` bytes (1 to 8) as decimal digits; returns nil if any of them is not
    /// a digit.
    @inline(__always)
    static func digits(_ word: UInt64, count: Int) -> Int64? {
        // Shift the digits to the high bytes and pad with zeros.
        let unused = UInt64(truncatingIfNeeded: 64 &- count &* 8)
        let used = UInt64(truncatingIfNeeded: count &* 8 &- 8)
        let zeros = (filled(ASCII.zero) &>> used) &>> 8
        let text = word &<< unused | zeros
        let digits = text ^ filled(ASCII.zero)
        guard (digits &+ filled(0x76) | digits) & filled(0x80) == 0 else { return nil }
        // Combine neighbouring digits into numbers of two, four and eight digits.
        let twos = (digits &* 2_561) &>> 8 & 0x00FF_00FF_00FF_00FF
        let fours = (twos &* 6_553_601) &>> 16 & 0x0000_FFFF_0000_FFFF
        return Int64(truncatingIfNeeded: (fours &* 42_949_672_960_001) &>> 32)
    }

    /// Loads `count` bytes (at most 8) at `offset`, with the first in the lowest bits, padded with
    /// zeros. `room` is the number of readable bytes in the buffer.
    @inline(__always)
    static func load(
        _ bytes: UnsafePointer<UInt8>, _ offset: Int, count: Int, room: Int
    ) -> UInt64 {
        if offset &+ 8 <= room {
            let word = unsafe UInt64(
                littleEndian: UnsafeRawPointer(bytes + offset).loadUnaligned(as: UInt64.self))
            guard count < 8 else { return word }
            return word & ((1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1)
        }
        var word: UInt64 = 0
        for index in 0..<min(count, 8) {
            word |= unsafe UInt64(bytes[offset &+ index]) &<< UInt64(truncatingIfNeeded: index &* 8)
        }
        return word
    }
}
