import LineProtocol

/// A cache of decoded message lines, keyed by the bytes before and after the message body.
///
/// A generated message body has a fixed length and contains no byte with a special meaning in any
/// dialect. Lines that differ only in the body have the same sender and room, so only the first
/// such line is decoded. In a load test, the cache has about one entry per operator.
struct LineTemplateCache: Sendable {
    /// Maximum number of bytes before and after a message body, in total.
    static let bytesMax = 256
    static let entriesMax = 65_536
    /// Maximum total size of the entries' bytes, in words.
    static let wordsMax = 1 << 20
    /// Number of consecutive misses, while the cache is full or lines cannot be cached, after which
    /// the cache turns itself off.
    static let missesMax = 10_000

    /// The decoded content of a line without its message body.
    struct CachedTemplate: Sendable, Equatable {
        /// Number of the sender in the line; -1 if there is none.
        var sender: Int32 = -1
        /// Number of the room in the line; -1 if there is none.
        var room: Int32 = -1
    }

    private struct Entry: Sendable {
        var hash: UInt64 = 0
        /// Index in ``words`` of the entry's bytes; -1 for an unused slot.
        var first: Int32 = -1
        /// Number of bytes before the message body.
        var prefix: Int32 = 0
        var template = CachedTemplate()
    }

    private let textBytes: Int
    /// Number of bytes after the message body; -1 before the first line is cached, and once the
    /// cache is off.
    private var suffix = -1
    /// Hash table with linear probing.
    private var entries: [Entry] = []
    private var count = 0
    private var words: [UInt64] = []
    private var misses = 0

    /// Creates an empty cache for lines whose message bodies are `textBytes` bytes long.
    /// `textBytes` must be at least 8.
    init(textBytes: Int) { self.textBytes = textBytes }

    /// Looks up a line. Returns its decoded content and the range of its message body; nil if the
    /// line is not cached.
    @inline(__always)
    mutating func find(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) -> (template: CachedTemplate, text: Range<Int>)? {
        guard let parts = parts(of: line, in: bytes) else { return nil }
        let raw = unsafe bytes.bytes
        let hash = parts.hash(raw)
        var index = Int(truncatingIfNeeded: hash) & (entries.count &- 1)
        while entries[index].first >= 0 {
            if entries[index].hash == hash, isSame(entries[index], parts, raw) {
                misses = 0
                return (entries[index].template, parts.text)
            }
            index = (index &+ 1) & (entries.count &- 1)
        }
        noteMiss()
        return nil
    }

    /// True if more lines can be cached.
    var isLearning: Bool {
        misses < Self.missesMax && count < Self.entriesMax
            && words.count <= Self.wordsMax - Self.bytesMax / 4
    }

    /// Caches a line whose message body starts at `offset`.
    mutating func remember(
        _ bytes: Span<UInt8>, _ line: Range<Int>, textAt offset: Int, _ template: CachedTemplate
    ) {
        guard isLearning, line.count - textBytes <= Self.bytesMax, line.contains(offset),
            line.upperBound - offset >= textBytes
        else { return }
        if suffix < 0 {
            suffix = line.upperBound - offset - textBytes
            entries = [Entry](repeating: Entry(), count: 64)
        }
        guard let parts = parts(of: line, in: bytes), parts.text.lowerBound == offset else {
            misses += 1
            return
        }
        if 2 * (count + 1) > entries.count { makeRoom() }
        let raw = unsafe bytes.bytes
        let entry = Entry(
            hash: parts.hash(raw), first: Int32(words.count), prefix: Int32(parts.prefix),
            template: template)
        for wordIndex in 0..<parts.wordCount { words.append(parts.word(wordIndex, raw)) }
        put(entry)
        count += 1
    }

    /// Returns the position of a message body in a line; nil if it occurs twice or not at all.
    static func onlyOffset(
        of text: Span<UInt8>, in bytes: Span<UInt8>, _ line: Range<Int>
    ) -> Int? {
        guard line.count >= text.count, line.upperBound <= bytes.count else { return nil }
        var found: Int?
        for offset in line.lowerBound...line.upperBound - text.count {
            guard text.indices.allSatisfy({ bytes[offset + $0] == text[$0] }) else { continue }
            if found != nil { return nil }
            found = offset
        }
        return found
    }

    private mutating func put(_ entry: Entry) {
        var index = Int(truncatingIfNeeded: entry.hash) & (entries.count - 1)
        while entries[index].first >= 0 { index = (index + 1) & (entries.count - 1) }
        entries[index] = entry
    }

    private mutating func makeRoom() {
        let old = entries
        entries = [Entry](repeating: Entry(), count: old.count * 2)
        for entry in old where entry.first >= 0 { put(entry) }
    }

    /// Counts a miss if no more lines can be cached, and turns the cache off after too many misses.
    @inline(never)
    private mutating func noteMiss() {
        if !isLearning { misses += 1 }
        if misses >= Self.missesMax { suffix = -1 }
    }

    private func isSame(_ entry: Entry, _ parts: Parts, _ bytes: RawSpan) -> Bool {
        guard entry.prefix == parts.prefix else { return false }
        let first = Int(entry.first)
        for wordIndex in 0..<parts.wordCount
        where words[first &+ wordIndex] != parts.word(wordIndex, bytes) {
            return false
        }
        return true
    }

    @inline(__always)
    private func parts(of line: Range<Int>, in bytes: Span<UInt8>) -> Parts? {
        let prefix = line.upperBound &- line.lowerBound &- textBytes &- suffix
        guard suffix >= 0, prefix >= 0, line.lowerBound >= 0, line.upperBound <= bytes.count
        else { return nil }
        return Parts(lower: line.lowerBound, prefix: prefix, textBytes: textBytes, suffix: suffix)
    }

    /// A line split at its message body. The bytes before and after the body are compared eight at
    /// a time.
    private struct Parts {
        let lower: Int
        let prefix: Int
        let textBytes: Int
        let suffix: Int

        var text: Range<Int> {
            lower &+ prefix..<lower &+ prefix &+ textBytes
        }

        private var prefixWords: Int { (prefix &+ 7) >> 3 }

        @inline(__always)
        var wordCount: Int { prefixWords &+ (suffix &+ 7) >> 3 }

        /// Loads a word of the parts before and after the body. The last word of a part is padded
        /// with zeros. The load may read bytes of the message body, which is safe because the body
        /// is at least as long as a word.
        @inline(__always)
        func word(_ wordIndex: Int, _ bytes: RawSpan) -> UInt64 {
            if wordIndex < prefixWords {
                let rest = prefix &- wordIndex &* 8
                let word = load(lower &+ wordIndex &* 8, bytes)
                return rest >= 8 ? word : word & (1 &<< UInt64(rest &* 8) &- 1)
            }
            let from = (wordIndex &- prefixWords) &* 8
            let begin = lower &+ prefix &+ textBytes
            let rest = suffix &- from
            if rest >= 8 { return load(begin &+ from, bytes) }
            return load(begin &+ suffix &- 8, bytes) &>> UInt64(64 &- rest &* 8)
        }

        @inline(__always)
        private func load(_ offset: Int, _ bytes: RawSpan) -> UInt64 {
            unsafe UInt64(
                littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }

        @inline(__always)
        func hash(_ bytes: RawSpan) -> UInt64 {
            var hash = UInt64(truncatingIfNeeded: prefix) &* 0xD6E8_FEB8_6659_FD93
            for wordIndex in 0..<wordCount {
                hash = (hash ^ word(wordIndex, bytes)) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 32
            }
            return hash
        }
    }
}
