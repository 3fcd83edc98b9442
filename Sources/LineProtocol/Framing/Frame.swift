/// A frame in a framer's buffer: a line and its payload.
///
/// The ranges refer to the framer's ``LineFramer/buffer`` and are valid until more bytes are
/// appended.
public struct Frame: Sendable, Equatable {
    /// The line without its terminator.
    public var line: Range<Int>
    /// The counted payload, the block, the body or the remaining lines of an answer, without the
    /// terminator; nil if there is none.
    public var payload: Range<Int>?
    /// The whole frame, including terminators and skipped bytes.
    public var whole: Range<Int>
    /// The terminator of the line; nil for a line cut off by the end of the stream and for
    /// length-prefixed frames.
    public var terminator: Terminator?
    /// The problem with the frame; nil if there is none.
    public var issue: FrameIssue?
    /// True if `payload` is a dot-terminated block, which is still dot-stuffed.
    public var payloadIsBlock: Bool

    /// Creates a frame.
    public init(
        line: Range<Int>, payload: Range<Int>? = nil, whole: Range<Int>,
        terminator: Terminator? = nil, issue: FrameIssue? = nil, payloadIsBlock: Bool = false
    ) {
        self.line = line
        self.payload = payload
        self.whole = whole
        self.terminator = terminator
        self.issue = issue
        self.payloadIsBlock = payloadIsBlock
    }
}

extension Frame {
    /// Creates the frame of a line without its terminator, followed directly by its payload.
    package init(line: [UInt8], payload: [UInt8]?) {
        let end = line.count + (payload?.count ?? 0)
        // A payload without a line is either a block, which consists of whole lines, or a single
        // line.
        let isBlock = line.isEmpty && payload?.contains { $0 == ASCII.lf || $0 == ASCII.cr } == true
        self.init(
            line: 0..<line.count, payload: payload.map { _ in line.count..<end }, whole: 0..<end,
            payloadIsBlock: isBlock)
    }
}

/// A problem with a frame.
public enum FrameIssue: Sendable, Hashable {
    /// The line exceeds its limit by `excess` bytes. A framer that enforces limits drops these
    /// bytes; any framer drops the bytes beyond ``LineFramer/observedLineBytesMax``.
    case lineOverLimit(excess: Int)
    /// The tags exceed their limit. The line is handled like any other overlong line.
    case tagsOverLimit(excess: Int)
    /// The field that gives the payload's size is missing or is not a number. No payload was read.
    case payloadLengthInvalid
    /// The payload exceeds its limit. A payload whose length is known in advance is skipped; a
    /// block or a body that ends with NUL is truncated.
    case payloadOverLimit(length: Int)
    /// The payload is not followed by a terminator, so its length was wrong.
    case payloadNotTerminated
    /// The buffer was full. The unfinished frame and the bytes that did not fit are lost, and the
    /// frames that follow may be out of sync.
    case bufferOverLimit(refused: Int)
    /// The stream ended before the terminator or inside the payload.
    case unterminated
}
