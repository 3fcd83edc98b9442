#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Returns the offset of the first occurrence of `byte` in `range`, or nil.
///
/// Uses `memchr`, which examines 16 to 64 bytes at a time.
func firstOffset(of byte: UInt8, in bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    guard range.lowerBound < range.upperBound, range.upperBound <= bytes.count else { return nil }
    return unsafe bytes.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { return nil }
        let start = unsafe UnsafeRawPointer(base + range.lowerBound)
        guard let found = unsafe memchr(start, Int32(byte), range.count) else { return nil }
        return unsafe range.lowerBound + (UnsafeRawPointer(found) - start)
    }
}

/// Returns the offset of the first occurrence of `byte` in `lower..<upper`, or `upper`.
@inline(__always)
func firstOffset(
    of byte: UInt8, _ bytes: UnsafePointer<UInt8>, _ lower: Int, _ upper: Int
) -> Int {
    guard lower < upper, let found = unsafe memchr(bytes + lower, Int32(byte), upper &- lower)
    else {
        return upper
    }
    return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
}

extension Span where Element == UInt8 {
    /// Returns true if the bytes in `range` equal `other`. With `ignoringCase`, the case of ASCII
    /// letters is ignored.
    @inlinable
    package func matches(_ range: Range<Int>, _ other: [UInt8], ignoringCase: Bool) -> Bool {
        guard range.count == other.count else { return false }
        for index in 0..<other.count {
            let ours = self[range.lowerBound + index]
            if ours == other[index] { continue }
            guard ignoringCase, ASCII.uppercased(ours) == ASCII.uppercased(other[index]) else {
                return false
            }
        }
        return true
    }

    /// Returns a copy of the bytes in `range`.
    @inlinable
    public func array(_ range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        append(range, to: &result)
        return result
    }

    @inlinable
    func append(_ range: Range<Int>, to target: inout [UInt8]) {
        let part = extracting(range)
        unsafe part.withUnsafeBufferPointer { unsafe target.append(contentsOf: $0) }
    }
}
