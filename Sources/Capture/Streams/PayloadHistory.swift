import LineProtocol

/// The bytes that streams have delivered last, so that what comes again can be compared.
///
/// One ring for all connections: an entry names the one before it of the same stream. What has been
/// written over can no longer be compared.
struct PayloadHistory {
    /// The ring's size.
    static let bytesMax = 1 << 20
    /// Longer pieces are not remembered.
    private static let pieceBytesMax = 1 << 17
    /// The most entries that are gone back through.
    private static let stepsMax = 4096
    /// The entry before (8 bytes), the offset in the stream (8), the count (8).
    private static let headBytes = 24

    private let ring = Ring()
    /// Where the next entry goes, counted from the first ever written.
    private var head = 0

    /// Memory that the system gives as it is used.
    @safe private final class Ring {
        let bytes: UnsafeMutableRawBufferPointer

        init() {
            unsafe bytes = UnsafeMutableRawBufferPointer.allocate(
                byteCount: PayloadHistory.bytesMax, alignment: 16)
        }

        deinit { unsafe bytes.deallocate() }
    }

    /// Remembers what a stream has delivered at `offset`; `previous` is its last entry. Returns the new one.
    @inline(__always)
    mutating func add(_ bytes: Span<UInt8>, at offset: Int, after previous: Int) -> Int {
        let size = Self.headBytes &+ (bytes.count &+ 7) & ~7
        guard bytes.count <= Self.pieceBytesMax else { return previous }
        // Entries are not divided.
        let room = Self.bytesMax &- head % Self.bytesMax
        if size > room { head &+= room }
        let place = head % Self.bytesMax
        let ring = unsafe ring.bytes
        unsafe ring.storeBytes(of: previous, toByteOffset: place, as: Int.self)
        unsafe ring.storeBytes(of: offset, toByteOffset: place &+ 8, as: Int.self)
        unsafe ring.storeBytes(of: bytes.count, toByteOffset: place &+ 16, as: Int.self)
        unsafe bytes.withUnsafeBytes { bytes in
            guard let from = bytes.baseAddress, let to = ring.baseAddress else { return }
            unsafe (to + (place &+ Self.headBytes)).copyMemory(from: from, byteCount: bytes.count)
        }
        defer { head &+= size }
        return head
    }

    /// How many of `bytes`, which stand at `offset` of the stream, differ from what was delivered there.
    func differences(_ bytes: Span<UInt8>, at offset: Int, last: Int) -> Int {
        var entry = last
        var result = 0
        for _ in 0..<Self.stepsMax {
            guard entry >= 0, entry + Self.bytesMax > head else { break }
            let place = entry % Self.bytesMax
            let ring = unsafe ring.bytes
            let previous = unsafe ring.load(fromByteOffset: place, as: Int.self)
            let start = unsafe ring.load(fromByteOffset: place + 8, as: Int.self)
            let count = unsafe ring.load(fromByteOffset: place + 16, as: Int.self)
            let lower = max(start, offset)
            let upper = min(start + count, offset + bytes.count)
            let data = place + Self.headBytes - start
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
