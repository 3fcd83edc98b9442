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
    /// The reason as a clause, for example "byte 3 would end the line early".
    public var description: String {
        switch self {
        case .containsTerminator(let offset):
            "byte \(offset) would end the line early"
        case .payloadCompletesTerminator:
            "the first byte of the payload would be read as part of the line's terminator"
        case .bodyContainsNUL(let offset):
            "the body contains a NUL at offset \(offset), and without a length header it would end there"
        case .answerUnmarked:
            "the answer has several lines, but the first has no continuation mark after its code"
        case .answerEnd(let offset):
            "the line at offset \(offset) of the rest of the answer ends it early or does not end it"
        case .tooLong(let length, let max):
            "it has \(length) bytes, and the dialect allows \(max)"
        }
    }
}
