/// Whole numbers in bytes, in the order of the network or of the file.
///
/// A place outside the bytes gives 0: nothing that a capture holds can end the process. Who reads checks
/// the lengths first.
extension Span where Element == UInt8 {
    @inline(__always)
    func big16(_ place: Int) -> UInt16 { UInt16(bigEndian: word(place)) }

    @inline(__always)
    func big32(_ place: Int) -> UInt32 { UInt32(bigEndian: word(place)) }

    @inline(__always)
    func big64(_ place: Int) -> UInt64 { UInt64(bigEndian: word(place)) }

    /// The number as the file's writer had it in memory.
    @inline(__always)
    func file16(_ place: Int, swapped: Bool) -> UInt16 {
        let value: UInt16 = word(place)
        return swapped ? value.byteSwapped : value
    }

    /// The number as the file's writer had it in memory.
    @inline(__always)
    func file32(_ place: Int, swapped: Bool) -> UInt32 {
        let value: UInt32 = word(place)
        return swapped ? value.byteSwapped : value
    }

    /// The number as the file's writer had it in memory.
    @inline(__always)
    func file64(_ place: Int, swapped: Bool) -> UInt64 {
        let value: UInt64 = word(place)
        return swapped ? value.byteSwapped : value
    }

    /// The number at `place` in the order of this machine.
    @inline(__always)
    private func word<Number: FixedWidthInteger & BitwiseCopyable>(_ place: Int) -> Number {
        unsafe withUnsafeBytes { bytes in
            guard place >= 0, place &+ MemoryLayout<Number>.size <= bytes.count else { return 0 }
            return unsafe bytes.loadUnaligned(fromByteOffset: place, as: Number.self)
        }
    }
}
