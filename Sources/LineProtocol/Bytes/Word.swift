/// Several bytes looked at together.
enum Word {
    /// The word whose every byte is `byte`.
    @inline(__always)
    static func filled(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The upper-case form of the ASCII letters in `word`.
    @inline(__always)
    static func uppercased(_ word: UInt64) -> UInt64 {
        let heptets = word & filled(0x7F)
        let fromA = heptets &+ filled(0x80 - 0x61)
        let pastZ = heptets &+ filled(0x80 - 0x7B)
        let letters = (fromA ^ pastZ) & ~word & filled(0x80)
        return word ^ (letters &>> 2)
    }

    /// Up to eight bytes at `place`, the first in the lowest bits, zeros above the last.
    @inline(__always)
    static func load(
        _ bytes: UnsafePointer<UInt8>, _ place: Int, count: Int, room: Int
    ) -> UInt64 {
        if place &+ 8 <= room {
            let word = unsafe UInt64(
                littleEndian: UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self))
            return count >= 8 ? word : word & lowBits(count &* 8)
        }
        var word: UInt64 = 0
        for index in 0..<min(count, 8) {
            word |= unsafe UInt64(bytes[place &+ index]) &<< UInt64(truncatingIfNeeded: index &* 8)
        }
        return word
    }

    /// The word with the lowest `count` bits set; `count` is below 64.
    @inline(__always)
    static func lowBits(_ count: Int) -> UInt64 { (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 }
}

/// Sixteen bytes looked at together.
struct Block {
    private let bytes: SIMD16<UInt8>

    static let count = 16

    /// The sixteen bytes at `place`.
    @inline(__always)
    init(_ base: UnsafePointer<UInt8>, _ place: Int) {
        bytes = unsafe UnsafeRawPointer(base + place).loadUnaligned(as: SIMD16<UInt8>.self)
    }

    /// The bytes from `place` up to `room`, which are fewer than sixteen, and zeros behind them.
    @inline(never)
    init(_ base: UnsafePointer<UInt8>, _ place: Int, upTo room: Int) {
        var bytes = SIMD16<UInt8>(repeating: 0)
        for index in 0..<min(room &- place, Self.count) {
            bytes[index] = unsafe base[place &+ index]
        }
        self.bytes = bytes
    }

    /// All ones where a byte is equal to those of `pattern`.
    @inline(__always)
    func matches(_ pattern: SIMD16<UInt8>) -> SIMD2<UInt64> {
        unsafe unsafeBitCast(bytes .== pattern, to: SIMD2<UInt64>.self)
    }

    /// A bit for each byte that is all ones, the first byte's the lowest.
    @inline(__always)
    static func bits(_ matches: SIMD2<UInt64>) -> UInt64 {
        // The product gathers a bit of each of eight bytes in the highest byte.
        let bits = matches & SIMD2(repeating: 0x8040_2010_0804_0201)
        let low = (bits[0] &* 0x0101_0101_0101_0101) &>> 56
        let high = (bits[1] &* 0x0101_0101_0101_0101) &>> 56
        return low | high &<< 8
    }
}
