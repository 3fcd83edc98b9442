/// An output buffer that reuses its memory.
///
/// It is faster than an `Array`, whose checks take longer than the appending of small pieces
/// itself. Copies share their memory, so only one of them may be written to.
@safe struct TextBuffer {
    private var storage: Storage
    /// A copy of the pointer in `storage`, for direct access whenever text is appended.
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// Number of bytes written.
    var count = 0

    @safe private final class Storage {
        let base: UnsafeMutablePointer<UInt8>
        let capacity: Int

        init(_ capacity: Int) {
            unsafe base = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
            self.capacity = capacity
        }

        deinit { unsafe base.deallocate() }
    }

    init(capacity: Int = 1 << 17) {
        storage = Storage(max(64, capacity))
        unsafe base = storage.base
        self.capacity = storage.capacity
    }

    mutating func removeAll() { count = 0 }

    var bytes: [UInt8] { bytes(from: 0) }

    func bytes(from start: Int) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: base + start, count: count - start))
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Reserves space for `more` bytes. Call ``advance(_:)`` after writing them.
    @inline(__always)
    mutating func reserve(_ more: Int) -> UnsafeMutablePointer<UInt8> {
        if count &+ more > capacity { grow(more) }
        return unsafe base + count
    }

    @inline(__always)
    mutating func advance(_ written: Int) { count &+= written }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let larger = Storage(max(capacity * 2, count + more))
        unsafe larger.base.initialize(from: base, count: count)
        storage = larger
        unsafe base = larger.base
        capacity = larger.capacity
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        unsafe reserve(1).pointee = byte
        count &+= 1
    }

    @inline(__always)
    mutating func append(_ bytes: Span<UInt8>) {
        let target = unsafe reserve(bytes.count)
        unsafe bytes.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            unsafe target.update(from: base, count: source.count)
        }
        count &+= bytes.count
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        // With a constant size, this is compiled to a few moves, and `update(from:count:)` is not.
        let target = unsafe UnsafeMutableRawPointer(reserve(text.utf8CodeUnitCount))
        unsafe target.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        count &+= text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        let target = unsafe reserve(bytes.count)
        guard let base = bytes.baseAddress else { return }
        unsafe target.update(from: base, count: bytes.count)
        count &+= bytes.count
    }

    /// Number of readable bytes that must follow text passed to `append(padded:count:)`.
    static var paddingBytes: Int { 64 }

    /// Appends text that is usually short and is followed by ``paddingBytes`` readable bytes.
    /// Copying a fixed number of bytes is faster than copying exactly as many as needed.
    @inline(__always)
    mutating func append(padded text: UnsafePointer<UInt8>, count: Int) {
        let target = unsafe UnsafeMutableRawPointer(reserve(max(count, Self.paddingBytes)))
        let text = unsafe UnsafeRawPointer(text)
        if count <= 32 {
            unsafe Self.copy32(text, to: target)
        } else if count <= 64 {
            unsafe Self.copy32(text, to: target)
            unsafe Self.copy32(text + 32, to: target + 32)
        } else {
            unsafe target.copyMemory(from: text, byteCount: count)
        }
        advance(count)
    }

    @inline(__always)
    static func copy32(_ from: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        let first = unsafe from.loadUnaligned(as: SIMD2<UInt64>.self)
        let second = unsafe from.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self)
        unsafe target.storeBytes(of: first, as: SIMD2<UInt64>.self)
        unsafe target.storeBytes(of: second, toByteOffset: 16, as: SIMD2<UInt64>.self)
    }

    /// Appends the text of another buffer, which is usually short and is followed by
    /// ``paddingBytes`` readable bytes.
    @inline(__always)
    mutating func append(padded text: TextBuffer) {
        unsafe append(padded: text.base, count: text.count)
    }

    mutating func append(_ bytes: [UInt8]) { append(bytes.span) }

    mutating func append(text: String) { append(Array(text.utf8)) }

    mutating func append(spaces: Int) {
        for _ in 0..<max(0, spaces) { append(0x20) }
    }

    @inline(__always)
    mutating func append(decimal value: Int64) {
        if value < 0 { append(0x2D) }
        append(magnitude: value.magnitude)
    }

    @inline(__always)
    mutating func append(magnitude: UInt64) {
        guard magnitude < DecimalDigits.limit else { return append(large: magnitude) }
        let digits = DecimalDigits.values(of: magnitude)
        // The last digit is always written.
        let zeros = min(7, digits.trailingZeroBitCount &>> 3)
        let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(zeros &<< 3)
        unsafe UnsafeMutableRawPointer(reserve(8)).storeBytes(of: text, as: UInt64.self)
        count &+= 8 &- zeros
    }

    /// Appends a number of at most eight digits with leading zeros.
    @inline(__always)
    mutating func append(eightDigits number: UInt64) {
        let text = DecimalDigits.text(of: number)
        unsafe UnsafeMutableRawPointer(reserve(8)).storeBytes(of: text, as: UInt64.self)
        count &+= 8
    }

    /// Appends a number of at most six digits with leading zeros.
    @inline(__always)
    mutating func append(sixDigits number: UInt64) {
        // The first two of eight digits are zeros.
        let text = DecimalDigits.text(of: number) &>> 16
        unsafe UnsafeMutableRawPointer(reserve(8)).storeBytes(of: text, as: UInt64.self)
        count &+= 6
    }

    @inline(never)
    private mutating func append(large magnitude: UInt64) {
        append(magnitude: magnitude / DecimalDigits.limit)
        append(eightDigits: magnitude % DecimalDigits.limit)
    }

    /// Appends the last `digits` digits of the number.
    mutating func append(_ number: UInt64, digits: Int) {
        var unit: UInt64 = 1
        for _ in 1..<digits { unit *= 10 }
        while unit > 0 {
            append(0x30 + UInt8(number / unit % 10))
            unit /= 10
        }
    }

    /// Appends the byte as two hexadecimal digits.
    mutating func append(hex byte: UInt8) {
        for half in [byte >> 4, byte & 15] { append(half < 10 ? 0x30 + half : 0x57 + half) }
    }
}
