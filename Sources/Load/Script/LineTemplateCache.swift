import LineProtocol

/// What stands around the texts in lines that were taken apart before.
///
/// A generated text has always the same length and consists of bytes that mean nothing in any dialect. Two lines that
/// differ in it alone mean the same but for it: the second need not be taken apart. What a line says of its sender
/// and room stands around its text, so that a load has about as many of these surroundings as operators.
struct LineTemplateCache: Sendable {
    /// The most bytes around a text.
    static let bytesMax = 256
    /// The most surroundings that are remembered.
    static let surroundingsMax = 65_536
    /// The most words that the bytes of all of them take.
    static let wordsMax = 1 << 20
    /// So many lines in a row that are not familiar, once all room is taken, or that cannot be remembered, and it is
    /// no longer tried.
    static let strangersMax = 10_000

    /// What a line says beside its text.
    struct CachedTemplate: Sendable, Equatable {
        /// The number of the sender that it names; -1 if it names none.
        var sender: Int32 = -1
        /// The number of the room that it names; -1 if it names none.
        var room: Int32 = -1
    }

    private struct Entry: Sendable {
        var hash: UInt64 = 0
        /// Where its bytes begin in ``words``; -1 where nothing is.
        var first: Int32 = -1
        /// How many bytes stand before the text.
        var prefix: Int32 = 0
        var saying = CachedTemplate()
    }

    private let textBytes: Int
    /// How many bytes stand behind the text; -1 as long as no line was remembered.
    private var suffix = -1
    /// Places by hash; a surrounding lies in its own or in one of the next.
    private var entries: [Entry] = []
    private var count = 0
    private var words: [UInt64] = []
    private var strangers = 0

    /// Nothing is familiar yet. Texts have `textBytes` bytes, at least eight.
    init(textBytes: Int) { self.textBytes = textBytes }

    /// What the line says if it is familiar, and where its text stands.
    @inline(__always)
    mutating func find(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) -> (saying: CachedTemplate, text: Range<Int>)? {
        guard let parts = parts(of: line, in: bytes) else { return nil }
        let raw = unsafe bytes.bytes
        let hash = parts.hash(raw)
        var place = Int(truncatingIfNeeded: hash) & (entries.count &- 1)
        while entries[place].first >= 0 {
            if entries[place].hash == hash, isSame(entries[place], parts, raw) {
                strangers = 0
                return (entries[place].saying, parts.text)
            }
            place = (place &+ 1) & (entries.count &- 1)
        }
        noteStranger()
        return nil
    }

    /// Whether more lines can be remembered.
    var isLearning: Bool {
        strangers < Self.strangersMax && count < Self.surroundingsMax
            && words.count <= Self.wordsMax - Self.bytesMax / 4
    }

    /// Remembers a line whose text begins at `place`.
    mutating func remember(
        _ bytes: Span<UInt8>, _ line: Range<Int>, textAt place: Int, _ saying: CachedTemplate
    ) {
        guard isLearning, line.count - textBytes <= Self.bytesMax, line.contains(place),
            line.upperBound - place >= textBytes
        else { return }
        if suffix < 0 {
            suffix = line.upperBound - place - textBytes
            entries = [Entry](repeating: Entry(), count: 64)
        }
        guard let parts = parts(of: line, in: bytes), parts.text.lowerBound == place else {
            strangers += 1
            return
        }
        if 2 * (count + 1) > entries.count { makeRoom() }
        let raw = unsafe bytes.bytes
        let entry = Entry(
            hash: parts.hash(raw), first: Int32(words.count), prefix: Int32(parts.prefix),
            saying: saying)
        for place in 0..<parts.wordCount { words.append(parts.word(place, raw)) }
        put(entry)
        count += 1
    }

    /// Where a text stands in a line as it is; nil if it does not, or twice.
    static func onlyPlace(
        of text: Span<UInt8>, in bytes: Span<UInt8>, _ line: Range<Int>
    ) -> Int? {
        guard line.count >= text.count, line.upperBound <= bytes.count else { return nil }
        var found: Int?
        for place in line.lowerBound...line.upperBound - text.count {
            guard text.indices.allSatisfy({ bytes[place + $0] == text[$0] }) else { continue }
            if found != nil { return nil }
            found = place
        }
        return found
    }

    private mutating func put(_ entry: Entry) {
        var place = Int(truncatingIfNeeded: entry.hash) & (entries.count - 1)
        while entries[place].first >= 0 { place = (place + 1) & (entries.count - 1) }
        entries[place] = entry
    }

    private mutating func makeRoom() {
        let old = entries
        entries = [Entry](repeating: Entry(), count: old.count * 2)
        for entry in old where entry.first >= 0 { put(entry) }
    }

    /// Where each line is another one, to look them up is in vain.
    @inline(never)
    private mutating func noteStranger() {
        if !isLearning { strangers += 1 }
        if strangers >= Self.strangersMax { suffix = -1 }
    }

    private func isSame(_ entry: Entry, _ parts: Parts, _ bytes: RawSpan) -> Bool {
        guard entry.prefix == parts.prefix else { return false }
        let first = Int(entry.first)
        for place in 0..<parts.wordCount where words[first &+ place] != parts.word(place, bytes) {
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

    /// A line in three parts, the outer two of which are looked at in words of eight bytes.
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

        /// The last word of a part is what is left of it, zeros beside it. That it is read together with bytes of
        /// the text does no harm: the text is longer than a word.
        @inline(__always)
        func word(_ place: Int, _ bytes: RawSpan) -> UInt64 {
            if place < prefixWords {
                let rest = prefix &- place &* 8
                let word = load(lower &+ place &* 8, bytes)
                return rest >= 8 ? word : word & (1 &<< UInt64(rest &* 8) &- 1)
            }
            let from = (place &- prefixWords) &* 8
            let begin = lower &+ prefix &+ textBytes
            let rest = suffix &- from
            if rest >= 8 { return load(begin &+ from, bytes) }
            return load(begin &+ suffix &- 8, bytes) &>> UInt64(64 &- rest &* 8)
        }

        @inline(__always)
        private func load(_ place: Int, _ bytes: RawSpan) -> UInt64 {
            unsafe UInt64(
                littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
        }

        @inline(__always)
        func hash(_ bytes: RawSpan) -> UInt64 {
            var hash = UInt64(truncatingIfNeeded: prefix) &* 0xD6E8_FEB8_6659_FD93
            for place in 0..<wordCount {
                hash = (hash ^ word(place, bytes)) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 32
            }
            return hash
        }
    }
}
