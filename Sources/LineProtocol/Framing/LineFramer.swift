/// Framer that splits a byte stream into frames.
///
/// Append received bytes, then take frames until none remain. The frames do not depend on how the
/// bytes are divided among calls. In the steady state nothing is allocated: the buffer keeps its
/// capacity, and the next append drops the bytes that have been consumed.
///
/// A framer keeps at most ``heldBytesMax`` bytes. It keeps only the start of an overlong line,
/// block or head, and counts the remaining bytes.
public struct LineFramer: Sendable {
    /// The maximum number of bytes kept per line if the framer does not enforce limits. If the
    /// dialect allows longer lines, the dialect's limit applies instead.
    public static let observedLineBytesMax = 1_048_576
    /// The maximum size of the buffer in bytes, chosen so that offsets fit into the 32 bits used by
    /// ``Field``.
    public static let bufferBytesMax = 1 << 30

    /// The bytes that the ranges in frames refer to.
    public internal(set) var buffer: [UInt8] = []
    /// Offset of the first byte that has not been consumed.
    var start = 0
    /// Number of bytes after `start` already searched for a line end.
    var searched = 0
    /// Number of bytes of an overlong line, head or block dropped from the buffer.
    var dropped = 0
    /// Number of bytes to skip before the next frame starts.
    var skipping = 0
    /// Number of bytes refused because the buffer was full.
    var refused = 0
    /// The payload being read, along with the line before it; nil between payloads.
    var pending: PendingPayload?
    /// The byte that ended the previous line if it may be the first half of a longer terminator,
    /// otherwise nil.
    var halfEnd: UInt8?
    /// Number of bytes at `start` that belong to the previous line's terminator: 0 or 1.
    var lead = 0
    var telnet: TelnetFilter?
    /// The search for the end of an unfinished RESP value; nil if there is none.
    var resp: RESPScan?
    /// Decides from the other side's lines which messages have a block; nil if the dialect has no
    /// such blocks.
    var conditions: BlockConditions?

    let unit: Framing.Unit
    let side: Framing.Side
    let ends: LineEnds
    let limits: FramerLimits
    let skipsEmptyLines: Bool
    let rules: [Rule]
    let continuationMarker: ContinuationMarker?
    let verbs: VerbFinder
    let enforcesLimits: Bool
    /// The finder for the buffer, which contains no Telnet commands; nil unless the stream consists
    /// only of lines and a single `memchr` can find their ends.
    let plain: PlainLineFinder?
    private let bufferMax: Int

    /// A command followed by a payload.
    struct Rule: Sendable {
        var verb: [UInt8]
        var follower: Follower
        /// The set that contains only this conditional rule; nil if the payload always follows.
        var condition: UInt64?
    }

    /// The kind of payload.
    enum Follower: Sendable, Hashable {
        case counted(Framing.LengthField, terminated: Bool)
        case block
    }

    /// A payload being read, along with the line before it.
    struct PendingPayload: Sendable {
        var line: Range<Int>
        var terminator: Terminator?
        var issue: FrameIssue?
        /// Offset of the payload, relative to `start`.
        var payload: Int
        var end: End
        /// Offset of the block's last line, relative to `payload`.
        var lastLine = 0
        /// Offset of the end of the searched part of the block, relative to `payload`.
        var searched = 0

        /// The end condition of a payload: a length, a terminator, or the end of an answer.
        enum End: Sendable, Hashable {
            /// The payload has this length. A terminator follows it if `terminated` is true.
            case counted(Int, terminated: Bool)
            /// The payload has this length, and a NUL follows it.
            case countedNUL(Int)
            case dotLine
            /// The payload is a single line.
            case line
            case nul
            /// The payload ends with the last line of the answer.
            case answer
        }
    }

    /// Creates a framer.
    ///
    /// - Parameters:
    ///   - dialect: the dialect of the stream.
    ///   - direction: the direction of the bytes.
    ///   - enforcesLimits: true to truncate overlong lines, as a server does; false to keep and
    ///     flag them.
    ///   - bufferBytesMax: the maximum size of the buffer, at most ``bufferBytesMax``. Bytes that
    ///     exceed it are refused.
    public init(
        _ dialect: Dialect, direction: Direction, enforcesLimits: Bool = false,
        bufferBytesMax: Int = LineFramer.bufferBytesMax
    ) {
        let framing = dialect.framing
        unit = framing.unit
        side = framing.side(direction)
        ends = LineEnds(side.accepted)
        limits = FramerLimits(side.limits, enforced: enforcesLimits)
        skipsEmptyLines = framing.emptyLines == .ignore
        verbs = VerbFinder(dialect.syntax[direction])
        self.enforcesLimits = enforcesLimits
        bufferMax = min(max(bufferBytesMax, 1), Self.bufferBytesMax)
        conditions = BlockConditions(dialect, direction)
        rules =
            framing.payloads.filter { $0.direction.allows(direction) }.map {
                Rule(
                    verb: $0.verb, follower: .counted($0.lengthField, terminated: $0.terminated))
            }
            + framing.blocks.filter { $0.after == nil && $0.direction.allows(direction) }.map {
                Rule(verb: $0.verb, follower: .block)
            }
            + framing.conditionalBlocks(direction).enumerated().compactMap { index, rule in
                rule.verb.isEmpty
                    ? nil
                    : Rule(
                        verb: rule.verb, follower: .block, condition: BlockConditions.bit(index))
            }
        continuationMarker = ContinuationMarker(framing, direction)
        plain =
            framing.unit == .line && rules.isEmpty && continuationMarker == nil && conditions == nil
            ? PlainLineFinder(ends, limits) : nil
        telnet = framing.telnet ? TelnetFilter() : nil
    }

