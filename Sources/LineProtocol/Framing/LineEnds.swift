/// The terminators that end a line, sorted by how they are found.
struct LineEnds: Sendable {
    /// The bytes at which a line may be complete.
    let stops: ByteSet
    /// The only such byte, if there is just one: it can be searched for with `memchr`.
    let stop: UInt8?
    /// The bytes that end a line whatever stands before them.
    let single: ByteSet
    /// The terminators of two bytes.
    let pairs: [Terminator]
    /// The bytes that end a line alone and also begin a longer terminator.
    let halves: ByteSet
    /// Whether lines end at `plainStop` alone, or after `plainPair`, or either, and nowhere else.
    let isPlain: Bool
    let plainStop: UInt8
    let plainSingle: Terminator
    let plainPair: Terminator
    /// The first byte of `plainPair`, or -1 if there is none.
    let plainPairFirst: Int
    let plainStopIsEnough: Bool

    init(_ accepted: [Terminator]) {
        stops = ByteSet(accepted.map(\.last))
        single = ByteSet(accepted.filter { $0.first == nil }.map(\.last))
        pairs = accepted.filter { $0.first != nil }
        halves = ByteSet(pairs.compactMap(\.first).filter(single.contains))
        let stopBytes = stops.bytes
        stop = stopBytes.count == 1 ? stopBytes[0] : nil
        isPlain = stop != nil && pairs.count <= 1 && halves.isEmpty
        plainStop = stop ?? ASCII.lf
        plainSingle = Terminator(plainStop)
        plainPair = pairs.first ?? plainSingle
        plainPairFirst = plainPair.first.map(Int.init) ?? -1
        plainStopIsEnough = !single.isEmpty
    }

    /// The accepted terminator whose last byte stands at `place`: of two, the longer one. Bytes before
    /// `lineStart` belong to another line.
    func terminator(endingAt place: Int, _ bytes: Span<UInt8>, lineStart: Int) -> Terminator? {
        let byte = bytes[place]
        if place > lineStart {
            for pair in pairs where pair.last == byte && pair.first == bytes[place - 1] {
                return pair
            }
        }
        return single.contains(byte) ? Terminator(byte) : nil
    }

    /// Whether the two bytes are a terminator.
    func isPair(_ first: UInt8, _ last: UInt8) -> Bool {
        pairs.contains { $0.first == first && $0.last == last }
    }

    /// What the next byte may complete, if the line ended with `terminator`.
    func half(_ terminator: Terminator) -> UInt8? {
        terminator.first == nil && halves.contains(terminator.last) ? terminator.last : nil
    }

    /// The first place from `from` on at which a line may be complete.
    func nextStop(_ bytes: Span<UInt8>, from: Int) -> Int? {
        if let stop { return firstPlace(of: stop, in: bytes, from..<bytes.count) }
        var place = from
        while place < bytes.count {
            if stops.contains(bytes[place]) { return place }
            place += 1
        }
        return nil
    }

    /// The first complete terminator of the line that starts at `lineStart`, searched from `from` on.
    func find(
        _ bytes: Span<UInt8>, lineStart: Int, from: Int
    ) -> (place: Int, terminator: Terminator)? {
        var from = max(from, lineStart)
        while let place = nextStop(bytes, from: from) {
            if let terminator = terminator(endingAt: place, bytes, lineStart: lineStart) {
                return (place, terminator)
            }
            from = place + 1
        }
        return nil
    }
}
