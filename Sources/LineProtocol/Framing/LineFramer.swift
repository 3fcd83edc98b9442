/// Cuts a stream of bytes into frames, however it arrives.
///
/// Append what was read, then take frames until there are none. The same bytes give the same frames
/// however they are divided over appends. In the steady state nothing is allocated: the buffer keeps
/// its capacity, and what was taken is dropped when bytes are appended.
public struct LineFramer: Sendable {
    /// The most a framer that only observes keeps of one line, in bytes.
    public static let observedLineBytesMax = 1_048_576

    /// The bytes that frames point into.
    public internal(set) var buffer: [UInt8] = []
    /// Where the first byte that belongs to no taken frame stands.
    var start = 0
    /// How far ahead of `start` the search for the line's end has come, so that no byte is searched
    /// twice.
    var searched = 0
    /// Bytes of an over-long line that were dropped from the buffer.
    var dropped = 0
    /// The line whose payload is still incomplete, relative to `start`.
    var pending: PendingPayload?
    /// Whether the terminator found last was the first byte of a longer accepted one, whose other byte
    /// is passed over.
    var passOver: UInt8?
    var telnet: TelnetFilter?

    let unit: Framing.Unit
    let side: Framing.Side
    let emptyLinesAreMessages: Bool
    let rules: [Rule]
    let syntax: FieldSyntax
    let enforcesLimits: Bool
    /// The only byte at which a line can end, if there is just one; else all of them.
    let stop: UInt8?
    let stops: ByteSet

    /// What follows the line of one command.
    struct Rule: Sendable {
        var verb: [UInt8]
        /// Nil: a dot-terminated block.
        var length: Framing.LengthField?
        var terminated: Bool
    }

    struct PendingPayload: Sendable {
        var line: Range<Int>
        var terminator: Terminator?
        var issue: FrameIssue?
        /// Where the payload starts, relative to `start`.
        var payload: Int
        /// Nil: a block.
        var length: Int?
        var terminated: Bool
        var searched: Int
    }

    /// - Parameters:
    ///   - direction: whose bytes these are.
    ///   - enforcesLimits: whether bytes over the line's maximum are dropped, as a server does it,
    ///     or kept and flagged, as an observer wants it.
    public init(_ dialect: Dialect, direction: Direction, enforcesLimits: Bool = false) {
        let framing = dialect.framing
        unit = framing.unit
        side = framing.side(direction)
        emptyLinesAreMessages = framing.emptyLines == .message
        syntax = dialect.syntax
        self.enforcesLimits = enforcesLimits
        rules =
            framing.payloads.filter { $0.direction.allows(direction) }.map {
                Rule(verb: $0.verb, length: $0.lengthField, terminated: $0.terminated)
            }
            + framing.blocks.filter { $0.direction.allows(direction) }.map {
                Rule(verb: $0.verb, length: nil, terminated: false)
            }
        stops = ByteSet(side.accepted.map(\.last))
        stop = stops.bytes.count == 1 ? stops.bytes[0] : nil
        telnet = framing.telnet ? TelnetFilter() : nil
    }

    /// How many bytes wait for the rest of their frame.
    public var heldBytes: Int { buffer.count - start }

    /// Adds what was read. Frames taken before are no longer valid.
    @inlinable
    public mutating func append(_ bytes: [UInt8]) {
        append(bytes.span)
    }

    /// Adds what was read. Frames taken before are no longer valid.
    public mutating func append(_ bytes: Span<UInt8>) {
        compact()
        if telnet != nil {
            telnet?.filter(bytes, into: &buffer)
        } else {
            bytes.append(0..<bytes.count, to: &buffer)
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
        switch unit {
        case .line: nextLine()
        case .lengthPrefix(let prefix): nextPrefixed(prefix)
        case .headerFrame(let lengthHeader): nextHeaderFrame(lengthHeader)
        }
    }

    /// What is left when the stream has ended: an unterminated line, or a line whose payload was cut.
    /// To be called after `next()` has returned nil.
    public mutating func finish() -> Frame? {
        let wasTerminator = passOver != nil && heldBytes == 1 && buffer[start] == passOver
        guard heldBytes > 0, !wasTerminator else { return nil }
        var frame = Frame(
            line: start..<buffer.count, whole: start..<buffer.count, issue: .unterminated)
        if let pending {
            frame.line = (start + pending.line.lowerBound)..<(start + pending.line.upperBound)
            frame.terminator = pending.terminator
            frame.payload = (start + pending.payload)..<buffer.count
            frame.payloadIsBlock = pending.length == nil
        }
        take(frame)
        return frame
    }

    /// Moves past `frame`.
    mutating func take(_ frame: Frame) {
        start = frame.whole.upperBound
        searched = 0
        dropped = 0
        pending = nil
    }
}
