import LineProtocol

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What was written for the lines before, for those that come again.
///
/// What is said in a room goes to each of its members, in the same bytes and soon after one another. To find that a
/// line is the same and to copy what was written for it takes a fraction of decoding it once more.
///
/// A line is forgotten when another one needs its place. The value is not to be copied and written to in both copies.
struct RepeatedLines {
    /// The longest line that is remembered, and the longest text.
    static let lineBytesMax = 512
    static let textBytesMax = 1_024
    /// A key needs so many.
    private static let lineBytesMin = 8
    private static let placeBits = 6
    private static let placeBytes = lineBytesMax + textBytesMax
    /// So many strangers after a line that was known, and only one of ``sampleOf`` is remembered, until one comes again.
    private static let patience = 1_024
    private static let sampleOf = 16

    /// The place of the dialect that lines are of.
    var dialect = 0
    private var entries = [Entry](repeating: Entry(), count: 1 << placeBits)
    private let room = Room()
    private var patience = Self.patience
    private var strangers = 0

    private struct Entry {
        var key: UInt64 = 0
        var dialect = 0
        /// 0: nothing is remembered.
        var lineCount = 0
        var textCount = 0
    }

    /// The bytes of the lines and texts: places of the same size, in each first the line.
    @safe private final class Room {
        let base: UnsafeMutablePointer<UInt8>

        init() {
            let count = RepeatedLines.placeBytes << RepeatedLines.placeBits
            unsafe base = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        }

        deinit { unsafe base.deallocate() }
    }

    /// Where it is remembered what was written for this line; nil if it is not.
    @inline(__always)
    mutating func find(_ line: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        guard let key = Self.key(line, in: bytes) else { return nil }
        let place = Self.place(key)
        let entry = entries[place]
        guard entry.key == key, entry.lineCount == line.count, entry.dialect == dialect else {
            return nil
        }
        let known = unsafe room.base + place &* Self.placeBytes
        let isSame = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return false }
            return unsafe memcmp(base + line.lowerBound, known, line.count) == 0
        }
        guard isSame else { return nil }
        patience = Self.patience
        return place
    }

    /// Appends what was written for the line that was found at this place.
    @inline(__always)
    func append(_ place: Int, to buffer: inout TextBuffer) {
        let text = unsafe room.base + (place &* Self.placeBytes &+ Self.lineBytesMax)
        unsafe buffer.append(UnsafeBufferPointer(start: text, count: entries[place].textCount))
    }

    /// Remembers what was written for a line: all of `buffer` from `start` on.
    @inline(__always)
    mutating func remember(
        _ line: Range<Int>, in bytes: Span<UInt8>, as buffer: TextBuffer, from start: Int
    ) {
        let textCount = buffer.count &- start
        guard textCount <= Self.textBytesMax, wantsMore(), let key = Self.key(line, in: bytes)
        else { return }
        let place = Self.place(key)
        entries[place] = Entry(
            key: key, dialect: dialect, lineCount: line.count, textCount: textCount)
        let to = unsafe room.base + place &* Self.placeBytes
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe to.update(from: base + line.lowerBound, count: line.count)
        }
        unsafe buffer.withBytes { text in
            guard let base = text.baseAddress else { return }
            unsafe UnsafeMutableRawPointer(to + Self.lineBytesMax)
                .copyMemory(from: base + start, byteCount: textCount)
        }
    }

    /// Whether one more is worth remembering: hardly, where no line ever comes again.
    @inline(__always)
    private mutating func wantsMore() -> Bool {
        if patience > 0 {
            patience &-= 1
            return true
        }
        strangers &+= 1
        return strangers & (Self.sampleOf - 1) == 0
    }

    /// What tells most lines apart: their ends, middles and lengths.
    @inline(__always)
    private static func key(_ line: Range<Int>, in bytes: Span<UInt8>) -> UInt64? {
        let count = line.count
        guard count >= lineBytesMin, count <= lineBytesMax, line.lowerBound >= 0,
            line.upperBound <= bytes.count
        else { return nil }
        let raw = unsafe bytes.bytes
        let last = unsafe raw.unsafeLoadUnaligned(
            fromByteOffset: line.upperBound &- 8, as: UInt64.self)
        let middle = unsafe raw.unsafeLoadUnaligned(
            fromByteOffset: line.lowerBound &+ (count &- 8) / 2, as: UInt64.self)
        let mixed = (last &+ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
        return (mixed ^ mixed >> 32 ^ middle) &* 0xD6E8_FEB8_6659_FD93
    }

    @inline(__always)
    private static func place(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: key >> UInt64(64 - placeBits))
    }
}

extension CapturedLine {
    /// Whether the same bytes mean the same the next time, with nothing to be counted or remarked: only then a line may
    /// be told by what was written for it before. What a client says may come to be the operator's name.
    @inline(__always)
    func maySoonComeAgain(_ message: Message) -> Bool {
        direction == .fromServer && marks.isEmpty && frame.payload == nil
            && !SchemaCheck.isSuspicious(frame, message)
    }
}
