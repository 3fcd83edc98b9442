import Glibc
import LineProtocol

/// Recent lines with room messages, each received by a member of its room and found to be correct.
///
/// Most servers send the same bytes to all members of a room, in the same order. Only the first
/// member's line is parsed and checked; those of the others are compared with it, byte for byte.
/// Each line has a link to the line that followed it, so that no line is searched for. Lines that
/// differ or arrive in another order are parsed.
@safe
struct BroadcastLines: ~Copyable {
    /// Minimum number of members of a room whose lines are kept.
    static let membersMin = 3
    /// Maximum number of lines, a power of two. A further line replaces the oldest.
    static let linesMax = 8_192
    /// Maximum length of a line, including its terminator.
    static let bytesMax = 1_024
    /// Number of consecutive lines without a match after which no more lines are compared.
    static let missesMax = 65_536

    /// A line whose bytes are in ``store``.
    struct Line {
        /// Number of the line, from 1; 0 for an unused slot.
        fileprivate(set) var number: UInt32 = 0
        /// Number of the line that followed this one on the connection of a member; 0 if none has.
        fileprivate var next: UInt32 = 0
        /// Number of bytes, including the terminator.
        fileprivate(set) var count: Int32 = 0
        /// Number of bytes without the terminator.
        fileprivate(set) var contentCount: Int32 = 0
        /// The sender's index within its room.
        fileprivate(set) var sender: Int32 = 0
        fileprivate(set) var text: MessageText
    }

    private static let mask = linesMax - 1

    private var lines: UnsafeMutablePointer<Line>?
    /// The lines' bytes, ``slotBytes`` for each.
    private var store: UnsafeMutablePointer<UInt8>?
    /// For each message number, modulo ``linesMax``, the number of the latest such message's line.
    private var numbers: UnsafeMutablePointer<UInt32>?
    /// Maximum length of a line, derived from the first one's.
    private var slotBytes = 0
    private var latest: UInt32 = 0
    private var misses = 0

    init() {}

    deinit {
        unsafe free(lines)
        unsafe free(store)
        unsafe free(numbers)
    }

    /// Returns the line at `start` in `bytes`, received by a member of a room after line number
    /// `last`; nil if it is not known.
    @inline(__always)
    mutating func match(
        after last: UInt32, receivedBy member: Int, in room: UInt32, _ bytes: Span<UInt8>,
        at start: Int
    ) -> Line? {
        guard last != 0, misses < Self.missesMax, let lines = unsafe lines,
            let store = unsafe store
        else { return nil }
        var slot = Int(last) & Self.mask
        guard unsafe lines[slot].number == last else { return nil }
        // Members do not receive their own messages, which others have received.
        for _ in 0..<2 {
            let next = unsafe lines[slot].next
            slot = Int(next) & Self.mask
            guard next != 0, unsafe lines[slot].number == next,
                unsafe lines[slot].text.room == room
            else { return nil }
            let count = unsafe Int(lines[slot].count)
            let isSame = unsafe bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress, count <= buffer.count &- start else {
                    return false
                }
                return unsafe memcmp(base + start, store + slot &* slotBytes, count) == 0
            }
            if isSame {
                misses = 0
                return unsafe lines[slot]
            }
            guard unsafe Int(lines[slot].sender) == member else { return nil }
        }
        return nil
    }

    /// Records that a member has received a correct line after line number `last`. Returns the
    /// line's number, or 0 if lines are not compared.
    @inline(never)
    mutating func note(
        _ bytes: Span<UInt8>, _ line: PlainLine, _ text: MessageText, from sender: Int,
        after last: UInt32
    ) -> UInt32 {
        guard misses < Self.missesMax, line.end - line.start <= Self.bytesMax else { return 0 }
        misses += 1
        guard let number = number(of: text) ?? keep(bytes, line, text, from: sender),
            let lines = unsafe lines
        else { return 0 }
        let slot = Int(last) & Self.mask
        if last != 0, unsafe lines[slot].number == last { unsafe lines[slot].next = number }
        return number
    }

    /// Returns the number of the line with a message; nil if there is none.
    private func number(of text: MessageText) -> UInt32? {
        guard let lines = unsafe lines, let numbers = unsafe numbers else { return nil }
        let number = unsafe numbers[Int(truncatingIfNeeded: text.message) & Self.mask]
        let slot = Int(number) & Self.mask
        guard number != 0, unsafe lines[slot].number == number, unsafe lines[slot].text == text
        else { return nil }
        return number
    }

    private mutating func keep(
        _ bytes: Span<UInt8>, _ line: PlainLine, _ text: MessageText, from sender: Int
    ) -> UInt32? {
        let count = line.end - line.start
        if slotBytes == 0 { allocate(lineBytes: count) }
        guard let lines = unsafe lines, let store = unsafe store, let numbers = unsafe numbers,
            count <= slotBytes
        else { return nil }
        latest = latest == .max ? 1 : latest + 1
        let slot = Int(latest) & Self.mask
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            unsafe memcpy(store + slot * slotBytes, base + line.start, count)
        }
        unsafe lines[slot] = Line(
            number: latest, count: Int32(count), contentCount: Int32(line.text.count),
            sender: Int32(sender), text: text)
        unsafe numbers[Int(truncatingIfNeeded: text.message) & Self.mask] = latest
        return latest
    }

    /// Allocates memory for lines that are a little longer than the first one. The system provides
    /// memory only for the part that is used. Without memory, no lines are compared.
    private mutating func allocate(lineBytes: Int) {
        slotBytes = (lineBytes + 95) & ~63
        unsafe lines = Self.zeroed(Self.linesMax)
        unsafe store = Self.zeroed(Self.linesMax * slotBytes)
        unsafe numbers = Self.zeroed(Self.linesMax)
    }

    private static func zeroed<Element>(_ count: Int) -> UnsafeMutablePointer<Element>? {
        unsafe calloc(count, MemoryLayout<Element>.stride)?
            .bindMemory(to: Element.self, capacity: count)
    }
}
