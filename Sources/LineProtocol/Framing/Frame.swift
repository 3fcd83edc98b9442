/// One frame in a framer's buffer: a line, with the payload that belongs to it.
///
/// Ranges count from the start of the framer's ``LineFramer/buffer`` and hold until bytes are appended.
public struct Frame: Sendable, Equatable {
    /// The line without its terminator.
    public var line: Range<Int>
    /// The counted payload or the block after the line, without what ends it.
    public var payload: Range<Int>?
    /// Everything the frame takes in the buffer, terminators and passed-over bytes included.
    public var whole: Range<Int>
    /// What ended the line; nil at the end of the stream and in frames with a length.
    public var terminator: Terminator?
    /// What is wrong with the frame, or nil.
    public var issue: FrameIssue?
    /// Whether `payload` is a dot-terminated block, still dot-stuffed.
    public var payloadIsBlock: Bool

    /// A frame of these parts.
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
    /// A line with nothing special about it, whose places are in order.
    @inline(__always)
    init(plain lower: Int, _ upper: Int, _ end: Int, terminator: Terminator) {
        line = unsafe Range(uncheckedBounds: (lower, upper))
        payload = nil
        whole = unsafe Range(uncheckedBounds: (lower, end))
        self.terminator = terminator
        issue = nil
        payloadIsBlock = false
    }
}

/// What is wrong with a frame.
public enum FrameIssue: Sendable, Hashable {
    /// The line passes its maximum by so many bytes. An enforcing framer has dropped them; any framer
    /// drops what is beyond ``LineFramer/observedLineBytesMax``.
    case lineOverLimit(excess: Int)
    /// The tag section passes its maximum. The line is kept as far as an over-long line is.
    case tagsOverLimit(excess: Int)
    /// The field that should count the payload's bytes is missing or no number: no payload was read.
    case payloadLengthInvalid
    /// The payload is longer than allowed. One whose length is told beforehand is passed over unread; of
    /// a block, or a body that ends with a NUL, the first bytes are kept.
    case payloadOverLimit(length: Int)
    /// No terminator stands after the payload, so that the length was wrong.
    case payloadNotTerminated
    /// More bytes were appended than a buffer may hold: what it held of an unfinished frame and the refused
    /// bytes are lost, and what follows is out of step.
    case bufferOverLimit(refused: Int)
    /// The stream ended before the line's terminator, or inside the payload.
    case unterminated
}
