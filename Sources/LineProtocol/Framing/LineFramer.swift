/// Splits a byte stream into frames.
///
/// Append received bytes, then take frames until there are none. The result does not depend on how
/// the bytes are divided among calls. In the steady state nothing is allocated: the buffer keeps
/// its capacity, and consumed bytes are dropped on the next append.
///
/// Memory is limited to ``heldBytesMax``: only the first bytes of an overlong line, block or head
/// are kept, and the rest are counted.
public struct LineFramer: Sendable {
    /// The maximum number of bytes that a framer keeps of a line if it does not enforce limits,
    /// unless the dialect allows longer lines.
    public static let observedLineBytesMax = 1_048_576
    /// The maximum size of the buffer in bytes. Buffer offsets therefore fit into the 32 bits of
    /// ``Field``.
    public static let bufferBytesMax = 1 << 30

    /// The bytes that frames refer to.
    public internal(set) var buffer: [UInt8] = []
    /// Offset of the first byte that has not been consumed.
    var start = 0
    /// Number of bytes after `start` that were already searched for a line end.
    var searched = 0
    /// Number of bytes of an overlong line, head or block dropped from the buffer.
    var dropped = 0
    /// Number of bytes still to be skipped in a frame of known length.
    var skipping = 0
    /// Number of bytes refused because the buffer was full.
    var refused = 0
    /// The incomplete payload of a line that has been read.
    var pending: PendingPayload?
    /// The byte that ended the last line, if it may be the first half of a longer terminator.
    var halfEnd: UInt8?
    /// Number of bytes at `start` that complete the previous line's terminator: 0 or 1.
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
    /// True if the stream consists only of lines whose end a single `memchr` can find.
    let isPlain: Bool
    private let bufferMax: Int

    /// A command that is followed by a payload.
    struct Rule: Sendable {
        var verb: [UInt8]
        var follower: Follower
    }

    /// The kind of payload.
    enum Follower: Sendable, Hashable {
        case counted(Framing.LengthField, terminated: Bool)
        case block
    }

    struct PendingPayload: Sendable {
        var line: Range<Int>
        var terminator: Terminator?
        var issue: FrameIssue?
        /// Offset of the payload, relative to `start`.
        var payload: Int
        var end: End
        /// Offset of the block's last line, relative to `payload`; `searched` is how far it has
        /// been searched.
        var lastLine = 0
        var searched = 0

        enum End: Sendable, Hashable {
            /// Ends after this many bytes, plus a terminator if `terminated` is true.
            case counted(Int, terminated: Bool)
            /// Ends after this many bytes, plus a NUL.
            case countedNUL(Int)
            case dotLine
            case nul
        }
    }

    /// Creates a framer.
    ///
    /// - Parameters:
    ///   - dialect: the dialect of the stream.
    ///   - direction: the direction of the bytes.
    ///   - enforcesLimits: true to cut overlong lines like a server, false to keep and flag them.
    ///   - bufferBytesMax: the buffer size at which bytes are refused, at most ``bufferBytesMax``.
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

    /// True if no state from earlier bytes is kept, so that a new framer would treat the following
    /// bytes the same way.
    public var isAtRest: Bool {
        start == buffer.count && skipping == 0 && refused == 0 && dropped == 0 && lead == 0
            && halfEnd == nil && pending == nil && telnet == nil
    }

    /// Number of buffered bytes waiting for the rest of their frame.
    public var heldBytes: Int { buffer.count - start }

    /// Number of bytes received so far of an unfinished frame, including dropped ones.
    public var unfinishedBytes: Int { heldBytes - min(lead, heldBytes) + dropped }

    /// True if the line of the unfinished frame is complete but its payload is not.
    public var isInPayload: Bool { pending != nil }

    /// The maximum number of bytes held after ``next()`` has returned nil.
    public var heldBytesMax: Int {
        min(bufferMax, limits.keptMax + limits.payloadMax + Self.tailBytes)
    }

    /// Space for two terminators, a length prefix and the start of a dot line.
    static let tailBytes = 16

    /// Appends received bytes. Invalidates the frames taken before.
    @inlinable
    public mutating func append(_ bytes: [UInt8]) {
        append(bytes.span)
    }

    /// Appends received bytes. Invalidates the frames taken before.
    ///
    /// Bytes beyond the buffer limit are refused and reported with the last frame
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

    /// Drops the bytes of consumed frames.
    private mutating func compact() {
        guard start > 0 else { return }
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
        } else {
            buffer.removeSubrange(0..<start)
        }
        start = 0
    }

    /// Returns the next complete frame, or nil if more bytes are needed.
    public mutating func next() -> Frame? {
        nextPlainLine() ?? nextOfAnyKind()
    }

    /// Returns the next frame of any kind. Not inlined, to keep the path for plain lines short.
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

    /// Skips the rest of an unread frame. Returns false if the end of the frame has not arrived.
    private mutating func skip() -> Bool {
        let count = min(skipping, heldBytes)
        skipping -= count
        start += count
        return skipping == 0
    }

    /// Returns a frame that reports the refused bytes and resets the framer.
    private mutating func takeRefused() -> Frame {
        let frame = Frame(
            line: start..<start, whole: start..<buffer.count,
            issue: .bufferOverLimit(refused: refused))
        refused = 0
        halfEnd = nil
        take(frame)
        return frame
    }

    /// Marks `frame` as consumed.
    mutating func take(_ frame: Frame) {
        start = frame.whole.upperBound
        searched = 0
        dropped = 0
        lead = 0
        pending = nil
    }

    /// Drops the bytes between `lower` and the last `tail` bytes.
    mutating func drop(from lower: Int, keepingLast tail: Int) {
        let upper = buffer.count - tail
        guard lower < upper else { return }
        dropped += upper - lower
        buffer.removeSubrange(lower..<upper)
    }
}

/// The limits of a framer.
struct FramerLimits: Sendable {
    /// Upper bound for each limit, so that two of them and a payload fit into the largest buffer.
    static let bytesMax = LineFramer.bufferBytesMax / 4

    let lineMax: Int
    /// 0 if tags count as part of the line.
    let tagMax: Int
    let payloadMax: Int
    let countsTerminator: Bool
    /// The length, including the terminator, up to which a line cannot exceed any limit.
    let unremarkableMax: Int
    /// Maximum number of bytes kept of a line.
    let keptMax: Int

    init(_ limits: Framing.Limits, enforced: Bool) {
        func bounded(_ value: Int) -> Int { min(max(value, 0), Self.bytesMax) }
        lineMax = bounded(limits.lineBytesMax)
        tagMax = bounded(limits.tagBytesMax)
        payloadMax = bounded(limits.payloadBytesMax)
        countsTerminator = limits.countsTerminator
        unremarkableMax = tagMax > 0 ? min(lineMax, tagMax) : lineMax
        // One byte more than the limit for tags, to detect that they exceed it.
        let most = lineMax + tagMax + 1
        keptMax = enforced ? most : max(most, LineFramer.observedLineBytesMax)
    }
}
