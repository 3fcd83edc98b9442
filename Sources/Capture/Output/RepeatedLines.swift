import Glibc
import LineProtocol

/// A cache of formatted lines that occur repeatedly, such as a room message sent to each member.
///
/// Comparing the bytes and copying the formatted text is much cheaper than decoding the line again.
///
/// The cache is direct-mapped: a line is evicted when another line needs its slot. Copies of the
/// cache share their memory, so only one of them may be written to.
struct RepeatedLines {
    /// Maximum length of a cached line.
    static let lineBytesMax = 512
    static let textBytesMax = 1_024
    /// Minimum length of a cached line, in bytes. The key is computed from words of this length.
    private static let lineBytesMin = 8
    private static let slotBits = 6
    private static let slotBytes = lineBytesMax + textBytesMax
    /// Number of consecutive misses after which only one line in ``sampleOf`` is cached, until the
    /// next hit.
    private static let patience = 1_024
    private static let sampleOf = 16

    /// Index of the current dialect.
    var dialect = 0
    private let storage = Storage()
    private var patience = Self.patience
    private var misses = 0

    private struct Entry {
        var key: UInt64 = 0
        var dialect = 0
        /// Length of the line; 0 if the slot is unused.
        var lineCount = 0
        var textCount = 0
    }

    /// Slots of equal size, each with the bytes of a line and its formatted text, and an entry for
    /// each slot.
    @safe private final class Storage {
        let base: UnsafeMutablePointer<UInt8>
        let entries: UnsafeMutablePointer<Entry>

        init() {
            let slots = 1 << RepeatedLines.slotBits
            unsafe base = UnsafeMutablePointer<UInt8>.allocate(
                capacity: slots * RepeatedLines.slotBytes)
            unsafe entries = UnsafeMutablePointer<Entry>.allocate(capacity: slots)
            unsafe entries.initialize(repeating: Entry(), count: slots)
        }

        deinit {
            unsafe base.deallocate()
            unsafe entries.deallocate()
        }
    }

    /// Returns the slot that contains the line; nil if the line is not cached.
    @inline(__always)
    mutating func find(_ line: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        guard let key = Self.key(line, in: bytes) else { return nil }
        let slot = Self.slot(key)
        let entry = unsafe storage.entries[slot]
        guard entry.key == key, entry.lineCount == line.count, entry.dialect == dialect else {
            return nil
        }
        let known = unsafe storage.base + slot &* Self.slotBytes
        let isSame = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return false }
            return unsafe memcmp(base + line.lowerBound, known, line.count) == 0
        }
        guard isSame else { return nil }
        patience = Self.patience
        return slot
    }

    /// Appends the formatted text in a slot.
    @inline(__always)
    func append(_ slot: Int, to buffer: inout TextBuffer) {
        let text = unsafe storage.base + (slot &* Self.slotBytes &+ Self.lineBytesMax)
        let count = unsafe storage.entries[slot].textCount
        unsafe buffer.append(UnsafeBufferPointer(start: text, count: count))
    }

    /// Caches the formatted text of a line. The text starts at `start` in `buffer`.
    @inline(__always)
    mutating func remember(
        _ line: Range<Int>, in bytes: Span<UInt8>, as buffer: TextBuffer, from start: Int
    ) {
        let textCount = buffer.count &- start
        guard textCount <= Self.textBytesMax, shouldCache(), let key = Self.key(line, in: bytes)
        else { return }
        let slot = Self.slot(key)
        unsafe storage.entries[slot] = Entry(
            key: key, dialect: dialect, lineCount: line.count, textCount: textCount)
        let to = unsafe storage.base + slot &* Self.slotBytes
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

    /// Returns whether to cache the current line. If lines do not repeat, few of them are cached.
    @inline(__always)
    private mutating func shouldCache() -> Bool {
        if patience > 0 {
            patience &-= 1
            return true
        }
        misses &+= 1
        return misses & (Self.sampleOf - 1) == 0
    }

    /// Returns a hash of the end, the middle and the length of a line; nil if the line cannot be
    /// cached.
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
    private static func slot(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: key >> UInt64(64 - slotBits))
    }
}

extension CapturedLine {
    /// Returns whether the formatted text can be reused for a line with the same bytes. This is
    /// true for server lines that need no notes and cannot change the operator's name.
    @inline(__always)
    func isRepeatable(_ message: Message) -> Bool {
        direction == .fromServer && marks.isEmpty && frame.payload == nil && !mayRename
            && !SchemaCheck.isSuspicious(frame, message)
    }
}
