/// Cuts a stream of bytes into frames, however it arrives.
///
/// Append what was read, then take frames until there are none. The same bytes give the same frames
/// however they are divided over appends. In the steady state nothing is allocated: the buffer keeps
/// its capacity, and what was taken is dropped when bytes are appended.
///
/// What is held is bounded (``heldBytesMax``): of a line, a block or a head without an end only the first
/// bytes are kept and the rest is counted.
public struct LineFramer: Sendable {
    /// The most a framer that only observes keeps of one line, in bytes, unless the dialect allows more.
    public static let observedLineBytesMax = 1_048_576
    /// The most bytes a buffer may hold: places in it fit ``Field``'s 32 bits.
    public static let bufferBytesMax = 1 << 30

    /// The bytes that frames point into.
    public internal(set) var buffer: [UInt8] = []
    /// Where the first byte that belongs to no taken frame stands.
    var start = 0
    /// How far ahead of `start` the search for the line's end has come, so that no byte is searched
    /// twice.
    var searched = 0
    /// Bytes of an over-long line, head or block that were dropped from the buffer.
    var dropped = 0
    /// Bytes of a frame of known length that are passed over unread.
    var skipping = 0
    /// Bytes that were not taken because the buffer was full.
    var refused = 0
    /// What follows a line that has been read, while it is incomplete.
    var pending: PendingPayload?
    /// The byte that ended the last line alone, if with the next byte it can be a longer terminator.
    var halfEnd: UInt8?
    /// How many bytes at `start` complete the terminator of the line before: 0 or 1.
    var lead = 0
    var telnet: TelnetFilter?

    let unit: Framing.Unit
    let side: Framing.Side
    let ends: LineEnds
    let limits: FramerLimits
    let passesOverEmptyLines: Bool
    let rules: [Rule]
    let syntax: FieldSyntax
    let separators: ByteSet
    let enforcesLimits: Bool
    /// Whether lines are all there is: no payloads, no lengths, nothing to pass over.
    let isPlain: Bool
    private let bufferMax: Int

    /// What follows the line of one command.
    struct Rule: Sendable {
        var verb: [UInt8]
        var follower: Follower
    }

    /// What follows a line or a head.
    enum Follower: Sendable, Hashable {
        case counted(Framing.LengthField, terminated: Bool)
        case block
    }

    struct PendingPayload: Sendable {
        var line: Range<Int>
        var terminator: Terminator?
        var issue: FrameIssue?
        /// Where the payload starts, relative to `start`.
        var payload: Int
        var end: End
        /// Where the block's last line starts, and how far the search has come, relative to `payload`.
        var lastLine = 0
        var searched = 0

        enum End: Sendable, Hashable {
            /// After so many bytes, and then a terminator if one is due.
            case counted(Int, terminated: Bool)
            /// After so many bytes, and then a NUL.
            case countedNUL(Int)
            case dotLine
            case nul
        }
    }

    /// - Parameters:
    ///   - direction: whose bytes these are.
    ///   - enforcesLimits: whether bytes over the line's maximum are dropped, as a server does it,
    ///     or kept and flagged, as an observer wants it.
    ///   - bufferBytesMax: how many bytes the buffer takes before it refuses more, at most
    ///     ``bufferBytesMax``.
    public init(
        _ dialect: Dialect, direction: Direction, enforcesLimits: Bool = false,
        bufferBytesMax: Int = LineFramer.bufferBytesMax
    ) {
        let framing = dialect.framing
        unit = framing.unit
        side = framing.side(direction)
        ends = LineEnds(side.accepted)
        limits = FramerLimits(side.limits, enforced: enforcesLimits)
        passesOverEmptyLines = framing.emptyLines == .ignore
        syntax = dialect.syntax
        separators = ByteSet(dialect.syntax.separators)
        self.enforcesLimits = enforcesLimits
        bufferMax = min(max(bufferBytesMax, 1), Self.bufferBytesMax)
        rules =
            framing.payloads.filter { $0.direction.allows(direction) }.map {
                Rule(
                    verb: $0.verb, follower: .counted($0.lengthField, terminated: $0.terminated))
            }
            + framing.blocks.filter { $0.direction.allows(direction) }.map {
                Rule(verb: $0.verb, follower: .block)
            }
        isPlain = framing.unit == .line && rules.isEmpty && ends.isPlain
        telnet = framing.telnet ? TelnetFilter() : nil
    }

    /// Whether nothing of what arrived is remembered, so that what comes next may as well be given to a new
    /// framer.
    public var isAtRest: Bool {
        start == buffer.count && skipping == 0 && refused == 0 && dropped == 0 && lead == 0
            && halfEnd == nil && pending == nil && telnet == nil
    }

