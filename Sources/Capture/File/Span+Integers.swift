/// Reads integers in network byte order or in the byte order of a capture file.
///
/// Out-of-bounds reads return 0 instead of trapping, so that no capture can crash the process.
/// Callers check lengths first.
extension Span where Element == UInt8 {
    @inline(__always)
    func big16(_ offset: Int) -> UInt16 { UInt16(bigEndian: word(offset)) }

    @inline(__always)
    func big32(_ offset: Int) -> UInt32 { UInt32(bigEndian: word(offset)) }

    @inline(__always)
    func big64(_ offset: Int) -> UInt64 { UInt64(bigEndian: word(offset)) }

    /// Reads an integer in the byte order of a capture file; `swapped` is true if that differs from
    /// the host's byte order.
    @inline(__always)
    func file16(_ offset: Int, swapped: Bool) -> UInt16 {
        let value: UInt16 = word(offset)
        return swapped ? value.byteSwapped : value
    }

    @inline(__always)
    func file32(_ offset: Int, swapped: Bool) -> UInt32 {
        let value: UInt32 = word(offset)
        return swapped ? value.byteSwapped : value
    }

    @inline(__always)
    func file64(_ offset: Int, swapped: Bool) -> UInt64 {
        let value: UInt64 = word(offset)
        return swapped ? value.byteSwapped : value
    }

    /// Reads the integer at `offset` in host byte order.
    @inline(__always)
    private func word<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int) -> Number {
        unsafe withUnsafeBytes { bytes in
            guard offset >= 0, offset &+ MemoryLayout<Number>.size <= bytes.count else { return 0 }
            return unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Number.self)
        }
    }
}
