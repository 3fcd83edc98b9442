/// The accepted terminators, prepared for searching.
struct LineEnds: Sendable {
    /// The last byte of each terminator.
    let stops: ByteSet
    /// The byte that all terminators end with, which allows a search with `memchr`; nil if they end
    /// with different bytes.
    let stop: UInt8?
    /// The one-byte terminators.
    let single: ByteSet
    let pairs: [Terminator]
    /// The one-byte terminators that are also the first byte of a longer one.
    let halves: ByteSet

    init(_ accepted: [Terminator]) {
        stops = ByteSet(accepted.map(\.last))
        single = ByteSet(accepted.filter { $0.first == nil }.map(\.last))
        pairs = accepted.filter { $0.first != nil }
        halves = ByteSet(pairs.compactMap(\.first).filter(single.contains))
        let last = accepted.first?.last
        stop = accepted.allSatisfy { $0.last == last } ? last : nil
    }

    /// Returns the accepted terminator that ends at `offset`, or nil. Longer terminators take
    /// precedence. Bytes before `lineStart` belong to the previous line.
    func terminator(endingAt offset: Int, _ bytes: Span<UInt8>, lineStart: Int) -> Terminator? {
        let byte = bytes[offset]
        if offset > lineStart {
            for pair in pairs where pair.last == byte && pair.first == bytes[offset - 1] {
                return pair
            }
        }
        return single.contains(byte) ? Terminator(byte) : nil
    }

    func isPair(_ first: UInt8, _ last: UInt8) -> Bool {
        pairs.contains { $0.first == first && $0.last == last }
    }

    /// Returns the byte of `terminator` if it may be the first half of a longer terminator;
    /// otherwise nil.
    func half(_ terminator: Terminator) -> UInt8? {
        terminator.first == nil && halves.contains(terminator.last) ? terminator.last : nil
    }

    /// Returns the first offset at or after `from` where a line may end; nil if there is none.
    func nextStop(_ bytes: Span<UInt8>, from: Int) -> Int? {
        if let stop { return firstOffset(of: stop, in: bytes, from..<bytes.count) }
        var offset = from
        while offset < bytes.count {
            if stops.contains(bytes[offset]) { return offset }
            offset += 1
        }
        return nil
    }

    /// Finds the first complete terminator of the line that starts at `lineStart`, searching from
    /// `from`. Returns it with the offset of its last byte; nil if there is none.
    func find(
        _ bytes: Span<UInt8>, lineStart: Int, from: Int
    ) -> (offset: Int, terminator: Terminator)? {
        var from = max(from, lineStart)
        while let offset = nextStop(bytes, from: from) {
            if let terminator = terminator(endingAt: offset, bytes, lineStart: lineStart) {
                return (offset, terminator)
            }
            from = offset + 1
        }
        return nil
    }
}
