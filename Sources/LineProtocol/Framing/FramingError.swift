/// The reason a line cannot be sent as a frame.
public enum FramingError: Error, Sendable, Hashable {
    /// The byte at this offset would end the line or complete the terminator of the previous line.
    case containsTerminator(at: Int)
    /// The first byte of the payload would be parsed as part of the line's terminator.
    case payloadCompletesTerminator
    /// The body contains a NUL at this offset, but there is no length header, so the NUL would end
    /// the body.
    case bodyContainsNUL(at: Int)
    /// The answer has several lines, but the first one has no marker after its code.
    case answerUnmarked
    /// The line at this offset ends the answer too early, or it is the last line and does not end
    /// the answer. The offset is counted from the start of the answer's second line.
    case answerEnd(at: Int)
    case tooLong(length: Int, max: Int)
}

extension FramingError: CustomStringConvertible {
    /// The reason as a clause, for example "byte 3 of the line would end the line early".
    public var description: String {
        switch self {
        case .containsTerminator(let offset):
            "byte \(offset) of the line would end the line early"
        case .payloadCompletesTerminator:
            "the payload's first byte would be read as part of the line terminator"
        case .bodyContainsNUL(let offset):
            "byte \(offset) of the body is NUL, but no header gives the body length"
        case .answerUnmarked:
            "the first line of a multi-line answer needs a continuation mark after its code"
        case .answerEnd(let offset):
            "the last line of the answer, and only that line, must start with the code and "
                + "no continuation mark (error at byte \(offset) of the payload)"
        case .tooLong(let length, let max):
            "the frame has \(length) bytes; the dialect's length field allows at most \(max)"
        }
    }
}
