/// Bytes that are being written, in memory that is used again and again.
///
/// An `Array` would do, but checks more for each small piece than the piece costs. The value is not to be
/// copied and written to in both copies.
struct TextBuffer {
    private var room: Room
    /// How many bytes there are.
    var count = 0

    /// Memory for so many bytes.
    @safe private final class Room {
        let base: UnsafeMutablePointer<UInt8>
        let capacity: Int

        init(_ capacity: Int) {
            unsafe base = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
            self.capacity = capacity
        }

        deinit { unsafe base.deallocate() }
    }

    init(capacity: Int = 1 << 17) { room = Room(max(64, capacity)) }

    mutating func removeAll() { count = 0 }

    /// The bytes as an array of their own.
    var bytes: [UInt8] { bytes(from: 0) }

    /// Those from `start` on.
    func bytes(from start: Int) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: room.base + start, count: count - start))
    }

    /// Calls `body` with the bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: room.base, count: count))
    }

    /// Where so many bytes can be written; they count after ``advance(_:)``.
    @inline(__always)
    mutating func reserve(_ more: Int) -> UnsafeMutablePointer<UInt8> {
        if count &+ more > room.capacity { grow(more) }
        return unsafe room.base + count
    }

    @inline(__always)
    mutating func advance(_ written: Int) { count &+= written }

    @inline(never)
    private mutating func grow(_ more: Int) {
        let larger = Room(max(room.capacity * 2, count + more))
        unsafe larger.base.initialize(from: room.base, count: count)
        room = larger
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
        let target = unsafe reserve(text.utf8CodeUnitCount)
        unsafe target.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        count &+= text.utf8CodeUnitCount
    }

    @inline(__always)
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        let target = unsafe reserve(bytes.count)
        guard let base = bytes.baseAddress else { return }
        unsafe target.update(from: base, count: bytes.count)
        count &+= bytes.count
    }

    /// So many bytes behind a short text can be read, too.
    static var paddingBytes: Int { 32 }

    /// Appends a text that mostly is short, behind which ``paddingBytes`` more can be read: copying as many
    /// as can be needed costs less than looking how many there are.
    @inline(__always)
    mutating func append(padded text: UnsafePointer<UInt8>, count: Int) {
        let target = unsafe reserve(max(count, Self.paddingBytes))
        if count <= Self.paddingBytes {
            let from = unsafe UnsafeRawPointer(text)
            let to = UnsafeMutableRawPointer(target)
            for place in stride(from: 0, to: Self.paddingBytes, by: 8) {
                let word = unsafe (from + place).loadUnaligned(as: UInt64.self)
                unsafe (to + place).storeBytes(of: word, as: UInt64.self)
            }
        } else {
            unsafe target.update(from: text, count: count)
        }
        advance(count)
    }

    mutating func append(_ bytes: [UInt8]) { append(bytes.span) }

    mutating func append(text: String) { append(Array(text.utf8)) }

    mutating func append(blanks: Int) {
        for _ in 0..<max(0, blanks) { append(0x20) }
    }

    @inline(__always)
    mutating func append(decimal value: Int64) {
        if value < 0 { append(0x2D) }
        append(magnitude: value.magnitude)
    }

    @inline(__always)
    mutating func append(magnitude: UInt64) {
        var digits = 1
        var bound: UInt64 = 10
        while digits < 20, magnitude >= bound {
            digits &+= 1
            if digits < 20 { bound = bound &* 10 }
        }
        append(magnitude, digits: digits)
    }

    /// The last `digits` digits of the number.
    @inline(__always)
    mutating func append(_ number: UInt64, digits: Int) {
        let target = unsafe reserve(digits)
        var rest = number
        var place = digits
        while place > 0 {
            place &-= 1
            unsafe target[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count &+= digits
    }

    /// The byte's two hexadecimal digits.
    mutating func append(hex byte: UInt8) {
        for half in [byte >> 4, byte & 15] { append(half < 10 ? 0x30 + half : 0x57 + half) }
    }
}
