/// A finder for lines that need no special handling: not empty, without a payload, within all
/// limits, and ended by one byte, alone or as the second byte of a pair.
///
/// It is part of a ``LineFramer``, and can also read bytes outside the framer's buffer, which avoids
/// copying them.
@usableFromInline
package struct PlainLineFinder: Sendable {
    /// The last byte of every terminator.
    private let stop: UInt8
    /// True if `stop` alone ends a line.
    private let stopIsEnough: Bool
    private let single: Terminator
    private let pair: Terminator
    /// The first byte of `pair`, or -1 if there is no pair.
    private let pairFirst: Int
    /// The maximum length, including the terminator, of a line that cannot exceed any limit.
    private let bytesMax: Int

    /// Creates a finder; nil if a single `memchr` cannot find the ends of lines.
    init?(_ ends: LineEnds, _ limits: FramerLimits) {
        guard let stop = ends.stop, ends.pairs.count <= 1, ends.halves.isEmpty else { return nil }
        self.stop = stop
        single = Terminator(stop)
        pair = ends.pairs.first ?? single
        pairFirst = pair.first.map(Int.init) ?? -1
        stopIsEnough = !ends.single.isEmpty
        bytesMax = limits.unremarkableMax
    }

    /// Returns the line that starts at `start` in `bytes`; nil if it is incomplete or needs special
    /// handling. The bytes must then be appended to the framer.
    ///
    /// Lines may be read this way only while the framer is at rest (``LineFramer/isAtRest``), which
    /// leaves it at rest.
    @inlinable
    @inline(__always)
    package func line(in bytes: Span<UInt8>, from start: Int) -> PlainLine? {
        let (end, isPair) = end(in: bytes, from: start)
        return end >= 0 ? PlainLine(start: start, end: end, isPair: isPair) : nil
    }

    /// Returns the frame of a line found by ``line(in:from:)``.
    package func frame(_ line: PlainLine) -> Frame {
        Frame(
            line: line.text, whole: line.start..<line.end, terminator: line.isPair ? pair : single)
    }

    @usableFromInline
    @_optimize(speed)
    func end(in bytes: Span<UInt8>, from start: Int) -> (end: Int, isPair: Bool) {
        unsafe bytes.withUnsafeBufferPointer { unsafe end(in: $0, start, searchedFrom: start) }
    }

    /// Returns the offset after the terminator of the line that starts at `start`, or -1, and whether
    /// the terminator is a pair.
    @_optimize(speed)
    @inline(__always)
    func end(
        in bytes: UnsafeBufferPointer<UInt8>, _ start: Int, searchedFrom from: Int
    ) -> (end: Int, isPair: Bool) {
        guard let base = bytes.baseAddress else { return (-1, false) }
        let offset = unsafe firstOffset(of: stop, base, from, bytes.count)
        let isPair = unsafe offset > start && Int(base[offset &- 1]) == pairFirst
        let isPlain =
            offset < bytes.count && (isPair ? offset &- 1 : offset) > start
            && (isPair || stopIsEnough) && offset &- start < bytesMax
        return (isPlain ? offset &+ 1 : -1, isPair)
    }
}

/// A line found by a ``PlainLineFinder``. Offsets refer to the searched bytes.
///
/// It is smaller than a ``Frame``, and fits into registers.
@usableFromInline
package struct PlainLine: Sendable {
    @usableFromInline package let start: Int
    /// Offset of the byte after the terminator.
    @usableFromInline package let end: Int
    /// True if the terminator has two bytes.
    @usableFromInline package let isPair: Bool

    @inlinable
    @inline(__always)
    init(start: Int, end: Int, isPair: Bool) {
        self.start = start
        self.end = end
        self.isPair = isPair
    }

    /// The line without its terminator.
    @inlinable
    package var text: Range<Int> {
        @inline(__always)
        get { unsafe Range(uncheckedBounds: (start, end &- (isPair ? 2 : 1))) }
    }
}
