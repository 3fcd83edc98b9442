import LineProtocol

/// Recently delivered bytes, for comparison with retransmissions.
///
/// All connections share one ring buffer. Each entry refers to the previous entry of its stream.
/// Bytes that have been overwritten can no longer be compared.
struct PayloadHistory {
    /// Size of the ring buffer.
    static let bytesMax = 1 << 20
    /// Maximum number of data bytes per entry. Longer data is not stored.
    private static let pieceBytesMax = 1 << 17
    /// Maximum number of entries examined per comparison.
    private static let stepsMax = 4096
    /// Size of an entry's header, which contains the previous entry (8 bytes), the stream offset
    /// (8) and the byte count (8).
    private static let headBytes = 24

    private let ring = Ring()
    /// Position of the next entry, counted in bytes since the first entry was written.
    private var head = 0

    /// Uninitialised memory, so that the system provides each page only when it is used.
    @safe private final class Ring {
        let bytes: UnsafeMutableRawBufferPointer

        init() {
            unsafe bytes = UnsafeMutableRawBufferPointer.allocate(
                byteCount: PayloadHistory.bytesMax, alignment: 16)
        }

        deinit { unsafe bytes.deallocate() }
    }

    /// Stores bytes that were delivered at a stream offset. `previous` is the stream's previous
    /// entry. Returns the new entry.
    @inline(__always)
    mutating func add(_ bytes: Span<UInt8>, at offset: Int, after previous: Int) -> Int {
        let size = Self.headBytes &+ (bytes.count &+ 7) & ~7
        guard bytes.count <= Self.pieceBytesMax else { return previous }
        // Entries do not wrap around the end of the ring.
        let free = Self.bytesMax &- head % Self.bytesMax
        if size > free { head &+= free }
        let start = head % Self.bytesMax
        let ring = unsafe ring.bytes
        unsafe ring.storeBytes(of: previous, toByteOffset: start, as: Int.self)
        unsafe ring.storeBytes(of: offset, toByteOffset: start &+ 8, as: Int.self)
        unsafe ring.storeBytes(of: bytes.count, toByteOffset: start &+ 16, as: Int.self)
        unsafe bytes.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress, let to = ring.baseAddress else { return }
            unsafe (to + (start &+ Self.headBytes)).copyMemory(from: from, byteCount: bytes.count)
        }
        defer { head &+= size }
        return head
    }

    /// Returns how many of `bytes` differ from the bytes that were delivered at the stream offset
    /// `offset`. `last` is the stream's most recent entry.
    func differences(_ bytes: Span<UInt8>, at offset: Int, last: Int) -> Int {
        var entry = last
        var result = 0
        for _ in 0..<Self.stepsMax {
            guard entry >= 0, entry + Self.bytesMax > head else { break }
            let base = entry % Self.bytesMax
            let ring = unsafe ring.bytes
            let previous = unsafe ring.load(fromByteOffset: base, as: Int.self)
            let start = unsafe ring.load(fromByteOffset: base + 8, as: Int.self)
            let count = unsafe ring.load(fromByteOffset: base + 16, as: Int.self)
            let lower = max(start, offset)
            let upper = min(start + count, offset + bytes.count)
            let data = base + Self.headBytes - start
            for index in lower..<max(lower, upper)
            where unsafe ring[data + index] != bytes[index - offset] {
                result += 1
            }
            if start <= offset { break }
            entry = previous
        }
        return result
    }
}