    /// The finder for bytes outside the framer's buffer; nil if all bytes must be appended to the
    /// framer.
    package var plainLines: PlainLineFinder? { telnet == nil ? plain : nil }

    /// True if the framer holds no state from earlier bytes, so that a new framer would treat the
    /// next bytes identically.
    public var isAtRest: Bool {
        start == buffer.count && skipping == 0 && refused == 0 && dropped == 0 && lead == 0
            && halfEnd == nil && pending == nil && telnet == nil && resp == nil
            && conditions?.isAtRest ?? true
    }

    /// Number of buffered bytes that are part of an unfinished frame.
    public var heldBytes: Int { buffer.count - start }

    /// Number of bytes received so far of an unfinished frame, including dropped bytes.
    public var unfinishedBytes: Int { heldBytes - min(lead, heldBytes) + dropped }

    /// True if the current frame's line is complete, but its payload is not.
    public var isInPayload: Bool { pending != nil }

    /// The maximum number of bytes held after ``next()`` has returned nil.
    public var heldBytesMax: Int {
        min(bufferMax, limits.keptMax + limits.payloadMax + Self.tailBytes)
    }

    /// Space in bytes for two terminators, a length prefix and the start of a block's final line.
    static let tailBytes = 16

    /// Appends received bytes. Invalidates all frames taken so far.
    @inlinable
    public mutating func append(_ bytes: [UInt8]) {
        append(bytes.span)
    }

    /// Appends received bytes. Invalidates all frames taken so far.
    ///
    /// Bytes that exceed the buffer limit are refused. An additional frame after the complete ones
    /// reports them (``FrameIssue/bufferOverLimit(refused:)``).
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

    /// Returns the next frame of any kind; nil if none is complete. Not inlined, so that the path
    /// for plain lines stays short.
    @inline(never)
    private mutating func nextOfAnyKind() -> Frame? {
        if skipping > 0, !skip() { return nil }
        let frame =
            switch unit {
            case .line: nextLine()
            case .lengthPrefix(let prefix): nextPrefixed(prefix)
            case .headerFrame(let lengthHeader): nextHeaderFrame(lengthHeader)
            case .resp: nextRESP()
            }
        return frame ?? (refused > 0 ? takeRefused() : nil)
    }

    /// Skips the remainder of an unread frame. Returns false if the end of that frame has not
    /// arrived yet.
    private mutating func skip() -> Bool {
        let count = min(skipping, heldBytes)
        skipping -= count
        start += count
        return skipping == 0
    }

    /// Resets the framer, and returns a frame that reports the refused bytes.
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
        resp = nil
    }

    /// Drops the bytes between `lower` and the last `tail` bytes.
    mutating func drop(from lower: Int, keepingLast tail: Int) {
        let upper = buffer.count - tail
        guard lower < upper else { return }
        dropped += upper - lower
        buffer.removeSubrange(lower..<upper)
    }
}

/// Size limits of a framer, in bytes.
struct FramerLimits: Sendable {
    /// Upper bound for each limit, chosen so that a line, its tags and a payload of this size fit
    /// into the largest buffer together.
    static let bytesMax = LineFramer.bufferBytesMax / 4

    let lineMax: Int
    /// Limit for the tags; 0 if tags count as part of the line.
    let tagMax: Int
    let payloadMax: Int
    let countsTerminator: Bool
    /// The maximum length, including the terminator, of a line that cannot exceed any limit.
    let unremarkableMax: Int
    /// The maximum number of bytes kept per line.
    let keptMax: Int

    init(_ limits: Framing.Limits, enforced: Bool) {
        func bounded(_ value: Int) -> Int { min(max(value, 0), Self.bytesMax) }
        lineMax = bounded(limits.lineBytesMax)
        tagMax = bounded(limits.tagBytesMax)
        payloadMax = bounded(limits.payloadBytesMax)
        countsTerminator = limits.countsTerminator
        unremarkableMax = tagMax > 0 ? min(lineMax, tagMax) : lineMax
        // One byte more than the limit for tags, so that a violation of that limit can be detected.
        let most = lineMax + tagMax + 1
        keptMax = enforced ? most : max(most, LineFramer.observedLineBytesMax)
    }
}
