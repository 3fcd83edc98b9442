import CEpoll

/// Memory that received bytes are read into. Unlike an array, it is not retained for each read.
@safe
struct ReadBuffer: ~Copyable {
    /// Maximum size of one read, in bytes.
    static let readBytesMax = 65_536
    /// Number of bytes from which on the buffer counts as full. Only this part of it is usually in
    /// the processor's cache.
    private static let fullBytes = 16_384

    private let base = UnsafeMutablePointer<UInt8>.allocate(capacity: fullBytes + readBytesMax)
    /// Number of bytes that are kept.
    private(set) var used = 0

    deinit { unsafe base.deallocate() }

    /// True if the bytes must be removed before the next read.
    var isFull: Bool { used >= Self.fullBytes }

    /// Reads from a socket, at most `most` bytes, which the next read overwrites unless they are kept.
    /// Returns the number of bytes, or a negative error number.
    func read(_ socket: Int32, atMost most: Int = readBytesMax) -> Int {
        unsafe lj_receive(socket, base + used, min(most, Self.fullBytes + Self.readBytesMax - used))
    }

    /// Keeps the first `count` bytes of the last read.
    mutating func keep(_ count: Int) { used += count }

    mutating func removeAll() { used = 0 }

    /// Returns the `count` bytes at `offset`. They are valid until they are removed or overwritten, and
    /// as long as the buffer exists.
    @unsafe
    func bytes(at offset: Int, _ count: Int) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: base + offset, count: count)
    }
}