    /// How many bytes wait for the rest of their frame.
    public var heldBytes: Int { buffer.count - start }

    /// How many bytes of an unfinished frame have come, those included that were not kept.
    public var unfinishedBytes: Int { heldBytes - min(lead, heldBytes) + dropped }

    /// Whether the line of the unfinished frame is complete and its payload is not.
    public var isInPayload: Bool { pending != nil }

    /// The most bytes that can wait after ``next()`` has returned nil.
    public var heldBytesMax: Int {
        min(bufferMax, limits.keptMax + limits.payloadMax + Self.tailBytes)
    }

    /// Room for a terminator or two, a length prefix and the start of a dot line.
    static let tailBytes = 16

    /// Adds what was read. Frames taken before are no longer valid.
    @inlinable
    public mutating func append(_ bytes: [UInt8]) {
        append(bytes.span)
    }

    /// Adds what was read. Frames taken before are no longer valid.
    ///
    /// Bytes beyond the buffer's maximum are refused, which the last frame tells
    /// (``FrameIssue/bufferOverLimit(refused:)``).
    public mutating func append(_ bytes: Span<UInt8>) {
        compact()
        let taken = refused > 0 ? 0 : min(bytes.count, bufferMax - buffer.count)
        refused += bytes.count - taken
        if telnet != nil {
            telnet?.filter(bytes.extracting(first: taken), into: &buffer)
        } else {
            bytes.append(0..<taken, to: &buffer)
        }
    }

    /// Drops the bytes of frames that were taken.
    private mutating func compact() {
        guard start > 0 else { return }
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
        } else {
            buffer.removeSubrange(0..<start)
        }
        start = 0
    }

    /// The next whole frame, or nil if more bytes are needed.
    public mutating func next() -> Frame? {
        nextPlainLine() ?? nextOfAnyKind()
    }

    /// The next frame, whatever it is. Kept apart, so that the way to a plain line is short.
    @inline(never)
    private mutating func nextOfAnyKind() -> Frame? {
        if skipping > 0, !skip() { return nil }
        let frame =
            switch unit {
            case .line: nextLine()
            case .lengthPrefix(let prefix): nextPrefixed(prefix)
            case .headerFrame(let lengthHeader): nextHeaderFrame(lengthHeader)
            }
        return frame ?? (refused > 0 ? takeRefused() : nil)
    }

    /// Passes over what is left of a frame that is not read. Returns false if its end is yet to come.
    private mutating func skip() -> Bool {
        let count = min(skipping, heldBytes)
        skipping -= count
        start += count
        return skipping == 0
    }

    /// The frame that tells of refused bytes. The stream starts anew behind it.
    private mutating func takeRefused() -> Frame {
        let frame = Frame(
            line: start..<start, whole: start..<buffer.count,
            issue: .bufferOverLimit(refused: refused))
        refused = 0
        halfEnd = nil
        take(frame)
        return frame
    }

    /// Moves past `frame`.
    mutating func take(_ frame: Frame) {
        start = frame.whole.upperBound
        searched = 0
        dropped = 0
        lead = 0
        pending = nil
    }

    /// Drops the bytes between `lower` and the last `tail` ones.
    mutating func drop(from lower: Int, keepingLast tail: Int) {
        let upper = buffer.count - tail
        guard lower < upper else { return }
        dropped += upper - lower
        buffer.removeSubrange(lower..<upper)
    }
}

/// A framer's maxima, worked out once.
struct FramerLimits: Sendable {
    /// No maximum is larger, so that two of them and a payload fit the largest buffer.
    static let bytesMax = LineFramer.bufferBytesMax / 4

    let lineMax: Int
    /// 0: tags count as part of the line.
    let tagMax: Int
    let payloadMax: Int
    let countsTerminator: Bool
    /// A line up to this length, terminator included, breaks no maximum, whatever stands in it.
    let unremarkableMax: Int
    /// So many bytes are kept of a line.
    let keptMax: Int

    init(_ limits: Framing.Limits, enforced: Bool) {
        func bounded(_ value: Int) -> Int { min(max(value, 0), Self.bytesMax) }
        lineMax = bounded(limits.lineBytesMax)
        tagMax = bounded(limits.tagBytesMax)
        payloadMax = bounded(limits.payloadBytesMax)
        countsTerminator = limits.countsTerminator
        unremarkableMax = tagMax > 0 ? min(lineMax, tagMax) : lineMax
        // One more than the tags may have, so that it shows when they have more.
        let most = lineMax + tagMax + 1
        keptMax = enforced ? most : max(most, LineFramer.observedLineBytesMax)
    }
}
