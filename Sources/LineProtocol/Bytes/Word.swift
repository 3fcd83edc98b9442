/// Eight bytes looked at together.
enum Word {
    /// The word whose every byte is `byte`.
    @inline(__always)
    static func filled(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// A word whose lowest set bit is in the first byte of `word` that is equal to those of `pattern`, or 0.
    /// The bits above the lowest mean nothing.
    @inline(__always)
    static func firstMatch(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- filled(1)) & ~difference & filled(0x80)
    }

    /// The upper-case form of the ASCII letters in `word`.
    @inline(__always)
    static func uppercased(_ word: UInt64) -> UInt64 {
        let heptets = word & filled(0x7F)
        let fromA = heptets &+ filled(0x80 - 0x61)
        let pastZ = heptets &+ filled(0x80 - 0x7B)
        let letters = (fromA ^ pastZ) & ~word & filled(0x80)
        return word ^ (letters &>> 2)
    }

    /// The number that the first `count` bytes of `word` are the decimal digits of, 1 to 8 of them; nil if
    /// one is no digit.
    @inline(__always)
    static func digits(_ word: UInt64, count: Int) -> Int64? {
        // The digits are moved to the highest bytes, behind zeros.
        let unused = UInt64(truncatingIfNeeded: 64 &- count &* 8)
        let used = UInt64(truncatingIfNeeded: count &* 8 &- 8)
        let zeros = (filled(ASCII.zero) &>> used) &>> 8
        let text = word &<< unused | zeros
        let digits = text ^ filled(ASCII.zero)
        guard (digits &+ filled(0x76) | digits) & filled(0x80) == 0 else { return nil }
        // Neighbours are joined: to numbers of two digits, of four, of eight.
        let twos = (digits &* 2_561) &>> 8 & 0x00FF_00FF_00FF_00FF
        let fours = (twos &* 6_553_601) &>> 16 & 0x0000_FFFF_0000_FFFF
        return Int64(truncatingIfNeeded: (fours &* 42_949_672_960_001) &>> 32)
    }

    /// Up to eight bytes at `place`, the first in the lowest bits, zeros above the last.
    @inline(__always)
    static func load(
        _ bytes: UnsafePointer<UInt8>, _ place: Int, count: Int, room: Int
    ) -> UInt64 {
        if place &+ 8 <= room {
            let word = unsafe UInt64(
                littleEndian: UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self))
            guard count < 8 else { return word }
            return word & ((1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1)
        }
        var word: UInt64 = 0
        for index in 0..<min(count, 8) {
            word |= unsafe UInt64(bytes[place &+ index]) &<< UInt64(truncatingIfNeeded: index &* 8)
        }
        return word
    }
}
